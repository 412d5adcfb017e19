#pragma once

#include "tools/hprof-report/collections/collection_rules.h"
#include "tools/hprof-report/dump/field_table.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hprof {

/// A path whose first field is known for a class.
struct BoundPath {
  FieldPlace first;
  const FieldPath* path = nullptr;

  bool leads_on() const { return path->steps.size() > 1 || path->steps.front().each; }
};

struct BoundTerm {
  bool negative = false;
  std::uint64_t number = 0;
  std::optional<BoundPath> path;
};

/// A rule as it applies to one type of the dump: its fields found in the records of the class.
struct CollectionPlan {
  const CollectionRule* rule = nullptr;
  std::uint32_t type = 0;
  std::vector<BoundTerm> terms;    ///< of a size that is a sum
  std::vector<FieldPlace> fields;  ///< of a size that is not
  std::optional<BoundPath> chain;  ///< to its first node
  std::optional<BoundPath> array;
  std::vector<FieldPlace> more_arrays;
  std::optional<FieldPlace> other;  ///< what the collection owns or views
  ObjectIndex except;               ///< the object that stands for null

  bool is_view() const { return !rule->views.empty(); }
  bool is_part() const { return rule->kind == CollectionKind::part; }
  /// Whether objects beside the collection and its array must be read for the size.
  bool size_leads_on() const;
  /// The path to the array or first node; nullptr if there is none.
  const BoundPath* target() const { return array ? &*array : chain ? &*chain : nullptr; }
};

/// The nodes of chains: which fields lead on, and which says that a node counts.
struct NodePlan {
  FieldPlace next;
  FieldPlace value;
};

/// Rules bound to the classes of a dump.
class CollectionPlans {
 public:
  CollectionPlans(const HeapIndex& index, std::vector<CollectionRule> rules);

  const std::vector<CollectionPlan>& plans() const { return plans_; }
  /// The plan for objects of a type; nullptr when they are no collections.
  const CollectionPlan* of(std::uint32_t type) const {
    return slots_[type] < 0 ? nullptr : &plans_[static_cast<std::size_t>(slots_[type])];
  }
  /// Objects that only hold collections together: collections, entries, object arrays.
  bool is_structure(std::uint32_t type) const { return structure_[type]; }
  bool is_entry(std::uint32_t type) const { return entries_[type]; }
  const NodePlan* node(std::uint32_t type) const { return nodes_[type] ? &*nodes_[type] : nullptr; }

 private:
  void bind_type(std::uint32_t type);
  void mark_entry(std::uint32_t type);
  bool bind(const CollectionRule& rule, std::size_t depth, CollectionPlan& plan);
  bool bind_path(const FieldPath& path, std::optional<BoundPath>& out);
  bool bind_size(const CollectionRule& rule, CollectionPlan& plan);
  const FieldPlace* field(std::string_view name);
  bool has(std::string_view name);
  struct ClassRules {
    std::vector<const CollectionRule*> collections;  ///< in the order of the file
    const CollectionRule* entries = nullptr;         ///< one with a chain before others
  };
  const ClassRules& rules_for(ClassIndex class_index);

  const HeapIndex& index_;
  FieldTable fields_;
  std::vector<CollectionRule> rules_;
  std::unordered_map<std::uint32_t, ClassRules> by_class_;
  std::vector<std::int32_t> slots_;  ///< by type, −1: none
  std::vector<bool> structure_;
  std::vector<bool> entries_;
  std::vector<std::optional<NodePlan>> nodes_;
  std::vector<CollectionPlan> plans_;
  std::vector<ClassIndex> chain_;  ///< of the class that is being bound
  std::size_t depth_ = 0;          ///< of the rule's class in it
};

}  // namespace hprof
