#include "tools/hprof-report/paths/path_query.h"

#include "common/text.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace hprof {
namespace {

constexpr std::size_t kMostStarts = 10;

std::optional<std::uint64_t> read_address(const std::string& text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data() + 2, end, value, 16);
  return result.ec == std::errc() && result.ptr == end ? std::optional(value) : std::nullopt;
}

std::uint64_t sum_of(const std::vector<Start>& starts) {
  std::uint64_t sum = 0;
  for (const auto& start : starts) {
    sum += start.instances;
  }
  return sum;
}

}  // namespace

PathQuery::PathQuery(Heap& heap, const std::string& to, DumpSource* dump, std::size_t most_steps)
    : heap_(heap),
      caveats_(caveats_of(heap)),
      roots_(heap.index().roots),
      most_steps_(most_steps),
      book_(most_steps),
      describer_(heap, roots_, dump) {
  if (to.starts_with("0x")) {
    const auto address = read_address(to);
    if (!address) {
      fail(ExitCode::usage, "--to: ", printable(to), " is no address; write it like 0x7f3a10");
    }
    find_object(*address, to);
  } else {
    find_classes(to);
  }
}

void PathQuery::find_object(std::uint64_t address, const std::string& to) {
  const ObjectIndex object = heap_.index().addresses.index_of(address);
  if (object.is_none()) {
    fail(ExitCode::usage, "--to: the dump has no object at ", printable(to));
  }
  Target target;
  target.out.kind = PathTargetKind::object;
  target.out.address = {address};
  target.largest = object.value();
  targets_.push_back(std::move(target));
}

void PathQuery::find_classes(const std::string& name) {
  for (std::uint32_t row = 0; row < heap_.index().classes.size(); ++row) {
    if (heap_.class_name(ClassIndex(row)) == name) {
      Target target;
      target.out.kind = PathTargetKind::class_instances;
      target.out.label = name;
      target.out.address = heap_.class_address(ClassIndex(row));
      targets_.push_back(std::move(target));
    }
  }
  if (targets_.empty()) {
    fail(ExitCode::usage, "--to: the dump has no class ", printable(name),
         "; write its full Java name, such as java.util.HashMap$Node[], or an address with 0x");
  }
}

std::vector<PathTarget> PathQuery::answer(Steps& steps) {
  steps.run("objects", [&](Progress&) { collect(); });
  steps.run("paths", [&](Progress&) { search(); });
  steps.run("names", [&](Progress&) { read_objects(); });
  std::vector<PathTarget> out;
  out.reserve(targets_.size());
  for (const auto& target : targets_) {
    out.push_back(result(target));
  }
  return out;
}

void PathQuery::collect(Target& target, const HeapObject& object) const {
  const bool wanted = target.out.kind == PathTargetKind::object
                          ? target.largest == object.index
                          : heap_.class_address(heap_.class_of(object)) == target.out.address;
  if (!wanted) {
    return;
  }
  ++(object.reachable() ? target.out.reachable : target.out.unreachable);
  target.out.retained += object.retained;
  if (object.reachable()) {
    target.instances.push_back({object.index, object.retained});
  }
}

/// Of an unreachable object: those that hold it, or where only strong references count a path that
/// has others.
void PathQuery::look_for_holders(Target& target) {
  target.garbage = {target.largest};
  if (caveats_.strong_only()) {
    book_.want(target.largest);
  }
  unreachable_ = BitVector(heap_.objects());
  for (std::uint32_t object = 0; object < heap_.objects(); ++object) {
    if (heap_.dominators()[object] == kUnreachable) {
      unreachable_.set(object);
    }
  }
}

void PathQuery::collect() {
  heap_.load_tree();
  heap_.for_each_object([&](const HeapObject& object) {
    heap_.note_loader(object);
    for (auto& target : targets_) {
      collect(target, object);
    }
  });
  for (auto& target : targets_) {
    const auto largest = std::max_element(
        target.instances.begin(), target.instances.end(),
        [](const Instance& a, const Instance& b) { return a.retained < b.retained; });
    if (largest != target.instances.end()) {
      target.largest = largest->object;
      book_.want(target.largest);
    } else if (target.out.kind == PathTargetKind::object) {
      look_for_holders(target);
    }
  }
  heap_.release_dominators();
  heap_.release_retained();
}

void PathQuery::search() {
  search_with(ReferenceGraph::Excluded::skip);
  const bool lonely = std::any_of(targets_.begin(), targets_.end(),
                                  [](const Target& target) { return target.garbage.size() == 1; });
  if (lonely || !book_.missing().empty()) {
    search_with(ReferenceGraph::Excluded::follow);
  }
}

void PathQuery::search_with(ReferenceGraph::Excluded excluded) {
  const ReferenceGraph graph(heap_.graph(), excluded);
  for (auto& target : targets_) {
    if (target.garbage.size() == 1) {
      search_garbage(graph, target);
    }
  }
  std::vector<std::uint32_t> objects;
  for (const auto& target : targets_) {
    if (!target.garbage.empty() && caveats_.strong_only()) {
      objects.push_back(target.largest);
    }
    for (const auto& instance : target.instances) {
      objects.push_back(instance.object);
    }
  }
  if (objects.empty()) {
    return;
  }
  const ShortestPaths paths(graph, objects);
  for (auto& target : targets_) {
    if (target.out.kind == PathTargetKind::class_instances && target.starts.empty()) {
      target.common = merge_paths(paths, heap_.objects(), target.instances);
      target.starts = starts_of(paths, heap_.objects(), target.instances);
      target.out.weakly_held = excluded == ReferenceGraph::Excluded::follow
                                   ? target.instances.size()
                                   : target.instances.size() - sum_of(target.starts);
    }
  }
  book_.take(paths, excluded == ReferenceGraph::Excluded::follow);
}

/// Goes up from an unreachable object to the lowest object that references it, as long as there is
/// another; each step is a look at all references.
void PathQuery::search_garbage(const ReferenceGraph& graph, Target& target) const {
  auto& chain = target.garbage;
  const auto referrer = [&]() -> std::optional<std::uint32_t> {
    for (std::uint32_t object = 0; object < graph.size(); ++object) {
      if (!unreachable_.test(object) ||
          std::find(chain.begin(), chain.end(), object) != chain.end()) {
        continue;
      }
      auto cursor = graph.references(object);
      std::uint32_t reference = 0;
      while (cursor.next(reference)) {
        if (reference == chain.back()) {
          return object;
        }
      }
    }
    return std::nullopt;
  };
  while (chain.size() < most_steps_) {
    const auto next = referrer();
    if (!next) {
      break;
    }
    chain.push_back(*next);
  }
  std::reverse(chain.begin(), chain.end());
}

void PathQuery::shorten_starts(Target& target) {
  const auto all = sum_of(target.starts);
  const auto shown = std::min(target.starts.size(), kMostStarts);
  target.out.further_starts = target.starts.size() - shown;
  target.starts.resize(shown);
  target.out.further_start_targets = all - sum_of(target.starts);
}

void PathQuery::read_objects() {
  for (auto& target : targets_) {
    target.common_shown = shortened(target.common.objects, most_steps_);
    describer_.want(target.common_shown);
    describer_.want(shortened(target.garbage, most_steps_));
    shorten_starts(target);
    for (const auto& start : target.starts) {
      describer_.objects().want(start.root);
    }
  }
  for (const auto& [object, path] : book_.paths()) {
    describer_.want(path);
  }
  describer_.objects().sort();
  heap_.load_tree();
  heap_.for_each_object([&](const HeapObject& object) { describer_.objects().see(object); });
  heap_.release_dominators();
  heap_.release_retained();
  describer_.look_up();
}

PathTarget PathQuery::result(const Target& target) const {
  PathTarget out = target.out;
  const bool single = out.kind == PathTargetKind::object;
  if (const auto* const path = book_.find(target.largest)) {
    out.path = describer_.describe(*path);
    auto holders = describer_.holders(*out.path);
    out.holder = std::move(holders.holder);
    out.anchor = std::move(holders.anchor);
    if (!single) {
      out.largest = out.path->steps.back().label;
    }
  }
  if (single) {
    const auto& object = describer_.objects().at(target.largest);
    out.label = heap_.label(object);
    out.loader_label = heap_.loader_label(heap_.defining_loader(object));
  } else {
    const auto object = heap_.index().addresses.index_of(out.address.value);
    for (const auto& info : heap_.index().classes) {
      if (info.object == object) {
        out.loader_label = heap_.loader_label(info.loader);
      }
    }
  }
  for (const auto& start : target.starts) {
    const auto& root = describer_.objects().at(start.root);
    out.starts.push_back({.label = heap_.label(root),
                          .address = heap_.address(start.root),
                          .root_types = roots_.joined(start.root),
                          .targets = start.instances});
  }
  out.common_path = describer_.describe(target.common_shown).steps;
  for (std::size_t i = 0; i < out.common_path.size(); ++i) {
    const auto& shown = target.common_shown;
    const bool before_gap = shown.left_out == 0 || i < shown.left_out_after;
    out.common_path[i].targets = target.common.shared[before_gap ? i : i + shown.left_out];
  }
  out.common_path_left_out = target.common_shown.left_out;
  if (!target.garbage.empty() && !out.path) {
    out.held_by = describer_.describe(shortened(target.garbage, most_steps_)).steps;
    out.held_by.front().reference = caveats_.any() ? "unreachable" : "garbage";
  }
  return out;
}

}  // namespace hprof
