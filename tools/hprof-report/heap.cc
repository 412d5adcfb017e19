#include "tools/hprof-report/heap.h"

#include "common/text.h"
#include "formats/class_chain.h"
#include "formats/report/readable_text.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::string_view kClassLoader = "java.lang.ClassLoader";
constexpr char kBootLoaderLabel[] = "<system class loader>";

using Pair = std::pair<std::uint32_t, ClassIndex>;

/// The pair of `object` in an ascending list, nullptr if there is none.
const Pair* find_object(const std::vector<Pair>& pairs, std::uint32_t object) {
  const auto found =
      std::lower_bound(pairs.begin(), pairs.end(), object,
                       [](const Pair& pair, std::uint32_t wanted) { return pair.first < wanted; });
  return found != pairs.end() && found->first == object ? &*found : nullptr;
}

/// "byte[][]" with 17 elements → "byte[17][]".
std::string with_length(const std::string& array_class, std::uint64_t length) {
  const auto bracket = array_class.find("[]");
  return bracket == std::string::npos
             ? array_class
             : array_class.substr(0, bracket + 1) + std::to_string(length) +
                   array_class.substr(bracket + 1);
}

}  // namespace

Heap::Heap(HeapFiles files) : files_(std::move(files)) {
  for (const auto& info : index().classes) {
    class_names_.push_back(readable_text(index().names[info.name]));
  }
  const auto& objects = graph().summary().class_objects;
  for (std::uint32_t row = 0; row < objects.size(); ++row) {
    if (index().classes[row].owns_object) {
      class_objects_.emplace_back(objects[row], ClassIndex(row));
    }
  }
  std::sort(class_objects_.begin(), class_objects_.end());
  find_loader_classes();
  find_named_loaders();
}

/// A class is a loader class when its super chain meets java.lang.ClassLoader. A chain ends where
/// an earlier one came by, so every class is looked at once; a broken dump's cycle ends there, too.
void Heap::find_loader_classes() {
  const auto& classes = index().classes;
  is_loader_class_.resize(classes.size());
  std::vector<bool> known(classes.size());
  for (std::size_t row = 0; row < classes.size(); ++row) {
    auto chain = class_chain(index(), ClassIndex(static_cast<std::uint32_t>(row)),
                             [&](ClassIndex link) { return known[link.value()]; });
    bool is_loader = false;
    std::reverse(chain.begin(), chain.end());
    for (const auto link : chain) {
      is_loader =
          is_loader || is_loader_class_[link.value()] || index().class_name(link) == kClassLoader;
      is_loader_class_[link.value()] = is_loader;
      known[link.value()] = true;
    }
  }
}

void Heap::find_named_loaders() {
  auto& objects = named_loaders_;
  for (const auto& info : index().classes) {
    objects.push_back(info.loader.value());
  }
  std::sort(objects.begin(), objects.end());
  objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
}

void Heap::load_dominators() {
  dominators_ = BigArray<std::uint32_t>(objects());
  domtree().for_each_node(
      [this](const DomtreeNode& node) { dominators_[node.index] = node.dominator; });
}

void Heap::load_retained() {
  retained_ = RetainedColumn(domtree().summary());
  domtree().for_each_node([this](const DomtreeNode& node) { retained_.add(node); });
}

void Heap::load_tree() {
  dominators_ = BigArray<std::uint32_t>(objects());
  retained_ = RetainedColumn(domtree().summary());
  domtree().for_each_node([this](const DomtreeNode& node) {
    dominators_[node.index] = node.dominator;
    retained_.add(node);
  });
}

ClassIndex Heap::class_represented_by(std::uint32_t object) const {
  const auto* found = find_object(class_objects_, object);
  return found == nullptr ? ClassIndex::none() : found->second;
}

ObjectIndex Heap::defining_loader(const HeapObject& object) const {
  const auto stands_for = represented(object);
  return index().classes[(stands_for.is_none() ? class_of(object) : stands_for).value()].loader;
}

ObjectIndex Heap::loader_of(const HeapObject& object) const {
  const bool is_loader =
      is_loader_class(class_of(object)) && type(object.type).kind == RecordKind::instance;
  return is_loader ? ObjectIndex(object.index) : defining_loader(object);
}

std::string Heap::loader_class_name(ObjectIndex loader) const {
  const auto* found = find_object(loaders_, loader.value());
  return found == nullptr ? "class loader" : class_name(found->second);
}

std::string Heap::loader_label(ObjectIndex loader) const {
  return loader.value() == 0
             ? kBootLoaderLabel
             : loader_class_name(loader) + " @ " + hex_address(address(loader.value()).value);
}

std::string Heap::label(const HeapObject& object) const {
  const std::string at = " @ " + hex_address(address(object.index).value);
  const auto stands_for = represented(object);
  if (object.index == 0) {
    return kBootLoaderLabel;
  }
  if (!stands_for.is_none()) {
    return "class " + class_name(stands_for) + at;
  }
  const auto kind = type(object.type).kind;
  const std::string& name = class_name(class_of(object));
  return (kind == RecordKind::instance ? name : with_length(name, object.length)) + at;
}

ObjectRef Heap::reference(const HeapObject& object) const {
  return {.address = address(object.index),
          .class_name = class_name(class_of(object)),
          .label = label(object),
          .shallow = object.shallow,
          .retained = object.retained};
}

std::vector<HeapObject> Heap::describe(const std::vector<std::uint32_t>& objects) const {
  std::vector<HeapObject> out(objects.size());
  std::size_t next = 0;
  graph().for_each_object([&](const ObjectRow& row) {
    if (next < objects.size() && objects[next] == row.index) {
      out[next++] = {
          .index = row.index, .type = row.type, .length = row.length, .shallow = row.shallow};
    }
  });
  next = 0;
  domtree().for_each_node([&](const DomtreeNode& node) {
    if (next < objects.size() && objects[next] == node.index) {
      out[next].dominator = node.dominator;
      out[next++].retained = node.retained;
    }
  });
  return out;
}

}  // namespace hprof
