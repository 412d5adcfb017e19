#include "formats/report/json_writer.h"

namespace hprof {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

void append_control(std::string& out, unsigned char byte) {
  switch (byte) {
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      out += "\\u00";
      out += kHexDigits[byte >> 4U];
      out += kHexDigits[byte & 15U];
  }
}

}  // namespace

void JsonWriter::write(const std::string& text) {
  buffer_ += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      append_control(buffer_, byte);
    } else {
      if (c == '"' || c == '\\') {
        buffer_ += '\\';
      }
      buffer_ += c;
    }
  }
  buffer_ += '"';
}

void JsonWriter::open(char bracket) {
  buffer_ += bracket;
  ++depth_;
  first_ = true;
}

void JsonWriter::close(char bracket) {
  --depth_;
  if (!first_ && one_line_ == 0) {
    new_line();
  }
  buffer_ += bracket;
  first_ = false;
}

void JsonWriter::separate() {
  if (!first_) {
    buffer_ += one_line_ == 0 ? "," : ", ";
  }
  if (one_line_ == 0) {
    new_line();
  }
  first_ = false;
}

void JsonWriter::new_line() {
  buffer_ += '\n';
  buffer_.append(depth_, ' ');
}

void JsonWriter::flush() {
  sink_.write(buffer_);
  buffer_.clear();
}

void JsonWriter::flush_if_large() {
  if (buffer_.size() > kFlushBytes) {
    flush();
  }
}

}  // namespace hprof
