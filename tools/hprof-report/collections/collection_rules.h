#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// What a class of collections is for whoever reads the report; a part is no collection of its own
/// but holds storage of one (a segment of a map).
enum class CollectionKind { list, queue, deque, map, set, bag, multimap, part };

inline constexpr std::string_view kCollectionKindWords[] = {"list", "queue", "deque",    "map",
                                                            "set",  "bag",   "multimap", "part"};

/// Fields from object to object; where `each` is set a step leads on to all elements of the array
/// in its field.
struct FieldPath {
  struct Step {
    std::string name;
    bool each = false;
  };
  std::vector<Step> steps;
};

/// A part of a sum: a number, or the numbers that a path leads to.
struct SizeTerm {
  bool negative = false;
  std::uint64_t number = 0;
  FieldPath path = {};  ///< without steps: the number
};

/// How the number of elements is found.
enum class SizeForm {
  none,       ///< it cannot be, or it is that of the collection behind a field
  sum,        ///< a sum of terms
  slots,      ///< length of the array, by slots per entry
  used,       ///< slots of the array that are not null, by slots per entry
  ring,       ///< distance of two indices in a circular array
  bits,       ///< bits that are set in a field
  fields_set  ///< references that are neither null nor the object in a static field
};

struct SizeRule {
  SizeForm form = SizeForm::none;
  std::vector<SizeTerm> terms = {};
  std::vector<std::string> fields = {};  ///< of ring, bits, fields_set
  std::string except_class = {};         ///< static field whose object counts as null
  std::string except_field = {};
};

/// Nodes that lead to one another; those with a value are elements.
struct ChainRule {
  FieldPath first;   ///< from the collection
  std::string next;  ///< fields of a node
  std::string value;
};

/// The smallest array that would do for the elements of a collection.
struct FitRule {
  enum class Kind {
    exact,   ///< one slot per element, and `spare` more
    fixed,   ///< always as it is, but for nothing where there is no element
    bounded  ///< always as it is, it is so on purpose
  };
  Kind kind = Kind::exact;
  std::uint64_t spare = 0;
  std::uint64_t least = 0;
  std::uint64_t load_part = 1;   ///< elements per …
  std::uint64_t load_whole = 1;  ///< … places, where a place has the slots of an entry
  bool strict = false;           ///< the load must stay below, not only within
  bool power_of_two = false;

  /// Slots for `elements` of `slots_per_entry` each; no more than 2^62.
  std::uint64_t needed(std::uint64_t elements, std::uint64_t slots_per_entry) const;
};

/// How collections of a class, and of its subclasses that have no rule of their own, are read.
struct CollectionRule {
  std::vector<std::string> classes;  ///< Java names; one '*' stands for any characters
  CollectionKind kind = CollectionKind::list;
  std::vector<std::string> has;  ///< fields without which the rule is for another version
  SizeRule size;
  ChainRule chain;
  FieldPath array;                       ///< to the array with the elements
  std::vector<std::string> more_arrays;  ///< fields with arrays that grow with it, where they exist
  std::string owns;   ///< field with the collection that keeps the elements for this one alone
  std::string views;  ///< field with the collection that this one only wraps
  std::uint64_t slots_per_entry = 1;
  bool buckets = false;  ///< a slot is the head of a chain of entries
  FitRule fit;
  std::vector<std::string> entries;  ///< classes of the objects between array and elements
};

/// Reads a rule file. Error(no_input) when it cannot be read, Error(bad_data) with the place when
/// it is not as share/hprof-stages/README.md says.
std::vector<CollectionRule> read_collection_rules(const std::string& path);
/// The same from text; `file` is for messages.
std::vector<CollectionRule> parse_collection_rules(std::string_view text, const std::string& file);

/// The rule file that comes with the program: share/hprof-stages/collections.json in one of the
/// folders above the executable; empty when there is none.
std::string installed_collection_rules();

/// Whether `name` is `pattern`, in which one '*' stands for any characters.
bool matches_class(std::string_view pattern, std::string_view name);

}  // namespace hprof
