// Records come in the order of the file, which in most dumps is that of the objects; where it is
// not, SQLite puts the rows in their places.
#include "tools/hprof-report/export/reference_rows.h"

#include "formats/graph_stream.h"
#include "tools/hprof-report/dump/survey.h"

namespace hprof {
namespace {

/// A reference field of a class with its numbers.
struct ReferenceField {
  FieldPlace place;
  std::uint32_t position;
  std::uint32_t row;
};

class ReferenceRows : public Surveyor {
 public:
  ReferenceRows(const Heap& heap, DumpSource& dump, const FieldRows& fields, SqliteFile& file)
      : heap_(heap),
        dump_(dump),
        fields_(fields),
        rows_(file, "refs", 4),
        id_bytes_(heap.index().summary.identifier_size),
        layouts_(heap.index().types.size()) {}

  std::uint64_t count() const { return count_; }

  bool wants(std::uint32_t type) override {
    const auto kind = heap_.type(type).kind;
    if (kind == RecordKind::instance) {
      layouts_[type] = layout_of(heap_.type(type).class_index);
    }
    return kind == RecordKind::object_array || !layouts_[type].empty();
  }
  bool wants_garbage() override { return true; }

  void on_instance(const ObjectRecord& record) override {
    for (const auto& field : layouts_[record.type()]) {
      const ObjectIndex target = record.reference(field.place);
      if (!target.is_none()) {
        add(record.object(), field.position, target.value(), field.row);
      }
    }
  }

  void on_array(const ObjectRecord& record) override {
    array_ = record.object();
    position_ = 0;
  }

  void on_elements(std::span<const std::uint8_t> ids) override {
    for (std::size_t at = 0; at + id_bytes_ <= ids.size(); at += id_bytes_, ++position_) {
      std::uint64_t id = 0;
      for (const auto byte : ids.subspan(at, id_bytes_)) {
        id = id << 8U | byte;
      }
      const auto target = id == 0 ? ObjectIndex::none() : heap_.index().addresses.index_of(id);
      if (!target.is_none()) {
        add(array_, position_, target.value(), kNoField);
      }
    }
  }

  void add_classes() {
    const auto& classes = heap_.index().classes;
    for (std::uint32_t row = 0; row < classes.size(); ++row) {
      if (classes[row].owns_object) {
        add_class(ClassIndex(row), classes[row]);
      }
    }
  }

  void add_locals() {
    const auto& roots = heap_.index().roots;
    std::unordered_map<std::uint32_t, std::uint32_t> last_local;
    for (const auto& root : roots) {
      if (!root.is_local()) {
        continue;
      }
      const auto [last, is_first] =
          last_local.try_emplace(root.thread.value(), root.object.value());
      if (is_first || last->second != root.object.value()) {
        add(root.thread.value(), kFirstLocal + next_local_++, root.object.value(),
            FieldRows::kLocal);
      }
      last->second = root.object.value();
    }
  }

 private:
  static constexpr std::uint32_t kNoField = 0xffffffffU;
  /// Behind the positions of any record.
  static constexpr std::uint64_t kFirstLocal = std::uint64_t{1} << 32U;

  std::vector<ReferenceField> layout_of(ClassIndex index) {
    std::vector<ReferenceField> layout;
    ClassIndex declared_by = ClassIndex::none();
    std::uint32_t row = 0;
    for (const auto& place : dump_.fields().of(index)) {
      if (place.declared_by != declared_by) {
        declared_by = place.declared_by;
        row = fields_.declared(declared_by);
      }
      if (place.type == kTypeObject) {
        layout.push_back({place, static_cast<std::uint32_t>(layout.size()), row});
      }
      ++row;
    }
    return layout;
  }

  void add_class(ClassIndex index, const ClassInfo& info) {
    const auto& classes = heap_.index().classes;
    std::uint64_t position = 0;
    if (!info.super_class.is_none()) {
      add(info.object.value(), position, classes[info.super_class.value()].object.value(),
          FieldRows::kSuperClass);
    }
    add(info.object.value(), ++position, info.loader.value(), FieldRows::kClassLoader);
    std::uint32_t row = fields_.statics(index);
    for (const auto& field : info.statics) {
      const auto target = field.type == kTypeObject && field.value != 0
                              ? heap_.index().addresses.index_of(field.value)
                              : ObjectIndex::none();
      ++position;
      if (!target.is_none()) {
        add(info.object.value(), position, target.value(), row);
      }
      ++row;
    }
  }

  void add(std::uint32_t source, std::uint64_t position, std::uint32_t target,
           std::uint32_t field) {
    rows_.bind(source).bind(position).bind(target).bind_if(field != kNoField, field).insert();
    ++count_;
  }

  const Heap& heap_;
  DumpSource& dump_;
  const FieldRows& fields_;
  SqliteInsert rows_;
  std::size_t id_bytes_;
  std::vector<std::vector<ReferenceField>> layouts_;  ///< by type
  std::uint32_t array_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t next_local_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace

std::uint64_t write_references(const Heap& heap, SqliteFile& file) {
  SqliteInsert rows(file, "refs", 4);
  std::uint64_t count = 0;
  std::uint64_t position = 0;
  std::uint32_t last = 0xffffffffU;
  for_each_reference(
      heap.graph(), [](std::uint32_t) { return true; },
      [&](std::uint32_t source, std::uint32_t target) {
        position = source == last ? position + 1 : 0;
        last = source;
        rows.bind(source).bind(position).bind(target).bind_null().insert();
        ++count;
      });
  return count;
}

std::uint64_t write_named_references(const Heap& heap, DumpSource& dump, const FieldRows& fields,
                                     SqliteFile& file, Progress& progress) {
  ReferenceRows rows(heap, dump, fields, file);
  Survey survey(dump, [](std::uint32_t) { return true; });
  survey.add(rows);
  survey.run(progress);
  rows.add_classes();
  rows.add_locals();
  return rows.count();
}

}  // namespace hprof
