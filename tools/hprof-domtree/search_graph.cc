// Which class edges may go. An edge to a root decides nothing, so one v → C counts only where the
// class object C is no root. It also decides nothing where v is no root and every referrer u of v
// is itself an instance of C: whatever path leads through v to C passes such a u first and can take
// u → C instead. Taking u's edge away for the same reason moves the argument to a referrer nearer
// to the path's start, which is a root, whose edge stays. Class objects keep theirs, so that
// referrers are exactly the references' sources.
#include "tools/hprof-domtree/search_graph.h"

#include "common/bit_vector.h"
#include "tools/hprof-domtree/joins.h"

#include <array>
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

/// References on their way to being looked at, so that what they lead to can be asked for before.
class ReferenceBatch {
 public:
  struct Reference {
    std::uint32_t target;
    std::uint32_t own_class;  ///< of the referrer
  };

  template <typename LookAt>
  void add(const Reference& reference, const LookAt& look_at) {
    waiting_[count_++] = reference;
    if (count_ == waiting_.size()) {
      flush(look_at);
    }
  }

  template <typename LookAt>
  void flush(const LookAt& look_at) {
    for (std::size_t i = 0; i < count_; ++i) {
      look_at(waiting_[i]);
    }
    count_ = 0;
  }

 private:
  std::array<Reference, 32> waiting_;
  std::size_t count_ = 0;
};

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
  const auto look_at = [&](const ReferenceBatch::Reference& reference) {
    joins.add_edge_to(reference.target);
    const std::uint32_t other = classes[graph_.type_of(reference.target)];
    if (other != reference.own_class && other != kNone) {
      class_edges_.set(reference.target);
    }
  };
  ReferenceBatch batch;
  for (std::uint32_t object = 0; object < graph_.size(); ++object) {
    const std::uint32_t own = classes[graph_.type_of(object)];
    auto references = graph_.references(object);
    for (std::uint32_t target = 0; references.next(target);) {
      joins.prefetch(target);
      graph_.prefetch_type(target);
      batch.add({.target = target, .own_class = own}, look_at);
    }
  }
  batch.flush(look_at);
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
