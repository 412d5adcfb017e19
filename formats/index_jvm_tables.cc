// Tables that only some dumps have: what a JVM's layout is inferred from, Android's heaps.
#include "common/error.h"
#include "formats/frame_file.h"
#include "formats/index_tables.h"

#include <vector>

namespace hprof {
namespace {

void require(bool condition, const char* what) {
  if (!condition) {
    throw_unplaced(what);
  }
}

}  // namespace

void write_spacings(schema::SpacingChunk::Builder out, std::span<const Spacing> rows) {
  const auto count = static_cast<unsigned>(rows.size());
  auto kinds = out.initKind(count);
  auto classes = out.initClassIndex(count);
  auto widths = out.initWidth(count);
  auto least = out.initLeast(count);
  auto seen = out.initSeen(count);
  for (unsigned i = 0; i < count; ++i) {
    kinds[i] = static_cast<std::uint8_t>(rows[i].kind);
    classes.set(i, rows[i].class_index.value());
    widths[i] = static_cast<std::uint8_t>(rows[i].width);
    least.set(i, rows[i].least);
    seen.set(i, rows[i].seen);
  }
}

void read_spacings(schema::SpacingChunk::Reader in, std::vector<Spacing>& rows) {
  const auto kinds = in.getKind();
  const auto class_indices = in.getClassIndex();
  const auto widths = in.getWidth();
  const auto least = in.getLeast();
  const auto seen = in.getSeen();
  require(class_indices.size() == kinds.size() && widths.size() == kinds.size() &&
              least.size() == kinds.size() && seen.size() == kinds.size(),
          "uneven spacing columns");
  for (unsigned i = 0; i < kinds.size(); ++i) {
    rows.push_back({.kind = static_cast<RecordKind>(kinds[i]),
                    .class_index = ClassIndex(class_indices[i]),
                    .width = widths[i],
                    .least = least[i],
                    .seen = seen[i]});
  }
}

void write_heaps(schema::HeapChunk::Builder out, std::span<const HeapInfo> rows) {
  const auto count = static_cast<unsigned>(rows.size());
  auto ids = out.initId(count);
  auto names = out.initName(count);
  for (unsigned i = 0; i < count; ++i) {
    ids.set(i, rows[i].id);
    names.set(i, rows[i].name.value());
  }
}

void read_heaps(schema::HeapChunk::Reader in, std::vector<HeapInfo>& rows) {
  const auto ids = in.getId();
  const auto names = in.getName();
  require(ids.size() == names.size() && rows.size() + ids.size() <= kMostHeaps,
          "uneven heap columns");
  for (unsigned i = 0; i < ids.size(); ++i) {
    rows.push_back({.id = ids[i], .name = NameIndex(names[i])});
  }
}

}  // namespace hprof
