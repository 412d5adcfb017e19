// An array passes by before or after its String, so that the first reading tells which arrays are
// text and how to read them.
#include "tools/hprof-report/export/text_rows.h"

#include "common/bit_vector.h"
#include "tools/hprof-report/dump/java_text.h"
#include "tools/hprof-report/dump/survey.h"

#include <algorithm>

namespace hprof {
namespace {

struct TextArrays {
  explicit TextArrays(std::uint64_t objects) : is_text(objects), is_utf16(objects) {}
  BitVector is_text;
  BitVector is_utf16;
};

class StringRows : public Surveyor {
 public:
  StringRows(DumpSource& dump, SqliteFile& file, TextArrays& arrays)
      : index_(dump.index()), rows_(file, "string_arrays", 4), arrays_(arrays) {}

  bool wants(std::uint32_t type) override {
    return index_.types[type].kind == RecordKind::instance &&
           index_.types[type].class_index == index_.summary.string_class;
  }
  bool wants_garbage() override { return true; }

  void on_instance(const ObjectRecord& record) override {
    const ObjectIndex array = record.reference("value");
    if (array.is_none()) {
      return;
    }
    arrays_.is_text.set(array.value());
    if (record.number("coder").value_or(0) != 0) {
      arrays_.is_utf16.set(array.value());
    }
    const auto first = record.number("offset");
    const auto count = record.number("count");
    const bool slice = first && count && *first >= 0 && *count >= 0;
    rows_.bind(record.object()).bind(array.value());
    rows_.bind_if(slice, static_cast<std::uint64_t>(first.value_or(0)));
    rows_.bind_if(slice, static_cast<std::uint64_t>(count.value_or(0))).insert();
  }

 private:
  const HeapIndex& index_;
  SqliteInsert rows_;
  TextArrays& arrays_;
};

class TextRows : public Surveyor {
 public:
  TextRows(DumpSource& dump, SqliteFile& file, const TextArrays& arrays)
      : index_(dump.index()), rows_(file, "texts", 3), arrays_(arrays) {}

  bool wants(std::uint32_t type) override {
    const auto kind = index_.types[type].kind;
    return kind == RecordKind::byte_array || kind == RecordKind::char_array;
  }
  bool wants_contents(std::uint32_t /*type*/) override { return true; }
  bool wants_garbage() override { return true; }

  void on_array(const ObjectRecord& record) override {
    array_ = record.object();
    kind_ = record.kind();
    length_ = record.elements();
    open_ = arrays_.is_text.test(array_);
    bytes_.clear();
  }

  void on_elements(std::span<const std::uint8_t> elements) override {
    if (open_) {
      const auto room = 2 * kMostTextCharacters - bytes_.size();
      const auto part = elements.first(std::min<std::size_t>(room, elements.size()));
      bytes_.insert(bytes_.end(), part.begin(), part.end());
    }
  }

  void on_array_end() override {
    if (!open_) {
      return;
    }
    const auto text = decode_text(
        bytes_, kind_, length_,
        {.offset = 0, .count = 0, .whole = true, .latin1 = !arrays_.is_utf16.test(array_)});
    rows_.bind(array_).bind(text.utf8).bind(text.characters).insert();
  }

 private:
  const HeapIndex& index_;
  SqliteInsert rows_;
  const TextArrays& arrays_;
  std::vector<std::uint8_t> bytes_;
  std::uint32_t array_ = 0;
  RecordKind kind_ = RecordKind::byte_array;
  std::uint64_t length_ = 0;
  bool open_ = false;
};

void read_with(DumpSource& dump, Surveyor& surveyor, Progress& progress) {
  Survey survey(dump, [](std::uint32_t) { return true; });
  survey.add(surveyor);
  survey.run(progress);
}

}  // namespace

void write_texts(const Heap& heap, DumpSource& dump, SqliteFile& file, Progress& progress) {
  TextArrays arrays(heap.objects());
  {
    StringRows strings(dump, file, arrays);
    read_with(dump, strings, progress);
  }
  TextRows texts(dump, file, arrays);
  read_with(dump, texts, progress);
}

}  // namespace hprof
