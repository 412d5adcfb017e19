#include "formats/record_bytes.h"

#include <algorithm>

namespace hprof {

const LengthFix* RecordLengths::fix_at(std::uint64_t position) const {
  if (fixes == nullptr || fixes->empty()) {
    return nullptr;
  }
  const auto found = std::lower_bound(
      fixes->begin(), fixes->end(), position,
      [](const LengthFix& fix, std::uint64_t wanted) { return fix.position < wanted; });
  return found != fixes->end() && found->position == position ? &*found : nullptr;
}

void RecordBytes::damaged(std::uint64_t position, const std::string& where, const std::string& what,
                          Unreadable why) const {
  const bool in_heap_record = record_.is_heap() && sub_start_ > record_.start;
  throw DamagedRecord(concat(name_, ": byte ", hex_address(position), " (", where, "): ", what,
                             "; the dump is damaged or was cut, copy or take it again"),
                      {.start = in_heap_record ? sub_start_ : record_.start,
                       .record_start = record_.start,
                       .record_end = record_.end,
                       .in_heap_record = in_heap_record,
                       .why = why,
                       .beyond_file = record_.beyond_file,
                       .sub_tag = sub_tag_,
                       .micros = record_.micros,
                       .what = where + ": " + what});
}

void RecordBytes::refuse_record() {
  record_.start = input_.position();
  record_.end = 0;
  record_.tag = 0;
  damaged(record_.start, "record header", "no record begins here");
}

void RecordBytes::open_record() {
  constexpr std::size_t kHeaderBytes = 9;
  record_.start = input_.position();
  record_.end = 0;
  const std::uint8_t* header = input_.peek(kHeaderBytes);
  if (header == nullptr) {
    damaged(record_.start, "record header", "the file ends inside this record", Unreadable::at_end);
  }
  record_.tag = header[0];
  record_.micros = load_big_endian<std::uint32_t>(header + 1);
  record_.left = load_big_endian<std::uint32_t>(header + 5);
  input_.advance(kHeaderBytes);
  const auto* fix = lengths_.fix_at(record_.start);
  record_.dump = fix != nullptr ? fix->dump : BelongsTo::as_it_looks;
  record_.beyond_file = fix != nullptr && fix->kind == DamageKind::cut;
  if (fix != nullptr) {
    record_.left = fix->length;
    record_.tag = fix->is_end() ? tag::kHeapDumpEnd : record_.tag;
  } else if (record_.tag == tag::kHeapDump) {
    undo_wrapped_length();
  }
  record_.end = input_.position() + record_.left;
  check_fits();
}

/// A HEAP_DUMP beyond 4 GiB has lost the high bits of its length; it runs to the end of the file.
void RecordBytes::undo_wrapped_length() {
  const std::uint64_t available =
      lengths_.file_bytes > input_.position() ? lengths_.file_bytes - input_.position() : 0;
  if (available > record_.left && ((available - record_.left) & 0xffffffffU) == 0) {
    record_.left = available;
  }
}

void RecordBytes::check_fits() const {
  const std::uint64_t available = lengths_.file_bytes - input_.position();
  if (lengths_.file_bytes != 0 && record_.left > available) {
    damaged(record_.start, tag_name(record_.tag),
            concat("says it is ", format_count(record_.left, "byte", "bytes"), " long where ",
                   format_count(available, "is", "are"), " left; the file ends inside this record"),
            Unreadable::at_end);
  }
}

}  // namespace hprof
