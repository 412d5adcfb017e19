#pragma once

#include "common/text.h"
#include "formats/report/fields.h"
#include "formats/report/signed_count.h"
#include "formats/report/text_sink.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// Writes a report struct as JSON while visiting it. Rows of a table stand on one line each,
/// everything outside tables on lines of its own.
class JsonWriter {
 public:
  explicit JsonWriter(TextSink& sink) : sink_(sink) {}
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;
  ~JsonWriter() = default;

  /// Writes `value` and a final newline.
  template <ReportStruct T>
  void document(const T& value) {
    write(value);
    buffer_ += '\n';
    flush();
  }

  template <typename T>
  void operator()(std::string_view name, const T& value, std::string_view /*doc*/) {
    separate();
    write(std::string(name));
    buffer_ += ": ";
    write(value);
  }

  template <typename T>
  void operator()(std::string_view name, const std::optional<T>& value, std::string_view doc) {
    if (value) {
      (*this)(name, *value, doc);
    }
  }

 private:
  static constexpr std::size_t kFlushBytes = 1U << 16U;

  template <ReportStruct T>
  void write(const T& value) {
    open('{');
    T::fields(value, *this);
    close('}');
  }

  template <typename T>
  void write(const std::vector<T>& rows) {
    open('[');
    for (const auto& row : rows) {
      separate();
      ++one_line_;
      write(row);
      --one_line_;
      flush_if_large();
    }
    close(']');
  }

  template <ReportEnum Enum>
  void write(Enum value) {
    write(std::string(word_of(value)));
  }

  void write(Address address) { write(hex_address(address.value)); }
  void write(std::uint64_t value) { buffer_ += std::to_string(value); }
  void write(SignedCount value) {
    buffer_ += (value.negative ? "-" : "") + std::to_string(value.amount);
  }
  void write(bool value) { buffer_ += value ? "true" : "false"; }
  void write(const std::string& text);

  void open(char bracket);
  void close(char bracket);
  void separate();
  void new_line();
  void flush();
  void flush_if_large();

  TextSink& sink_;
  std::string buffer_;
  unsigned depth_ = 0;
  unsigned one_line_ = 0;
  bool first_ = true;
};

}  // namespace hprof
