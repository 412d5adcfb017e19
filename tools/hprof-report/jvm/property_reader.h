#pragma once

#include "tools/hprof-report/dump/record_fetcher.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace hprof {

/// A system property as the heap has it.
struct RawProperty {
  std::string key;
  std::optional<std::string> value;  ///< nothing where it is no text, or the dump lacks it
  bool is_default = false;
};

/// Reads java.lang.System's properties: a Hashtable up to JDK 8, a ConcurrentHashMap inside
/// java.util.Properties since, with their defaults.
class PropertyReader {
 public:
  PropertyReader(const HeapIndex& index, RecordFetcher& fetcher)
      : index_(index), fetcher_(fetcher) {}

  /// Asks for everything; the answers come while the fetcher runs.
  void want();
  /// Whether the heap has system properties at all.
  bool found() const { return found_; }
  /// What came, ascending by key, each key once.
  std::vector<RawProperty> properties() const;
  /// How many came whose key is no text, or one that the dump lacks.
  std::uint64_t unnamed() const;

 private:
  struct Row {
    std::optional<std::string> key;
    std::optional<std::string> value;
    unsigned level = 0;  ///< 0: not from the defaults
  };

  void want_properties(ObjectIndex properties, unsigned level);
  void want_map(ObjectIndex map, unsigned level);
  void take_map(const ObjectRecord& map, unsigned level);
  void want_table(ObjectIndex table, unsigned level);
  void want_entry(ObjectIndex entry, unsigned level);
  void take_entry(const ObjectRecord& entry, unsigned level);
  /// False when the object was visited, or too many were.
  bool visit(ObjectIndex object);

  const HeapIndex& index_;
  RecordFetcher& fetcher_;
  bool found_ = false;
  std::deque<Row> rows_;
  std::unordered_set<std::uint32_t> visited_;
};

}  // namespace hprof
