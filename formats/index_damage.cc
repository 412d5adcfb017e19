// What is wrong with a dump, as a chunk of X.index.
#include "common/error.h"
#include "formats/index_tables.h"

namespace hprof {

void write_damage(schema::DamageChunk::Builder out, const DumpDamage& damage) {
  auto rows = out.initRows(static_cast<unsigned>(damage.rows.size()));
  for (unsigned i = 0; i < rows.size(); ++i) {
    const auto& row = damage.rows[i];
    rows[i].setKind(static_cast<std::uint8_t>(row.kind));
    rows[i].setPosition(row.position);
    rows[i].setResume(row.resume);
    rows[i].setWhat(row.what);
    rows[i].setHeapLeft(row.heap_left);
  }
  auto lengths = out.initLengths(static_cast<unsigned>(damage.lengths.size()));
  for (unsigned i = 0; i < lengths.size(); ++i) {
    lengths[i].setPosition(damage.lengths[i].position);
    lengths[i].setLength(damage.lengths[i].length);
    lengths[i].setKind(static_cast<std::uint8_t>(damage.lengths[i].kind));
    lengths[i].setContinues(damage.lengths[i].dump == BelongsTo::last_dump);
    lengths[i].setBegins(damage.lengths[i].dump == BelongsTo::new_dump);
  }
  out.setBytes(damage.bytes);
  out.setOtherDumps(damage.other_dumps);
  auto parts = out.initParts(static_cast<unsigned>(damage.parts.size()));
  for (unsigned i = 0; i < parts.size(); ++i) {
    parts[i].setSuffix(damage.parts[i].suffix);
    parts[i].setBytes(damage.parts[i].bytes);
    parts[i].setLeftOver(damage.parts[i].left_over);
  }
}

void read_damage(schema::DamageChunk::Reader in, DumpDamage& damage) {
  const auto kind = [](std::uint8_t value) {
    if (value >= kDamageWords.size()) {
      throw_unplaced("an unknown kind of damage");
    }
    return static_cast<DamageKind>(value);
  };
  for (const auto row : in.getRows()) {
    damage.rows.push_back({.kind = kind(row.getKind()),
                           .position = row.getPosition(),
                           .resume = row.getResume(),
                           .what = row.getWhat(),
                           .heap_left = row.getHeapLeft()});
    const auto& rows = damage.rows;
    if (rows.back().resume < rows.back().position ||
        (rows.size() > 1 && rows.back().position < rows[rows.size() - 2].resume)) {
      throw_unplaced("rows of damage are out of order");
    }
  }
  for (const auto fix : in.getLengths()) {
    damage.lengths.push_back({.position = fix.getPosition(),
                              .length = fix.getLength(),
                              .kind = kind(fix.getKind()),
                              .dump = fix.getBegins()      ? BelongsTo::new_dump
                                      : fix.getContinues() ? BelongsTo::last_dump
                                                           : BelongsTo::as_it_looks});
  }
  damage.bytes = in.getBytes();
  damage.other_dumps = in.getOtherDumps();
  for (const auto part : in.getParts()) {
    damage.parts.push_back({.suffix = part.getSuffix().cStr(),
                            .bytes = part.getBytes(),
                            .left_over = part.getLeftOver()});
  }
}

}  // namespace hprof
