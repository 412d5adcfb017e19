// The heap dump overview: one property per row, each with its own kind of comparison.
#include "common/concat.h"
#include "common/error.h"
#include "common/text.h"
#include "tools/mat-diff/compare.h"
#include "tools/mat-diff/section_log.h"

#include <algorithm>
#include <array>
#include <map>

namespace hprof {
namespace {

using Properties = std::map<std::string, std::string>;

MatFigure figure_in(const std::string& name, const std::string& text) {
  const auto figure = parse_figure(text);
  if (!figure) {
    fail(ExitCode::bad_data, "heap dump overview: ", name, ": number not understood: \"",
         printable(text), "\"; give an export made by MAT 1.17 in English");
  }
  return *figure;
}

struct CountProperty {
  const char* name;
  const char* path;
  bool gap;  ///< may differ by MatClassObjectRootingGap
};
constexpr std::array<CountProperty, 5> kCounts{{
    {"Used heap dump", "total_shallow", true},
    {"Number of objects", "total_objects", true},
    {"Number of classes", "classes_loaded", true},
    {"Number of class loaders", "classloaders_loaded", false},
    {"Number of GC roots", "gc_roots", false},
}};

void compare_counts(const Sides& sides, const Properties& mat, SectionLog& log) {
  for (const auto& property : kCounts) {
    const auto found = mat.find(property.name);
    if (found != mat.end()) {
      log.figure_or_gap(property.path, sides.ours.count(concat("overview.", property.path)),
                        figure_in(found->first, found->second),
                        property.gap ? sides.rooting_gap : std::nullopt);
    }
  }
}

/// MAT says "hprof" of every version that it reads.
void compare_format(const Sides& sides, const std::string& mat, SectionLog& log) {
  constexpr std::array<std::string_view, 4> kVersions{"JAVA PROFILE 1.0", "JAVA PROFILE 1.0.1",
                                                      "JAVA PROFILE 1.0.2", "JAVA PROFILE 1.0.3"};
  const auto ours = sides.ours.text("overview.format").value_or("(absent)");
  const bool known = std::find(kVersions.begin(), kVersions.end(), ours) != kVersions.end();
  log.add("format", ours, mat, judge_text(known ? "hprof" : ours, mat));
}

void compare_identifier_size(const Sides& sides, const std::string& mat, SectionLog& log) {
  const auto ours = sides.ours.count("overview.identifier_size_bits");
  log.text("identifier_size_bits", ours ? std::optional(concat(*ours, "-bit")) : std::nullopt, mat);
}

void compare_compression(const Sides& sides, const std::string& mat, SectionLog& log) {
  const auto* ours = sides.ours.find("overview.compressed_oops");
  const bool known = ours != nullptr && ours->is_boolean();
  log.text("compressed_oops",
           known ? std::optional<std::string>(ours->get<bool>() ? "true" : "false") : std::nullopt,
           mat);
}

/// The file that MAT read may have been unpacked for it, so its length says nothing about a packed
/// one of ours.
void compare_length(const Sides& sides, const std::string& mat, SectionLog& log) {
  const auto ours = sides.ours.count("overview.file_size");
  const auto figure = figure_in("File length", mat);
  const auto name = sides.ours.text("overview.file_name").value_or("");
  if (ours && *ours != figure.low && name.ends_with(".gz")) {
    log.skip("file_size", 1,
             concat("ours is the length of ", printable(name), ", MAT's that of an unpacked file"));
  } else {
    log.figure("file_size", ours, figure);
  }
}

/// MAT's words for a runtime whose name the dump lacks; we leave the line out.
std::string without_null_line(const std::string& lines) {
  constexpr std::string_view kNull = "\nnull (null)\n";
  const auto at = lines.find(kNull);
  return at == std::string::npos ? lines
                                 : lines.substr(0, at) + lines.substr(at + kNull.size() - 1);
}

/// Reports have the JVM's words only where they show system properties.
void compare_jvm_version(const Sides& sides, const std::string& mat, SectionLog& log) {
  if (const auto ours = sides.ours.text("overview.jvm_version")) {
    log.text("jvm_version", ours, without_null_line(mat));
  } else {
    log.skip("jvm_version", 1, "our report does not have the JVM's words");
  }
}

/// MAT numbers the dumps of a file "#1", "#2" and so on.
void compare_dump_number(const Sides& sides, const std::string& mat, SectionLog& log) {
  const auto ours = sides.ours.count("overview.dump_number");
  log.text("dump_number", ours ? std::optional(concat("#", *ours)) : std::nullopt, mat);
}

void compare_time(const Sides& sides, const std::string& date, const std::string& time,
                  SectionLog& log) {
  const auto ours = sides.ours.count("overview.dump_creation_ms");
  const auto mat = parse_moment(date, time);
  if (!mat) {
    log.skip("dump_creation_ms", 1,
             concat("time zone or language of \"", printable(time), "\" not known"));
  } else if (!ours) {
    log.text("dump_creation_ms", std::nullopt, date + " " + time);
  } else {
    log.add("dump_creation_ms", std::to_string(*ours), date + " " + time, judge_time(*ours, *mat));
  }
}

const std::map<std::string, void (*)(const Sides&, const std::string&, SectionLog&)>&
other_properties() {
  static const std::map<std::string, void (*)(const Sides&, const std::string&, SectionLog&)>
      others{
          {"Format", compare_format},
          {"Identifier size", compare_identifier_size},
          {"Compressed object pointers", compare_compression},
          {"File length", compare_length},
          {"JVM version", compare_jvm_version},
          {"Multiple snapshot identifier", compare_dump_number},
      };
  return others;
}

}  // namespace

void compare_overview(const Sides& sides, Comparison& result) {
  if (!sides.mat.overview) {
    return;
  }
  SectionLog log(result, "overview");
  Properties mat;
  for (const auto& property : *sides.mat.overview) {
    mat.emplace(property.name, property.value);
  }
  compare_counts(sides, mat, log);
  if (mat.contains("Date") && mat.contains("Time")) {
    compare_time(sides, mat.at("Date"), mat.at("Time"), log);
  }
  std::uint64_t left = mat.size() - (mat.count("Date") & mat.count("Time")) * 2;
  for (const auto& property : kCounts) {
    left -= mat.count(property.name);
  }
  for (const auto& [name, comparison] : other_properties()) {
    if (mat.contains(name)) {
      comparison(sides, mat.at(name), log);
      --left;
    }
  }
  log.skip("further properties", left, "names of files and places differ between machines");
}

}  // namespace hprof
