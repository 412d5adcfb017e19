#pragma once

#include "formats/report/overview.h"
#include "tools/hprof-report/dump/record_fetcher.h"
#include "tools/hprof-report/jvm/property_reader.h"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// Reads what the heap says about the JVM: system properties, version, arguments, garbage
/// collectors, start. Only what is there is stated.
class JvmReader {
 public:
  JvmReader(const HeapIndex& index, RecordFetcher& fetcher);

  /// Asks for everything; the answers come while the fetcher runs.
  void want();
  /// Puts the answers into the overview, whose time of the dump must be there already.
  void fill(Overview& overview, bool show_secrets) const;

 private:
  ObjectIndex object_in(std::string_view class_name, std::string_view field) const;
  std::optional<std::int64_t> number_in(std::string_view class_name, std::string_view field) const;
  void want_versions();
  void want_management();
  void want_process();
  void want_arguments(ObjectIndex list, unsigned depth);
  void want_collectors(ObjectIndex managers);
  std::optional<std::string> version_of(const std::vector<RawProperty>& properties,
                                        const std::string& property) const;
  std::optional<std::string> version_text(const std::vector<RawProperty>& properties) const;
  JvmFacts facts(const std::vector<RawProperty>& properties, std::uint64_t dumped_ms,
                 bool show_secrets) const;

  const HeapIndex& index_;
  RecordFetcher& fetcher_;
  PropertyReader properties_;
  std::map<std::string, std::string> versions_;  ///< from constants, by name of the property
  std::deque<std::optional<std::string>> arguments_;
  std::deque<std::optional<std::string>> collectors_;
  bool has_arguments_ = false;
  std::optional<std::uint64_t> started_ms_;
  std::optional<std::uint64_t> process_started_ms_;
  std::optional<std::uint64_t> process_id_;
};

}  // namespace hprof
