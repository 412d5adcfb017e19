#pragma once

#include "formats/mat/mat_export.h"
#include "tools/mat-diff/section_log.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// A row of a ranking on either side: what identifies it, what to call it, and the figure that
/// ranks it.
struct MatRanked {
  std::string key;
  std::string label;
  std::optional<MatFigure> retained;
};
struct OurRanked {
  std::string key;
  std::string label;
  std::optional<std::uint64_t> retained;
  const nlohmann::json* row = nullptr;
};

/// Compares two rankings as such: members, their number, and their places among the members that
/// both have. `entries` is how many rows MAT's has, of which only the first may be given. Returns
/// our row for each of MAT's, nullptr for a missing one.
std::vector<const nlohmann::json*> match_rows(SectionLog& log, const std::vector<MatRanked>& mat,
                                              std::uint64_t entries,
                                              const std::vector<OurRanked>& ours);

/// What identifies a row: its object, or its label where MAT's page has no link.
std::string row_key(std::optional<std::uint64_t> address, const std::string& label);

/// How MAT writes an object: "java.lang.Object[2156] @ 0xffe72730  text" or "class java.io.File @
/// 0x500000c7".
struct ObjectLabel {
  bool is_class = false;
  std::string type;  ///< class of the object or name of the class, arrays without length
  std::string name;  ///< all up to the address, as our labels are
  std::string text;  ///< behind the address
};

/// Takes MAT's label apart; nothing when it does not name that address.
std::optional<ObjectLabel> read_object_label(const std::string& label,
                                             std::optional<std::uint64_t> address);

/// The address in "LABEL @ 0xADDRESS", 0 for "<system class loader>".
std::optional<std::uint64_t> loader_address(const std::string& label);

/// "CLASS @ 0xADDRESS" without what MAT may say behind it.
std::string loader_name(const std::string& label);

}  // namespace hprof
