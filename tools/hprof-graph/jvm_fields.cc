// Three small tables hold what no dump says: fields that HotSpot adds to classes of the JDK, fields
// of the JDK that carry @Contended, and classes whose fields JDK 14 and before laid out by hand.
// Which row holds is told by the release, and that by fields that came with it. Checked against
// what the JVM says of itself on JDK 17 and 25, against the distances in dumps of JDK 5 to 11.
// Classes of an application that carry @Contended (it takes a flag of the JVM) come out too small
// by their padding, and jdk.internal.vm.StackChunk is left out: its instances vary in size.
#include "tools/hprof-graph/jvm_fields.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace hprof {
namespace {

/// Applies to a class of the releases from `since` up to but not including `before`, if it declares
/// the field `having` and does not declare `lacking`; "": whatever it declares.
struct Condition {
  std::string_view class_name;
  unsigned since = 0;
  unsigned before = ~0U;
  std::string_view having = {};
  std::string_view lacking = {};
};

struct AddedFields {
  Condition when;
  std::string_view kinds;  ///< p: a native pointer, o: a reference, 1, 2, 4, 8: bytes
};

struct Contended {
  Condition when;
  bool whole;               ///< the class carries the annotation, not only fields
  std::string_view fields;  ///< of the one group, separated by spaces
};

// clang-format off
constexpr std::array kAdded{
    AddedFields{{.class_name = "java.lang.Class", .before = 7}, "ooo"},
    AddedFields{{.class_name = "java.lang.Class", .since = 7, .before = 8}, "ooo44"},
    AddedFields{{.class_name = "java.lang.Class", .since = 8}, "pp44o"},
    AddedFields{{.class_name = "java.lang.Class", .since = 8, .lacking = "protectionDomain"}, "oo"},
    AddedFields{{.class_name = "java.lang.Class", .since = 19, .having = "primitive"}, "2"},
    AddedFields{{.class_name = "java.lang.ClassLoader", .since = 8}, "p"},
    AddedFields{{.class_name = "java.lang.InternalError", .since = 15}, "1"},
    AddedFields{{.class_name = "java.lang.Module", .since = 9}, "p"},
    AddedFields{{.class_name = "java.lang.StackFrameInfo", .since = 9}, "2"},
    AddedFields{{.class_name = "java.lang.Thread", .since = 19}, "p412"},
    AddedFields{{.class_name = "java.lang.VirtualThread", .having = "onWaitingList"}, "p"},
    AddedFields{{.class_name = "java.lang.invoke.CallSite", .since = 19, .lacking = "context"}, "p8"},
    AddedFields{{.class_name = "java.lang.invoke.MemberName", .since = 8}, "p"},
    AddedFields{{.class_name = "java.lang.invoke.MemberName", .since = 8, .lacking = "method"}, "po"},
    AddedFields{{.class_name = "java.lang.invoke.MethodHandleNatives$CallSiteContext"}, "p"},
    AddedFields{{.class_name = "java.lang.invoke.MethodHandleNatives$CallSiteContext", .since = 15}, "8"},
    AddedFields{{.class_name = "java.lang.invoke.ResolvedMethodName"}, "p"},
    AddedFields{{.class_name = "java.lang.invoke.ResolvedMethodName", .lacking = "vmholder"}, "o"},
};

/// The first that applies to a class counts.
constexpr std::array kContended{
    Contended{{.class_name = "java.lang.Thread", .since = 8, .before = 19}, false,
              "threadLocalRandomSeed threadLocalRandomProbe threadLocalRandomSecondarySeed"},
    Contended{{.class_name = "java.util.concurrent.ConcurrentHashMap$CounterCell", .since = 8}, true, ""},
    Contended{{.class_name = "java.util.concurrent.Exchanger$Node", .since = 8}, true, ""},
    Contended{{.class_name = "java.util.concurrent.Exchanger$Slot"}, true, ""},
    Contended{{.class_name = "java.util.concurrent.ForkJoinPool", .having = "stealCounter"}, true, ""},
    Contended{{.class_name = "java.util.concurrent.ForkJoinPool", .since = 9}, false, "ctl parallelism"},
    Contended{{.class_name = "java.util.concurrent.ForkJoinPool$WorkQueue", .having = "qlock"}, true, ""},
    Contended{{.class_name = "java.util.concurrent.ForkJoinPool$WorkQueue", .having = "parking"}, false,
              "top phase stackPred source nsteals parking"},
    Contended{{.class_name = "java.util.concurrent.ForkJoinPool$WorkQueue", .since = 15}, false,
              "top source nsteals"},
    Contended{{.class_name = "java.util.concurrent.SubmissionPublisher$BufferedSubscription"}, true,
              "demand waiting"},
    Contended{{.class_name = "java.util.concurrent.atomic.Striped64$Cell"}, true, ""},
};
// clang-format on

constexpr std::array<std::string_view, 16> kLaidByHand{
    "java.lang.AssertionStatusDirectives",
    "java.lang.Boolean",
    "java.lang.Byte",
    "java.lang.Character",
    "java.lang.Class",
    "java.lang.ClassLoader",
    "java.lang.Double",
    "java.lang.Float",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Short",
    "java.lang.StackTraceElement",
    "java.lang.String",
    "java.lang.Throwable",
    "java.lang.ref.Reference",
    "java.lang.ref.SoftReference",
};

/// Fields of java.lang.Class with the release that they came with.
constexpr std::array<std::pair<unsigned, std::string_view>, 4> kOfClass{
    {{7, "classValueMap"}, {8, "annotationData"}, {9, "module"}, {15, "classData"}}};

bool declares(const HeapIndex& index, const ClassInfo& info, std::string_view name) {
  return std::any_of(info.fields.begin(), info.fields.end(),
                     [&](const Field& field) { return index.names[field.name] == name; });
}

bool applies(const Condition& when, const HeapIndex& index, const ClassInfo& info,
             unsigned release) {
  return index.names[info.name] == when.class_name && release >= when.since &&
         release < when.before && (when.having.empty() || declares(index, info, when.having)) &&
         (when.lacking.empty() || !declares(index, info, when.lacking));
}

void add_kind(FieldCounts& counts, char kind, std::uint32_t word) {
  if (kind == 'o') {
    ++counts.references;
    return;
  }
  const std::uint32_t width = kind == 'p' ? word : static_cast<std::uint32_t>(kind - '0');
  ++counts.primitives.at(static_cast<std::size_t>(std::countr_zero(width)));
}

bool lists(std::string_view words, std::string_view word) {
  const std::size_t at = words.find(word);
  const std::size_t end = at + word.size();
  return !word.empty() && at != std::string_view::npos && (at == 0 || words[at - 1] == ' ') &&
         (end == words.size() || words[end] == ' ');
}

const Contended* contended(const HeapIndex& index, const ClassInfo& info, unsigned release) {
  const auto* const found =
      std::find_if(kContended.begin(), kContended.end(),
                   [&](const Contended& row) { return applies(row.when, index, info, release); });
  return found == kContended.end() ? nullptr : found;
}

}  // namespace

void FieldCounts::add(std::uint8_t basic_type) {
  const unsigned width = primitive_width(basic_type);
  if (width != 0) {
    ++primitives.at(static_cast<std::size_t>(std::countr_zero(width)));
  } else {
    ++references;
  }
}

unsigned jdk_release(const HeapIndex& index) {
  unsigned release = 0;
  const ClassInfo& of_classes = index.classes[index.summary.java_lang_class.value()];
  for (const auto& [came_with, field] : kOfClass) {
    if (declares(index, of_classes, field)) {
      release = came_with;
    }
  }
  const bool has_holder =
      std::any_of(index.classes.begin(), index.classes.end(), [&](const ClassInfo& info) {
        return info.loader.value() == 0 && index.names[info.name] == "java.lang.Thread" &&
               declares(index, info, "holder");
      });
  return has_holder ? 19 : release;
}

JvmFields jvm_fields(const HeapIndex& index, const ClassInfo& info, unsigned release) {
  JvmFields out;
  const std::uint32_t word = index.summary.identifier_size;
  const std::string_view name = index.names[info.name];
  const bool of_jdk = info.loader.value() == 0 && name.starts_with("java.");
  const Contended* const annotation = of_jdk ? contended(index, info, release) : nullptr;
  FieldCounts group;
  for (const auto& field : info.fields) {
    const bool apart = annotation != nullptr && lists(annotation->fields, index.names[field.name]);
    (apart ? group : out.plain).add(field.type);
  }
  if (!group.empty()) {
    out.apart.push_back(group);
  }
  out.padded = annotation != nullptr && annotation->whole;
  for (const auto& row : kAdded) {
    if (of_jdk && applies(row.when, index, info, release)) {
      for (const char kind : row.kinds) {
        add_kind(out.plain, kind, word);
      }
    }
  }
  out.laid_by_hand = of_jdk && std::binary_search(kLaidByHand.begin(), kLaidByHand.end(), name);
  return out;
}

FieldCounts static_fields(const HeapIndex& index, const ClassInfo& info) {
  FieldCounts counts;
  for (const auto& field : info.statics) {
    if (!index.names[field.name].starts_with('<')) {
      counts.add(field.type);
    }
  }
  return counts;
}

}  // namespace hprof
