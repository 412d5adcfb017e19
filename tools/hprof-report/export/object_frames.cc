#include "tools/hprof-report/export/object_frames.h"

#include <map>

namespace hprof {

ObjectFrames::ObjectFrames(const Heap& heap) : heap_(heap), names_{"(other)"} {
  std::map<std::string, std::uint32_t> numbers{{names_[0], kOther}};
  const auto number_of = [&](const std::string& name) {
    const auto [entry, is_new] =
        numbers.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (is_new) {
      names_.push_back(name);
    }
    return entry->second;
  };
  for (std::uint32_t row = 0; row < heap.index().classes.size(); ++row) {
    const auto& name = heap.class_name(ClassIndex(row));
    of_class_.push_back(number_of(name == names_[0] ? "class (other)" : name));
    of_class_object_.push_back(number_of("class " + name));
  }
}

}  // namespace hprof
