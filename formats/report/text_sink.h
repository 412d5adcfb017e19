#pragma once

#include <string>
#include <string_view>

namespace hprof {

/// Where text goes, piece by piece.
class TextSink {
 public:
  virtual ~TextSink() = default;
  virtual void write(std::string_view text) = 0;
};

/// Collects the text in memory.
class StringSink : public TextSink {
 public:
  void write(std::string_view text) override { text_.append(text); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace hprof
