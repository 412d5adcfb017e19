#include "formats/damage_log.h"

#include "common/text.h"
#include "formats/hprof_tags.h"
#include "formats/record_looks.h"

#include <algorithm>
#include <utility>

namespace hprof {
namespace {

/// What is said of a record in which the file ends; `missing`: bytes of its segment behind that.
std::string cut_text(const std::string& record, std::uint64_t missing) {
  return record + ": the file ends inside this record" +
         (missing == 0 ? ""
                       : ", " + format_count(missing, "byte of its segment is missing",
                                             "bytes of its segment are missing"));
}

}  // namespace

bool DamageLog::is_last_guess(std::uint64_t position) const {
  const auto& fixes = found_.lengths;
  return !fixes.empty() && fixes.back().position == position &&
         fixes.back().kind != DamageKind::none;
}

void DamageLog::add_damage(Damage row) {
  auto& rows = found_.rows;
  const auto place = std::lower_bound(
      rows.begin(), rows.end(), row.position,
      [](const Damage& other, std::uint64_t position) { return other.position < position; });
  rows.insert(row.lost() == 0 ? place : rows.end(), std::move(row));
}

/// A row that loses nothing.
void DamageLog::add_remark(DamageKind kind, std::uint64_t position, const std::string& what) {
  add_damage({.kind = kind, .position = position, .resume = position, .what = what});
}

/// What is known of a record already keeps its place among the dumps.
void DamageLog::add_length(const LengthFix& fix) {
  auto& lengths = found_.lengths;
  const auto place = std::lower_bound(
      lengths.begin(), lengths.end(), fix.position,
      [](const LengthFix& other, std::uint64_t position) { return other.position < position; });
  if (place == lengths.end() || place->position != fix.position) {
    lengths.insert(place, fix);
  } else {
    place->length = fix.length;
    place->kind = fix.kind;
  }
}

void DamageLog::add_fix(const LengthFix& fix, std::uint8_t tag) {
  add_length(fix);
  if (fix.kind == DamageKind::length) {
    add_remark(fix.kind, fix.position,
               tag_name(tag) + ": the length in its header is not that of its content");
  }
}

void DamageLog::add_other_kind(std::uint64_t position, std::uint8_t tag) {
  add_remark(DamageKind::garbled, position,
             tag_name(tag) + ": goes on with records of another kind before it");
}

void DamageLog::add_end(std::uint64_t position) {
  add_length({.position = position, .length = 0, .kind = DamageKind::length});
  add_remark(DamageKind::garbled, position, "HEAP_DUMP_END: its header is not right");
}

void DamageLog::correct_cut(const DamagedRecord::Place& place, std::uint64_t end) {
  if (!is_last_guess(place.record_start) || found_.lengths.back().kind != DamageKind::cut) {
    return;
  }
  LengthFix& fix = found_.lengths.back();
  fix.kind = DamageKind::length;
  fix.length = end - fix.position - kRecordHeaderBytes;
  missing_.reset();
}

void DamageLog::describe_end(Damage& damage, const std::string& packing,
                             std::uint8_t sub_tag) const {
  if (!packing.empty()) {
    damage.kind = DamageKind::packing;
    damage.what = packing;
  } else if (missing_ && damage.kind == DamageKind::garbled) {
    damage.kind = DamageKind::cut;
    damage.what = cut_text(sub_tag_name(sub_tag), *missing_);
  }
}

void DamageLog::add_broken(const DamagedRecord::Place& place, const Damage& damage, bool is_cut) {
  if (damage.lost() != 0 && damage.kind != DamageKind::zeros && !is_full()) {
    broken_.push_back({.begin = place.record_start + kRecordHeaderBytes,
                       .failed = damage.position,
                       .end = damage.resume,
                       .is_cut = is_cut,
                       .what = place.what});
  }
}

void DamageLog::note_heap_record(std::uint64_t start, std::uint64_t end) {
  if (!broken_.empty() && broken_.back().end == start) {
    broken_.back().next_end = end;
  }
}

void DamageLog::finish(std::uint64_t end, const std::string& packing) {
  found_.bytes = end;
  const bool is_told = !found_.rows.empty() && found_.rows.back().resume == end;
  if (is_told) {
    return;
  }
  if (!packing.empty()) {
    add_remark(DamageKind::packing, end, packing);
  } else if (missing_) {
    add_remark(DamageKind::cut, end, cut_text("HEAP_DUMP_SEGMENT", *missing_));
  }
}

}  // namespace hprof
