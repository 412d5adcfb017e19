#include "tools/hprof-report/references/reference_types.h"

#include "formats/class_chain.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace hprof {
namespace {

constexpr std::array<std::pair<std::string_view, Strength>, 5> kBases{{
    {"java.lang.ref.SoftReference", Strength::soft},
    {"java.lang.ref.WeakReference", Strength::weak},
    {"java.lang.ref.FinalReference", Strength::final},
    {"java.lang.ref.FinalizerReference", Strength::final},  // Android
    {"java.lang.ref.PhantomReference", Strength::phantom},
}};

Strength strength_of(const HeapIndex& index, ClassIndex class_index) {
  for (const ClassIndex link : class_chain(index, class_index)) {
    const auto name = index.class_name(link);
    const auto* const base = std::find_if(kBases.begin(), kBases.end(),
                                          [&](const auto& pair) { return pair.first == name; });
    if (base != kBases.end()) {
      return base->second;
    }
  }
  return Strength::strong;
}

}  // namespace

ReferenceTypes::ReferenceTypes(const HeapIndex& index) {
  for (std::uint32_t row = 0; row < index.classes.size(); ++row) {
    by_class_.push_back(strength_of(index, ClassIndex(row)));
  }
  for (const auto& type : index.types) {
    by_type_.push_back(type.kind == RecordKind::instance ? by_class_[type.class_index.value()]
                                                         : Strength::strong);
  }
}

}  // namespace hprof
