#include "tools/hprof-report/collections/collection_holders.h"

#include "formats/report/readable_text.h"

#include <algorithm>
#include <vector>

namespace hprof {

CollectionHolding CollectionHolderFinder::find(std::uint32_t object) {
  const auto& dominators = heap_.dominators();
  std::vector<std::uint32_t> passed;
  std::uint32_t first = object;
  CollectionHolding found;
  while (true) {
    const std::uint32_t above = dominators[first];
    if (above == kVirtualRoot || !structure_.test(above)) {
      found = {.holder = above, .first = first};
      break;
    }
    first = above;
    if (first % kRemembered == 0) {
      const auto known = known_.find(first);
      if (known != known_.end()) {
        found = known->second;
        break;
      }
      passed.push_back(first);
    }
  }
  for (const auto structure : passed) {
    known_.emplace(structure, found);
  }
  return found;
}

CollectionHolderNames::CollectionHolderNames(const Heap& heap, const RootKinds& roots)
    : heap_(heap), roots_(roots) {
  const auto& objects = heap.graph().summary().class_objects;
  for (std::uint32_t row = 0; row < objects.size(); ++row) {
    if (heap.index().classes[row].owns_object) {
      class_objects_.emplace(objects[row], ClassIndex(row));
    }
  }
}

std::string CollectionHolderNames::without_record(const CollectionHolding& holding) const {
  if (holding.holder == kVirtualRoot) {
    const auto kinds = roots_.joined(holding.first);
    return kinds.empty() ? "(several holders)" : "(GC root: " + kinds + ")";
  }
  const auto found = class_objects_.find(holding.holder);
  return found == class_objects_.end() ? "" : static_field(found->second, holding.first);
}

std::string CollectionHolderNames::static_field(ClassIndex class_index, std::uint32_t first) const {
  const std::string owner = "class " + heap_.class_name(class_index);
  const auto address = heap_.address(first).value;
  for (const auto& field : heap_.index().classes[class_index.value()].statics) {
    if (field.type == kTypeObject && field.value == address) {
      return owner + "." + readable_text(heap_.index().names[field.name]);
    }
  }
  return owner + " (several paths)";
}

bool CollectionHolderNames::is_local(std::uint32_t thread, std::uint32_t object) const {
  const auto& roots = heap_.index().roots;
  RootInfo wanted;
  wanted.object = ObjectIndex(object);
  for (auto root =
           std::lower_bound(roots.begin(), roots.end(), wanted,
                            [](const RootInfo&a, const RootInfo&b) { return a.object < b.object; });
       root != roots.end() && root->object == ObjectIndex(object); ++root) {
    if (root->thread == ObjectIndex(thread)) {
      return true;
    }
  }
  return false;
}

std::string CollectionHolderNames::from_record(const ObjectRecord& record, std::uint32_t first,
                                               FieldTable& fields) const {
  const std::string& owner = heap_.class_name(record.class_index());
  for (const auto& field : fields.of(record.class_index())) {
    if (field.type == kTypeObject && record.reference(field) == ObjectIndex(first)) {
      return owner + "#" + readable_text(heap_.index().names[field.name]);
    }
  }
  return owner + (is_local(record.object(), first) ? " (local variable)" : " (several paths)");
}

}  // namespace hprof
