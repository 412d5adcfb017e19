#pragma once

#include "formats/report/references.h"
#include "tests/support/hprof_builder.h"

#include <cstddef>

namespace hprof::test {

/// The classes of java.lang.ref as a heap has them.
struct ReferenceClasses {
  explicit ReferenceClasses(HeapBuilder& builder)
      : reference(builder.add_class(
            {.name = "java.lang.ref.Reference", .fields = {{"referent"}, {"queue"}, {"next"}}})),
        soft(builder.add_class({.name = "java.lang.ref.SoftReference", .super = reference})),
        weak(builder.add_class({.name = "java.lang.ref.WeakReference", .super = reference})),
        final(builder.add_class({.name = "java.lang.ref.FinalReference", .super = reference})),
        phantom(builder.add_class({.name = "java.lang.ref.PhantomReference", .super = reference})) {
  }

  Id of(Strength strength) const {
    const Id ids[] = {0, soft, weak, final, phantom};
    return ids[static_cast<std::size_t>(strength)];
  }

  Id reference;
  Id soft;
  Id weak;
  Id final;
  Id phantom;
};

}  // namespace hprof::test
