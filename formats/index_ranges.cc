// An index that was read may hold any row numbers; each is held against its table once, so that
// users need not.
#include "formats/index_tables.h"

#include <algorithm>

namespace hprof {
namespace {

class RangeCheck {
 public:
  explicit RangeCheck(const HeapIndex& index) : index_(index) {}

  bool summary() const {
    const auto& summary = index_.summary;
    return class_or_none(summary.string_class) && is_class(summary.java_lang_class) &&
           is_class(summary.class_loader_class) && is_width(summary.identifier_size) &&
           is_width(summary.reference_size) && summary.object_alignment != 0;
  }
  bool classes() const {
    return all(index_.classes, [this](const ClassInfo& row) { return holds(row); });
  }
  bool types() const {
    return all(index_.types, [this](const TypeInfo& row) {
      return is_class(row.class_index) && is_kind(row.kind);
    });
  }
  bool spacings() const {
    return all(index_.spacings, [this](const Spacing& row) {
      return row.kind == RecordKind::instance ? is_class(row.class_index)
                                              : row.class_index.is_none();
    });
  }
  bool heaps() const {
    return all(index_.heaps, [this](const HeapInfo& row) { return name_or_none(row.name); });
  }
  bool roots() const {
    return all(index_.roots, [this](const RootInfo& row) {
      return is_object(row.object) && object_or_none(row.thread);
    });
  }
  bool threads() const {
    return all(index_.threads,
               [this](const ThreadInfo& row) { return object_or_none(row.object); });
  }
  bool frames() const {
    return all(index_.frames, [this](const StackFrame& row) {
      return name_or_none(row.method) && name_or_none(row.signature) &&
             name_or_none(row.source_file) && name_or_none(row.class_name);
    });
  }

 private:
  template <typename Rows, typename Holds>
  static bool all(const Rows& rows, Holds holds) {
    return std::all_of(rows.begin(), rows.end(), holds);
  }

  static bool is_kind(RecordKind kind) {
    return kind <= RecordKind::class_object ||
           (kind >= RecordKind::boolean_array && kind <= RecordKind::long_array);
  }
  static bool is_width(unsigned bytes) { return bytes == 4 || bytes == 8; }
  bool is_object(ObjectIndex row) const { return row.value() < index_.addresses.size(); }
  bool object_or_none(ObjectIndex row) const { return row.is_none() || is_object(row); }
  bool is_class(ClassIndex row) const { return row.value() < index_.classes.size(); }
  bool class_or_none(ClassIndex row) const { return row.is_none() || is_class(row); }
  bool name_or_none(NameIndex row) const {
    return row.is_none() || row.value() < index_.names.size();
  }
  bool holds(const ClassInfo& row) const {
    const auto named = [this](const auto& member) { return name_or_none(member.name); };
    return is_object(row.object) && is_object(row.loader) && class_or_none(row.super_class) &&
           name_or_none(row.name) && all(row.fields, named) && all(row.statics, named);
  }

  const HeapIndex& index_;
};

}  // namespace

const char* out_of_range(const HeapIndex& index) {
  const RangeCheck check(index);
  if (!check.summary()) {
    return "the summary is out of range";
  }
  if (!check.classes() || !check.types() || !check.spacings()) {
    return "a class is out of range";
  }
  if (!check.heaps()) {
    return "a heap's name is out of range";
  }
  if (!check.roots() || !check.threads()) {
    return "a root or thread is out of range";
  }
  return check.frames() ? nullptr : "a stack frame is out of range";
}

}  // namespace hprof
