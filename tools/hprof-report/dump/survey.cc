#include "tools/hprof-report/dump/survey.h"

#include <algorithm>

namespace hprof {
namespace {

/// Passing over stretches is slower than reading on where less than one in so many goes.
constexpr std::uint64_t kStretchesPerSkipped = 4;

}  // namespace

/// Hands each record to those who want its type.
class Survey::Reading : public HprofVisitor {
 public:
  static constexpr bool kWantsReferences = true;
  static constexpr bool kWantsContents = true;

  Reading(DumpSource& dump, const std::function<bool(std::uint32_t)>& is_reachable,
          const std::vector<Surveyor*>& surveyors)
      : dump_(dump), is_reachable_(is_reachable), takers_(dump.index().types.size()) {
    for (std::uint32_t type = 0; type < takers_.size(); ++type) {
      for (auto* const surveyor : surveyors) {
        if (surveyor->wants(type)) {
          add_taker(type, *surveyor);
        }
      }
    }
    if (dump.index().summary.duplicate_ids != 0) {
      note_class_objects();
    }
  }

  bool wants_any() const { return wanted_.any(); }
  /// Whether something of a wanted type can lie from there to the next place.
  bool wants(const RecordPlace& place, const TypeBlocks& types) const {
    return types.any(place.lowest, place.highest, wanted_);
  }
  /// Whether an object's first record must be told from a second one.
  bool ids_repeat() const { return seen_.size() != 0; }
  static bool finished() { return false; }

  void on_instance(std::uint64_t id, std::uint64_t class_id, std::uint32_t trace_serial,
                   std::uint32_t data_bytes, const std::uint8_t* data) {
    if (class_id != last_class_ || last_type_ == U64Map::kNone) {
      last_class_ = class_id;
      last_type_ = dump_.type_ids().instance_type(class_id);
    }
    if (open(id, last_type_, trace_serial, 0)) {
      for (auto* const taker : open_takers_->all) {
        taker->on_instance(record({data, data_bytes}));
      }
    }
  }

  void on_object_array(std::uint64_t id, std::uint64_t class_id, std::uint32_t trace_serial,
                       std::uint32_t elements) {
    array_open_ = open(id, dump_.type_ids().array_type(class_id), trace_serial, elements);
    show_array();
    element_takers_ = array_open_ ? &open_takers_->all : nullptr;
  }

  void on_elements(std::span<const std::uint8_t> ids) { show_elements(ids); }
  void on_object_array_end() { end_array(); }

  void on_primitive_array(std::uint64_t id, std::uint8_t type, std::uint32_t trace_serial,
                          std::uint32_t elements) {
    array_open_ = open(id, dump_.type_ids().primitive_type(type), trace_serial, elements);
    show_array();
    element_takers_ = array_open_ ? &open_takers_->of_contents : nullptr;
    if (!wants_contents()) {
      end_array();
    }
  }

  bool wants_contents() const { return array_open_ && !open_takers_->of_contents.empty(); }
  void on_contents(std::span<const std::uint8_t> elements) { show_elements(elements); }
  void on_contents_end() { end_array(); }

 private:
  struct Takers {
    std::vector<Surveyor*> all;
    std::vector<Surveyor*> of_contents;
  };
  struct TypeTakers {
    Takers of_reachable;
    Takers of_garbage;
  };

  void add_taker(std::uint32_t type, Surveyor& surveyor) {
    const auto add_to = [&](Takers& takers) {
      takers.all.push_back(&surveyor);
      if (surveyor.wants_contents(type)) {
        takers.of_contents.push_back(&surveyor);
      }
    };
    wanted_.set(TypeBlocks::kind_of(type));
    add_to(takers_[type].of_reachable);
    if (surveyor.wants_garbage()) {
      add_to(takers_[type].of_garbage);
    }
  }

  /// An instance record with the id of a class is no object of its own.
  void note_class_objects() {
    seen_ = BitVector(dump_.index().addresses.size());
    for (const auto& info : dump_.index().classes) {
      if (info.owns_object) {
        seen_.set(info.object.value());
      }
    }
  }

  bool open(std::uint64_t id, std::uint32_t type, std::uint32_t trace_serial,
            std::uint64_t elements) {
    const bool may_repeat = ids_repeat();
    if (type == U64Map::kNone || (takers_[type].of_reachable.all.empty() && !may_repeat)) {
      return false;
    }
    const ObjectIndex object = dump_.index().addresses.index_of(id);
    if (object.is_none() || (may_repeat && seen_.test_and_set(object.value())) ||
        takers_[type].of_reachable.all.empty()) {
      return false;
    }
    const bool reachable = is_reachable_(object.value());
    open_takers_ = reachable ? &takers_[type].of_reachable : &takers_[type].of_garbage;
    if (open_takers_->all.empty()) {
      return false;
    }
    head_ = {
        .object = object.value(), .type = type, .trace_serial = trace_serial, .elements = elements};
    return true;
  }

  ObjectRecord record(std::span<const std::uint8_t> bytes) {
    return {dump_.index(), dump_.fields(), head_, bytes};
  }

  void show_array() {
    if (array_open_) {
      for (auto* const taker : open_takers_->all) {
        taker->on_array(record({}));
      }
    }
  }

  void show_elements(std::span<const std::uint8_t> elements) {
    if (element_takers_ != nullptr) {
      for (auto* const taker : *element_takers_) {
        taker->on_elements(elements);
      }
    }
  }

  void end_array() {
    if (array_open_) {
      for (auto* const taker : open_takers_->all) {
        taker->on_array_end();
      }
    }
    array_open_ = false;
    element_takers_ = nullptr;
  }

  DumpSource& dump_;
  const std::function<bool(std::uint32_t)>& is_reachable_;
  std::vector<TypeTakers> takers_;
  TypeBlocks::Kinds wanted_;
  const Takers* open_takers_ = nullptr;  ///< of the object that was opened last
  BitVector seen_;                       ///< only where ids repeat
  std::uint64_t last_class_ = 0;
  std::uint32_t last_type_ = U64Map::kNone;
  ObjectRecord::Head head_;
  bool array_open_ = false;
  const std::vector<Surveyor*>* element_takers_ = nullptr;
};

/// Whether something from there to the next place can be wanted.
bool Survey::wants(const Reading& reading, const RecordPlace& place) const {
  return (types_ == nullptr || reading.wants(place, *types_)) &&
         (!any_between_ || any_between_(place.lowest, place.highest));
}

bool Survey::pays_to_skip(const Reading& reading) const {
  if ((types_ == nullptr && !any_between_) || reading.ids_repeat()) {
    return false;
  }
  const auto& places = dump_.places().rows;
  const auto skipped = static_cast<std::uint64_t>(std::count_if(
      places.begin(), places.end(), [&](const auto& place) { return !wants(reading, place); }));
  return skipped > places.size() / kStretchesPerSkipped;
}

void Survey::run(Progress& progress) {
  Reading reading(dump_, is_reachable_, surveyors_);
  if (!reading.wants_any()) {
    return;
  }
  if (pays_to_skip(reading)) {
    dump_.read_stretches(reading, [&](const RecordPlace& place) { return wants(reading, place); });
  } else {
    dump_.read_all(reading, progress);
  }
}

}  // namespace hprof
