// Which class edges may go. An edge to a root decides nothing, so one v → C counts only where the
// class object C is no root. It also decides nothing where v is no root and every referrer u of v
// is itself an instance of C: whatever path leads through v to C passes such a u first and can take
// u → C instead. Taking u's edge away for the same reason moves the argument to a referrer nearer
// to the path's start, which is a root, whose edge stays. Class objects keep theirs, so that
// referrers are exactly the references' sources.
#include "tools/hprof-domtree/search_graph.h"

#include "common/bit_vector.h"
#include "tools/hprof-domtree/joins.h"

#include <utility>

namespace hprof {
namespace {

constexpr std::uint32_t kNone = 0xffffffffU;

/// Per type its class object, kNone where that is a root.
std::vector<std::uint32_t> classes_that_count(const ReferenceGraph& graph) {
  BitVector is_root(graph.size());
  for (const auto root : graph.roots()) {
    is_root.set(root);
  }
  std::vector<std::uint32_t> classes;
  for (const auto& type : graph.types()) {
    const std::uint32_t class_object = type.class_object.value();
    classes.push_back(is_root.test(class_object) ? kNone : class_object);
  }
  return classes;
}

}  // namespace

SearchGraph::SearchGraph(ReferenceGraph graph, std::span<const std::uint32_t> class_objects)
    : graph_(std::move(graph)), class_edges_(graph_.size()) {
  look_through(class_objects);
  keep_class_edges();
  graph_.release_types();
}

void SearchGraph::look_through(std::span<const std::uint32_t> class_objects) {
  const auto classes = classes_that_count(graph_);
  JoinCounter joins(graph_.size());
  for (std::uint32_t object = 0; object < graph_.size(); ++object) {
    const std::uint32_t own = classes[graph_.type_of(object)];
    auto references = graph_.references(object);
    for (std::uint32_t target = 0; references.next(target);) {
      joins.add_edge_to(target);
      const std::uint32_t other = classes[graph_.type_of(target)];
      if (other != own && other != kNone) {
        class_edges_.set(target);
      }
    }
  }
  for (const auto object : class_objects) {
    joins.add_join(object);
    if (classes[graph_.type_of(object)] != kNone) {
      class_edges_.set(object);
    }
  }
  for (const auto object : graph_.roots()) {
    joins.add_join(object);
    if (classes[graph_.type_of(object)] != kNone) {
      class_edges_.set(object);
    }
  }
  joins_ = joins.take();
  class_edges_.finish();
}

void SearchGraph::keep_class_edges() {
  class_edge_types_ = NarrowColumn(class_edges_.count(), graph_.types().size());
  std::uint64_t kept = 0;
  for (std::uint32_t object = 0; kept < class_edges_.count(); ++object) {
    if (class_edges_.test(object)) {
      class_edge_types_.set(kept++, graph_.type_of(object));
    }
  }
}

}  // namespace hprof
