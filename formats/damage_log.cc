#include "formats/damage_log.h"

#include "formats/record_looks.h"

namespace hprof {

bool DamageLog::is_last_guess(std::uint64_t position) const {
  const auto& fixes = found_.lengths;
  return !fixes.empty() && fixes.back().position == position &&
         fixes.back().kind != DamageKind::none;
}

void DamageLog::take_back_other_dump(std::uint64_t bytes) {
  told_too_much_ = true;
  found_.other_dumps -= bytes;
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
  if (!is_told && (!packing.empty() || missing_)) {
    const bool is_packing = !packing.empty();
    found_.add_row({.kind = is_packing ? DamageKind::packing : DamageKind::cut,
                    .position = end,
                    .resume = end,
                    .what = is_packing ? packing : cut_text("HEAP_DUMP_SEGMENT", *missing_)});
  }
}

}  // namespace hprof
