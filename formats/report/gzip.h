#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace hprof {

/// Compresses a stream; the same text gives the same bytes (no name, no time).
class GzipEncoder {
 public:
  using Write = std::function<void(std::string_view)>;

  explicit GzipEncoder(Write write);
  GzipEncoder(const GzipEncoder&) = delete;
  GzipEncoder& operator=(const GzipEncoder&) = delete;
  ~GzipEncoder();

  void add(std::string_view text);
  void finish();

 private:
  struct State;
  void run(std::string_view text, int flush);
  std::unique_ptr<State> state_;
};

bool is_gzip(std::string_view bytes);

/// Inflates all members of `bytes`. Error(bad_data) when they are damaged; `file` names them in the
/// message.
std::string gunzip(std::string_view bytes, const std::string& file);

}  // namespace hprof
