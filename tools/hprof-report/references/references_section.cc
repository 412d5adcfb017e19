#include "tools/hprof-report/references/references_section.h"

#include <algorithm>
#include <utility>

namespace hprof {

ReferencesSection::ReferencesSection(const Heap& heap, std::size_t rows)
    : heap_(heap), rows_(rows), types_(heap.index()) {}

void ReferencesSection::solve() {
  finder_->solve();
  column_ = finder_->take_column();
  self_held_.emplace(heap_, column_, rows_);
}

void ReferencesSection::join(Survey& survey, DumpSource& dump) {
  surveys_.emplace(heap_, dump, types_);
  survey.add(surveys_->finalizers);
  survey.add(surveys_->buffers);
  survey.add(surveys_->thread_locals);
}

void ReferencesSection::ask(RecordFetcher& fetcher, DumpSource& dump) {
  auto& teller = surveys_->teller.emplace(heap_, dump, fetcher);
  surveys_->finalizers.want_queue(fetcher);
  surveys_->buffers.want_totals(fetcher);
  surveys_->thread_locals.sum_up(teller, rows_);
  self_held_->name(teller);
}

BitVector ReferencesSection::start_tally() {
  BitVector weakly_held(heap_.objects());
  for (std::uint32_t object = 0; object < heap_.objects(); ++object) {
    if (column_.strength(object) != Strength::strong &&
        heap_.dominators()[object] != kUnreachable) {
      weakly_held.set(object);
    }
  }
  tally_.emplace(heap_, std::move(column_),
                 surveys_ ? surveys_->finalizers.waiting() : std::vector<std::uint32_t>());
  return weakly_held;
}

std::vector<ReferenceKind> ReferencesSection::kinds() const {
  std::vector<ReferenceKind> out;
  for (std::size_t i = 1; i < kStrengths; ++i) {
    ReferenceKind kind;
    kind.strength = static_cast<Strength>(i);
    tally_->fill_kind(kind, rows_);
    out.push_back(std::move(kind));
  }
  for (const auto& row : classes()) {
    auto& kind = out[static_cast<std::size_t>(row.strength) - 1];
    kind.instances += row.instances;
    kind.cleared += row.cleared;
  }
  return out;
}

std::vector<ReferenceClass> ReferencesSection::classes() const {
  std::vector<ReferenceClass> out;
  const auto& types = heap_.index().types;
  for (std::uint32_t type = 0; type < types.size(); ++type) {
    const auto index = types[type].class_index;
    const auto& total = heap_.domtree().classes()[index.value()];
    if (types_.is_reference(type) && total.reachable_instances != 0) {
      out.push_back({.class_name = heap_.class_name(index),
                     .class_address = heap_.class_address(index),
                     .strength = types_.of(type),
                     .instances = total.reachable_instances,
                     .shallow = total.reachable_shallow,
                     .cleared = total.reachable_instances - finder_->with_referent()[type]});
    }
  }
  std::sort(out.begin(), out.end(), [](const ReferenceClass& a, const ReferenceClass& b) {
    return a.instances != b.instances ? a.instances > b.instances
                                      : a.class_address < b.class_address;
  });
  return out;
}

References ReferencesSection::result() {
  References out{.reachability = tally_->reachability(rows_),
                 .kinds = kinds(),
                 .classes = classes(),
                 .self_held = self_held_->result(),
                 .finalizers = {},
                 .direct_buffers = {},
                 .thread_locals = {}};
  if (surveys_) {
    out.finalizers = surveys_->finalizers.result();
    tally_->fill_waiting(*out.finalizers, rows_);
    out.direct_buffers = surveys_->buffers.result(rows_);
    out.thread_locals = surveys_->thread_locals.result();
  }
  tally_.reset();
  return out;
}

}  // namespace hprof
