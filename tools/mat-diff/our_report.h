#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace hprof {

/// Our JSON report, read by name and type. A value of the wrong type counts as absent, and absent
/// values FAIL.
class OurReport {
 public:
  /// Reads REPORT.json or REPORT.json.gz; Error(bad_data) when it is no report of hprof-report.
  static OurReport load(const std::string& path);
  explicit OurReport(nlohmann::json root);

  const nlohmann::json& root() const { return root_; }
  /// The value below "a.b.c", or nullptr.
  const nlohmann::json* find(const std::string& path) const;
  std::optional<std::uint64_t> count(const std::string& path) const;
  std::optional<std::string> text(const std::string& path) const;

  /// The rows of the list "a.b.c" by one of their texts; empty when there is no such list.
  std::map<std::string, const nlohmann::json*> rows_by(const std::string& path,
                                                       const char* key) const;
  /// Whether the report says that a section, or something of it, is left out.
  bool leaves_out(const std::string& section) const;

  /// The histogram row of the class object at that address, or nullptr.
  const nlohmann::json* class_row(std::optional<std::uint64_t> address) const;

 private:
  nlohmann::json root_;
  std::unordered_map<std::uint64_t, std::size_t> class_rows_;
};

/// The rows of a list by one of their addresses; none when there is no such list.
using RowsByAddress = std::map<std::uint64_t, const nlohmann::json*>;
RowsByAddress rows_by_address(const nlohmann::json* list, const char* key);
/// The row there, or nullptr.
const nlohmann::json* row_at(const RowsByAddress& rows, std::optional<std::uint64_t> address);
/// A member of an object, or nullptr.
const nlohmann::json* member(const nlohmann::json& object, const char* key);

/// Members of a row; nothing when absent or of another type.
std::optional<std::uint64_t> count_of(const nlohmann::json& row, const char* key);
std::optional<std::string> text_of(const nlohmann::json& row, const char* key);
std::optional<std::uint64_t> address_of(const nlohmann::json& row, const char* key);

}  // namespace hprof
