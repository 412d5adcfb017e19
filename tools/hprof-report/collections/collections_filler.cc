#include "tools/hprof-report/collections/collections_filler.h"

#include "formats/report/units.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace hprof {
namespace {

constexpr std::size_t kMostContents = 5;

}  // namespace

CollectionsFiller::CollectionsFiller(const Heap& heap, const RootKinds& roots,
                                     const CollectionOptions& options)
    : heap_(heap),
      roots_(roots),
      options_(options),
      arrays_(heap, options.rows),
      field_table_(heap.index()) {
  const auto path = options.rules.empty() ? installed_collection_rules() : options.rules;
  if (!path.empty()) {
    plans_.emplace(heap.index(), read_collection_rules(path));
    structure_ = BitVector(heap.objects());
  }
}

bool CollectionsFiller::is_storage(std::uint32_t object) const {
  if (storage_.size() != 0) {
    return storage_.test(object);
  }
  const std::uint32_t holder = heap_.dominators()[object];
  return holder < kVirtualRoot && structure_.test(holder);
}

void CollectionsFiller::join(Survey& survey) {
  if (plans_) {
    surveyor_.emplace(*plans_, log_);
    survey.add(*surveyor_);
    arrays_.log_to(log_.arrays, [this](std::uint32_t array) { return is_storage(array); });
  }
  survey.add(arrays_);
}

void CollectionsFiller::end_survey(DumpSource& dump, Progress& progress) {
  if (!plans_) {
    return;
  }
  storage_ = {};
  log_.sort();
  results_.emplace(heap_, *plans_, log_);
  results_->adopt_inner();
  names_.emplace(heap_, roots_);
  sizes_.emplace(*plans_, log_);
  choose_biggest();
  if (options_.by_field) {
    fields_.emplace(heap_, *plans_, log_, roots_, structure_);
    Survey survey(dump,
                  [&](std::uint32_t object) { return heap_.dominators()[object] != kUnreachable; });
    survey.add(*fields_);
    survey.pass_over_others([this](std::uint32_t lowest, std::uint32_t highest) {
      return fields_->needs_any(lowest, highest);
    });
    survey.run(progress);
  }
}

/// By descending retained size, ties by address.
void CollectionsFiller::choose_biggest() {
  const auto bigger = [&](const Big& a, const Big& b) {
    return std::tuple(heap_.retained()[b.object], a.object) <
           std::tuple(heap_.retained()[a.object], b.object);
  };
  for (const auto& record : log_.collections) {
    if (!results_->stands_alone(record) || options_.rows == 0) {
      continue;
    }
    biggest_.push_back({.object = record.object, .holding = {}, .field = {}});
    std::push_heap(biggest_.begin(), biggest_.end(), bigger);
    if (biggest_.size() > options_.rows) {
      std::pop_heap(biggest_.begin(), biggest_.end(), bigger);
      biggest_.pop_back();
    }
  }
  std::sort(biggest_.begin(), biggest_.end(), bigger);
}

void CollectionsFiller::want(RecordFetcher& fetcher) {
  if (!plans_) {
    return;
  }
  sizes_->want(fetcher);
  CollectionHolderFinder finder(heap_, structure_);
  for (std::size_t i = 0; i < biggest_.size(); ++i) {
    biggest_[i].holding = finder.find(biggest_[i].object);
    name_owner(fetcher, i);
  }
}

void CollectionsFiller::name_owner(RecordFetcher& fetcher, std::size_t number) {
  auto& big = biggest_[number];
  big.field = names_->without_record(big.holding);
  if (big.field.empty()) {
    fetcher.want(ObjectIndex(big.holding.holder), [this, number](const ObjectRecord& record) {
      auto& owned = biggest_[number];
      owned.field = names_->from_record(record, owned.holding.first, field_table_);
    });
  }
}

std::vector<CollectionEntries> CollectionsFiller::entries() const {
  std::vector<CollectionEntries> rows;
  for (std::uint32_t type = 0; type < heap_.index().types.size(); ++type) {
    const auto class_index = heap_.type(type).class_index;
    const auto& total = heap_.domtree().classes()[class_index.value()];
    if (plans_->is_entry(type) && total.reachable_instances != 0) {
      rows.push_back({.class_name = heap_.class_name(class_index),
                      .class_address = heap_.class_address(class_index),
                      .objects = total.reachable_instances,
                      .shallow = total.reachable_shallow});
    }
  }
  std::sort(rows.begin(), rows.end(), [](const CollectionEntries& a, const CollectionEntries& b) {
    return std::tie(b.shallow, a.class_address) < std::tie(a.shallow, b.class_address);
  });
  return rows;
}

void CollectionsFiller::fill_biggest(Collections& out) {
  for (const auto& big : biggest_) {
    const auto& record = *log_.find(big.object);
    const auto& plan = plans_->plans()[record.plan];
    const HeapObject object{.index = big.object,
                            .type = plan.type,
                            .shallow = heap_.type(plan.type).base,
                            .retained = heap_.retained()[big.object]};
    const bool held = big.holding.holder != kVirtualRoot;
    out.biggest.push_back(
        {.address = heap_.address(big.object),
         .class_name = heap_.class_name(heap_.class_of(object)),
         .label = heap_.label(object),
         .kind = std::string(kCollectionKindWords[static_cast<std::size_t>(plan.rule->kind)]),
         .size = record.size == CollectionRecord::kUnknown
                     ? std::nullopt
                     : std::optional<std::uint64_t>(record.size),
         .shallow = object.shallow,
         .retained = object.retained,
         .retained_bp = share_bp(object.retained, heap_.used_heap()),
         .owner = {
             .field = big.field,
             .address = held ? std::optional(heap_.address(big.holding.holder)) : std::nullopt,
             .nested = big.holding.first != big.object}});
  }
}

void CollectionsFiller::finish(RecordFetcher& fetcher, Report& report) {
  report.arrays = arrays_.result(true);
  if (!plans_) {
    return;
  }
  sizes_->take();
  while (sizes_->has_more()) {
    sizes_->want(fetcher);
    fetcher.run();
    sizes_->take();
  }
  results_->count_chains();
  results_->measure_storage();
  results_->count();
  auto& out = report.collections.emplace(results_->result());
  out.entries = entries();
  fill_biggest(out);
  if (fields_) {
    out.by_field = fields_->result(*results_, options_.rows, kMostContents);
  }
}

void CollectionsFiller::finish_without_dump(Report& report) const {
  report.arrays = arrays_.result(false);
}

}  // namespace hprof
