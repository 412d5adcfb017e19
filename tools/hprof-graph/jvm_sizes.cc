// HotSpot's rules. Since JDK 15 a class puts its fields, widest first and references last, into the
// gaps of its super classes before it appends; before that each class began behind its super class,
// rounded up to the width of a reference, and could only fill the gap before its own first wide
// field. Groups of @Contended fields have 128 bytes around them and keep their gaps, and nothing of
// a subclass goes between.
#include "tools/hprof-graph/jvm_sizes.h"

#include "common/checked.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint64_t kContendedPadding = 128;

enum class Visit : std::uint8_t { fresh, begun, done };

/// The classes from `row` up that are not placed yet, the topmost last; cuts a circle.
std::vector<ClassIndex> unplaced_chain(const HeapIndex& index, ClassIndex row,
                                       std::vector<Visit>& visits,
                                       std::vector<ClassIndex>& parents) {
  std::vector<ClassIndex> chain;
  while (!row.is_none() && visits[row.value()] == Visit::fresh) {
    visits[row.value()] = Visit::begun;
    chain.push_back(row);
    row = index.classes[row.value()].super_class;
  }
  if (!chain.empty() && !row.is_none() && visits[row.value()] == Visit::done) {
    parents[chain.back().value()] = row;
  }
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    parents[chain[i].value()] = chain[i + 1];
  }
  return chain;
}

}  // namespace

ClassFields::ClassFields(const HeapIndex& index) : parents(index.classes.size()) {
  std::vector<Visit> visits(index.classes.size(), Visit::fresh);
  const unsigned release = jdk_release(index);
  for (std::uint32_t row = 0; row < index.classes.size(); ++row) {
    own.push_back(jvm_fields(index, index.classes[row], release));
    const auto chain = unplaced_chain(index, ClassIndex(row), visits, parents);
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
      visits[at->value()] = Visit::done;
      order.push_back(*at);
    }
  }
}

JvmSizes::JvmSizes(const ClassFields& fields, const JvmLayout& layout)
    : layout_(layout), instance_bytes_(fields.own.size()) {
  std::vector<FieldSpace> spaces(fields.own.size(), FieldSpace(layout.header));
  std::vector<bool> contended(fields.own.size());
  for (const ClassIndex row : fields.order) {
    const JvmFields& own = fields.own[row.value()];
    const ClassIndex parent = fields.parents[row.value()];
    const bool parent_contended = !parent.is_none() && contended[parent.value()];
    auto& space = spaces[row.value()];
    space = with_own(parent.is_none() ? FieldSpace(layout.header) : spaces[parent.value()], own,
                     parent_contended);
    contended[row.value()] = parent_contended || own.contended();
    instance_bytes_[row.value()] = align_up(space.end(), layout.alignment);
  }
}

FieldSpace JvmSizes::with_own(FieldSpace space, const JvmFields& own, bool parent_contended) const {
  if (layout_.packing == FieldPacking::stacked) {
    space.close(layout_.reference);
  } else if (parent_contended) {
    space.close(layout_.word);
  }
  if (own.padded) {
    space.pad(kContendedPadding);
  }
  if (own.laid_by_hand && layout_.packing == FieldPacking::stacked) {
    put_references_first(space, own.plain);
  } else if (own.padded || parent_contended) {
    append(space, own.plain);
  } else {
    put(space, own.plain);
  }
  for (const auto& group : own.apart) {
    space.pad(kContendedPadding);
    append(space, group);
  }
  if (own.contended()) {
    space.pad(kContendedPadding);
  }
  return space;
}

void JvmSizes::put(FieldSpace& space, const FieldCounts& fields) const {
  for (std::size_t i = fields.primitives.size(); i-- != 0;) {
    space.put(1U << i, fields.primitives.at(i));
  }
  space.put(layout_.reference, fields.references);
}

void JvmSizes::append(FieldSpace& space, const FieldCounts& fields) const {
  for (std::size_t i = fields.primitives.size(); i-- != 0;) {
    space.append(1U << i, fields.primitives.at(i));
  }
  space.append(layout_.reference, fields.references);
}

void JvmSizes::put_references_first(FieldSpace& space, const FieldCounts& fields) const {
  space.put(layout_.reference, fields.references);
  if (layout_.packing == FieldPacking::stacked && fields.primitives.back() != 0) {
    space.close(8);
  }
  for (std::size_t i = fields.primitives.size(); i-- != 0;) {
    space.put(1U << i, fields.primitives.at(i));
  }
}

std::uint64_t JvmSizes::array_base(std::uint32_t width) const {
  return width == 8 ? align_up(layout_.array_base, 8) : layout_.array_base;
}

std::uint64_t JvmSizes::static_bytes(const FieldCounts& statics, std::uint64_t begin) const {
  FieldSpace space(begin);
  put_references_first(space, statics);
  return space.end() - begin;
}

}  // namespace hprof
