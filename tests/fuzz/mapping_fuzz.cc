// Any bytes as a mapping file of R8 or ProGuard: the names of a small heap are mapped, or the file
// is refused with a sentence.
#include "common/error.h"
#include "tests/fuzz/stages.h"
#include "tools/hprof-report/android/name_mapper.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using namespace hprof;

NameIndex added(HeapIndex& index, const std::string& name) {
  return index.names.add(name);
}

/// Classes a.a, a.b[] and a.b with fields a, b and c, and a frame in one of them.
HeapIndex small_heap() {
  HeapIndex index;
  for (const std::string name : {"a.a", "a.b[]", "a.b", "B"}) {
    ClassInfo info{};
    info.name = added(index, name);
    for (const std::string field : {"a", "b", "y"}) {
      info.fields.push_back({.name = added(index, field), .type = kTypeObject});
    }
    info.statics.push_back({.name = added(index, "c"), .type = kTypeObject, .value = 0});
    index.classes.push_back(info);
  }
  index.frames.emplace_back();
  index.frames.back().class_name = index.classes.front().name;
  return index;
}

void check_names(const HeapIndex& index) {
  for (const auto& info : index.classes) {
    if (info.name.value() >= index.names.size() ||
        info.fields.front().name.value() >= index.names.size()) {
      __builtin_trap();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const test::FuzzedStages stages;
  stages.write("mapping", {data, size});
  HeapIndex index = small_heap();
  try {
    map_names(index, stages.path("mapping"));
  } catch (const Error& error) {
    if (error.code() == ExitCode::bug || *error.what() == '\0') {
      __builtin_trap();
    }
  }
  check_names(index);
  return 0;
}
