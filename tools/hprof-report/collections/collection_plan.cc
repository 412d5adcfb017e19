// A class takes the first rule that fits it, else the first that fits its super class, and so on. A
// rule fits when the class has the fields that it names: the same class had others in other
// versions of its library.
#include "tools/hprof-report/collections/collection_plan.h"

#include "formats/class_chain.h"

#include <algorithm>

namespace hprof {
namespace {

/// Records count plans in 16 bits.
constexpr std::size_t kMostPlans = 0xffff;

bool names(const std::vector<std::string>& patterns, std::string_view class_name) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return matches_class(pattern, class_name);
  });
}

}  // namespace

bool CollectionPlan::size_leads_on() const {
  return std::any_of(terms.begin(), terms.end(),
                     [](const BoundTerm& term) { return term.path && term.path->leads_on(); });
}

CollectionPlans::CollectionPlans(const HeapIndex& index, std::vector<CollectionRule> rules)
    : index_(index),
      fields_(index),
      rules_(std::move(rules)),
      slots_(index.types.size(), -1),
      structure_(index.types.size()),
      entries_(index.types.size()),
      nodes_(index.types.size()) {
  for (std::uint32_t type = 0; type < index.types.size(); ++type) {
    if (index.types[type].kind == RecordKind::instance) {
      chain_ = class_chain(index, index.types[type].class_index);
      bind_type(type);
      mark_entry(type);
    }
    structure_[type] =
        slots_[type] >= 0 || entries_[type] || index.types[type].kind == RecordKind::object_array;
  }
}

void CollectionPlans::bind_type(std::uint32_t type) {
  for (std::size_t depth = 0; depth < chain_.size(); ++depth) {
    for (const auto* const rule : rules_for(chain_[depth]).collections) {
      CollectionPlan plan;
      plan.type = type;
      if (plans_.size() < kMostPlans && bind(*rule, depth, plan)) {
        slots_[type] = static_cast<std::int32_t>(plans_.size());
        plans_.push_back(std::move(plan));
        return;
      }
    }
  }
}

void CollectionPlans::mark_entry(std::uint32_t type) {
  for (const ClassIndex link : chain_) {
    const auto* const rule = rules_for(link).entries;
    if (rule == nullptr) {
      continue;
    }
    entries_[type] = true;
    depth_ = chain_.size();
    const auto* const next = field(rule->chain.next);
    const auto* const value = field(rule->chain.value);
    if (!rule->chain.first.steps.empty() && next != nullptr && value != nullptr) {
      nodes_[type] = NodePlan{.next = *next, .value = *value};
    }
    return;
  }
}

const CollectionPlans::ClassRules& CollectionPlans::rules_for(ClassIndex class_index) {
  const auto [entry, is_new] = by_class_.try_emplace(class_index.value());
  if (is_new) {
    const auto name = index_.class_name(class_index);
    for (const auto& rule : rules_) {
      if (names(rule.classes, name)) {
        entry->second.collections.push_back(&rule);
      }
      auto& known = entry->second.entries;
      if (names(rule.entries, name) && (known == nullptr || !rule.chain.first.steps.empty())) {
        known = &rule;
      }
    }
  }
  return entry->second;
}

bool CollectionPlans::bind(const CollectionRule& rule, std::size_t depth, CollectionPlan& plan) {
  depth_ = depth;
  plan.rule = &rule;
  if (!std::all_of(rule.has.begin(), rule.has.end(), [&](const auto& name) { return has(name); })) {
    return false;
  }
  if (!bind_path(rule.array, plan.array) || !bind_path(rule.chain.first, plan.chain)) {
    return false;
  }
  for (const auto& name : rule.more_arrays) {
    if (const auto* const place = field(name)) {
      plan.more_arrays.push_back(*place);
    }
  }
  const std::string& other = rule.owns.empty() ? rule.views : rule.owns;
  if (!other.empty()) {
    const auto* const place = field(other);
    if (place == nullptr) {
      return false;
    }
    plan.other = *place;
  }
  return bind_size(rule, plan);
}

/// False: the class has no such first field. A path without steps is none.
bool CollectionPlans::bind_path(const FieldPath& path, std::optional<BoundPath>& out) {
  if (path.steps.empty()) {
    return true;
  }
  const auto* const first = field(path.steps.front().name);
  if (first != nullptr) {
    out = BoundPath{.first = *first, .path = &path};
  }
  return first != nullptr;
}

bool CollectionPlans::bind_size(const CollectionRule& rule, CollectionPlan& plan) {
  for (const auto& term : rule.size.terms) {
    BoundTerm bound{.negative = term.negative, .number = term.number, .path = {}};
    if (!bind_path(term.path, bound.path)) {
      return false;
    }
    plan.terms.push_back(bound);
  }
  for (const auto& name : rule.size.fields) {
    const auto* const place = field(name);
    if (place == nullptr) {
      return false;
    }
    plan.fields.push_back(*place);
  }
  const auto owner = rule.size.except_class.empty() ? ClassIndex::none()
                                                    : find_class(index_, rule.size.except_class);
  const auto* const except =
      owner.is_none() ? nullptr : find_static(index_, owner, rule.size.except_field);
  if (except != nullptr && except->type == kTypeObject && except->value != 0) {
    plan.except = index_.addresses.index_of(except->value);
  }
  return true;
}

/// A field of the rule's class or what it inherits; where there is none, of a subclass (the rules
/// for abstract bases name fields of these).
const FieldPlace* CollectionPlans::field(std::string_view name) {
  const auto& fields = fields_.of(chain_.front());
  const FieldPlace* found = nullptr;
  for (const auto& place : fields) {
    if (index_.names[place.name] != name) {
      continue;
    }
    const auto at = std::find(chain_.begin(), chain_.end(), place.declared_by) - chain_.begin();
    if (static_cast<std::size_t>(at) >= depth_) {
      return &place;
    }
    found = found == nullptr ? &place : found;
  }
  return found;
}

bool CollectionPlans::has(std::string_view name) {
  return field(name) != nullptr ||
         std::any_of(chain_.begin() + static_cast<std::ptrdiff_t>(depth_), chain_.end(),
                     [&](ClassIndex link) { return find_static(index_, link, name) != nullptr; });
}

}  // namespace hprof
