#pragma once

#include "tools/hprof-report/collections/collection_log.h"
#include "tools/hprof-report/collections/collection_plan.h"
#include "tools/hprof-report/dump/survey.h"

#include <cstdint>

namespace hprof {

/// Notes every collection with what its own record says.
class CollectionSurveyor : public Surveyor {
 public:
  CollectionSurveyor(const CollectionPlans& plans, CollectionLog& log) : plans_(plans), log_(log) {}

  bool wants(std::uint32_t type) override {
    return plans_.of(type) != nullptr || plans_.node(type) != nullptr;
  }
  void on_instance(const ObjectRecord& record) override;

 private:
  void note(const ObjectRecord& record, const CollectionPlan& plan);

  const CollectionPlans& plans_;
  CollectionLog& log_;
};

}  // namespace hprof
