#include "formats/export/csv.h"

namespace hprof {
namespace {

bool begins_a_formula(std::string_view text) {
  return !text.empty() && (std::string_view("=+-@").find(text[0]) != std::string_view::npos ||
                           static_cast<unsigned char>(text[0]) < 0x20U);
}

}  // namespace

std::string csv_text(std::string_view text) {
  std::string guarded = (begins_a_formula(text) ? "'" : "") + std::string(text);
  if (guarded.find_first_of(",\"\r\n") == std::string::npos) {
    return guarded;
  }
  std::string out = "\"";
  for (const char c : guarded) {
    out += c == '"' ? "\"\"" : std::string(1, c);
  }
  return out + "\"";
}

std::string csv_line(std::initializer_list<std::string> fields) {
  std::string line;
  const char* separator = "";
  for (const auto& field : fields) {
    line += separator + field;
    separator = ",";
  }
  return line + "\n";
}

}  // namespace hprof
