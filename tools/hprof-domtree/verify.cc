// Works from the two files alone, by other means than the stage: a plain search for reachability,
// sums from the leaves up. No recursion here or in the stage (R7); every size is 64 bits wide (R4).
#include "tools/hprof-domtree/verify.h"

#include "common/big_array.h"
#include "common/bit_vector.h"
#include "common/checked.h"
#include "common/text.h"
#include "formats/domtree_file.h"
#include "formats/reference_graph.h"
#include "tools/hprof-domtree/chunked_stack.h"
#include "tools/hprof-domtree/dominator_order.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace hprof {
namespace {

class Verifier {
 public:
  Verifier(const GraphFile& file, const ReferenceGraph& graph, const std::string& path, bool is_new)
      : file_(file),
        graph_(graph),
        tree_(path),
        is_new_(is_new),
        dominator_(graph.size()),
        retained_(graph.size()) {
    expect(tree_.summary().objects == graph.size(), "R1",
           "it has another number of objects than the graph");
    tree_.for_each_node([&](const DomtreeNode& node) {
      dominator_[node.index] = node.dominator;
      retained_[node.index] = node.retained;
    });
  }

  void run() {
    check_graph();
    check_reachability();
    check_roots();
    check_sums();
    retained_.release();
    check_class_totals();
    check_edges(lay_out_tree());
  }

 private:
  void expect(bool condition, const char* identity, const char* what) const {
    if (!condition) [[unlikely]] {
      fail(is_new_ ? ExitCode::bug : ExitCode::bad_data, printable(tree_.path()), ": identity ",
           identity, " is broken: ", what,
           is_new_ ? "; please report this" : "; run hprof-domtree with --force again");
    }
  }

  /// A graph that contradicts itself is no fault of the tree's.
  void check_graph() const {
    const auto& totals = graph_.totals();
    const bool dangling_add_up =
        totals.dangling_references ==
        checked_add(checked_add(totals.dangling_instance, totals.dangling_array),
                    totals.dangling_class);
    if (!dangling_add_up) {
      throw_unplaced("identity R6 is broken: dangling references do not add up by kind");
    }
    std::uint64_t all_shallow = 0;
    file_.for_each_object(
        [&](const ObjectRow& row) { all_shallow = checked_add(all_shallow, row.shallow); });
    if (all_shallow != totals.all_shallow) {
      throw_unplaced("identity R3 is broken: its objects do not add up to its total");
    }
  }

  bool reachable(std::uint32_t object) const { return dominator_[object] != kUnreachable; }

  void check_reachability() const {
    BitVector seen(graph_.size());
    ChunkedStack<std::uint32_t> todo;
    const auto visit = [&](std::uint32_t object) {
      if (!seen.test_and_set(object)) {
        todo.push(object);
      }
    };
    for (const auto root : graph_.roots()) {
      visit(root);
    }
    while (!todo.empty()) {
      auto edges = graph_.successors(todo.top());
      todo.pop();
      for (std::uint32_t target = 0; edges.next(target);) {
        visit(target);
      }
    }
    for (std::uint32_t object = 0; object < graph_.size(); ++object) {
      expect(seen.test(object) == reachable(object), "R1",
             "the tree's nodes are not the reachable objects");
    }
  }

  void check_roots() const {
    for (const auto root : graph_.roots()) {
      expect(dominator_[root] == kVirtualRoot, "R5", "a GC root is dominated by an object");
    }
  }

  void check_sums() const {
    BigArray<std::uint64_t> below(graph_.size(), 0U);
    std::uint64_t top = 0;
    for (std::uint32_t object = 0; object < graph_.size(); ++object) {
      if (reachable(object)) {
        (dominator_[object] == kVirtualRoot ? top : below[dominator_[object]]) += retained_[object];
      }
    }
    std::uint64_t reachable_shallow = 0;
    std::uint64_t unreachable_shallow = 0;
    file_.for_each_object([&](const ObjectRow& row) {
      if (reachable(row.index)) {
        expect(below[row.index] + row.shallow == retained_[row.index], "R2",
               "a retained size is not the object's own plus its children's");
        reachable_shallow += row.shallow;
      } else {
        unreachable_shallow += row.shallow;
      }
    });
    const auto& summary = tree_.summary();
    expect(top == reachable_shallow && top == summary.reachable_shallow, "R2",
           "the virtual root does not retain all that is reachable");
    expect(unreachable_shallow == summary.unreachable_shallow &&
               reachable_shallow + unreachable_shallow == graph_.totals().all_shallow,
           "R3", "reachable and unreachable bytes do not make up all bytes");
  }

  void check_class_totals() const {
    std::vector<ClassTotal> totals(file_.summary().classes);
    file_.for_each_object([&](const ObjectRow& row) {
      auto& total = totals[file_.types()[row.type].class_index.value()];
      if (reachable(row.index)) {
        ++total.reachable_instances;
        total.reachable_shallow += row.shallow;
        total.largest_shallow = std::max(total.largest_shallow, row.shallow);
      } else {
        ++total.unreachable_instances;
        total.unreachable_shallow += row.shallow;
      }
    });
    expect(totals.size() == tree_.classes().size(), "R3", "a class has no totals");
    std::uint64_t reachable_objects = 0;
    std::uint64_t unreachable_objects = 0;
    for (std::size_t i = 0; i < totals.size(); ++i) {
      totals[i].retained = tree_.classes()[i].retained;
      expect(totals[i] == tree_.classes()[i], "R3", "a class's totals are not its objects'");
      reachable_objects += totals[i].reachable_instances;
      unreachable_objects += totals[i].unreachable_instances;
    }
    const auto& summary = tree_.summary();
    expect(reachable_objects == summary.reachable_objects &&
               unreachable_objects == summary.unreachable_objects &&
               reachable_objects + unreachable_objects == summary.objects,
           "R3", "reachable and unreachable objects do not make up all objects");
  }

  // Takes leaves off until nothing is left; what is taken later gets a lower number, so dominators
  // come first.
  DominatorOrder lay_out_tree() const {
    BigArray<std::uint32_t> children(graph_.size(), 0U);
    for (std::uint32_t object = 0; object < graph_.size(); ++object) {
      if (reachable(object) && dominator_[object] != kVirtualRoot) {
        ++children[dominator_[object]];
      }
    }
    const auto nodes = static_cast<std::uint32_t>(tree_.summary().reachable_objects);
    NumberedTree tree{BigArray<std::uint32_t>(graph_.size(), 0U),
                      BigArray<std::uint32_t>(nodes + std::uint64_t{1}, 0U)};
    std::uint32_t next = nodes;
    for (std::uint32_t leaf = 0; leaf < graph_.size(); ++leaf) {
      std::uint32_t object = leaf;
      while (object != kVirtualRoot && reachable(object) && children[object] == 0 &&
             tree.number_of[object] == 0) {
        tree.number_of[object] = next--;
        object = dominator_[object];
        if (object != kVirtualRoot) {
          --children[object];
        }
      }
    }
    expect(next == 0, "R2", "the dominators form a cycle");
    for (std::uint32_t object = 0; object < graph_.size(); ++object) {
      if (reachable(object)) {
        const std::uint32_t dominator = dominator_[object];
        tree.idom[tree.number_of[object]] =
            dominator == kVirtualRoot ? 0 : tree.number_of[dominator];
      }
    }
    return dominator_order(std::move(tree));
  }

  void check_edges(const DominatorOrder& order) const {
    for (std::uint32_t source = 0; source < graph_.size(); ++source) {
      if (!reachable(source)) {
        continue;
      }
      auto edges = graph_.successors(source);
      for (std::uint32_t target = 0; edges.next(target);) {
        const std::uint32_t dominator = dominator_[target];
        const std::uint32_t top = dominator == kVirtualRoot ? 0 : order.position_of[dominator];
        const std::uint32_t position = order.position_of[source];
        expect(target == source || (top <= position && position < order.end[top]), "R2",
               "a reference leads past the dominator of its target");
      }
    }
  }

  const GraphFile& file_;
  const ReferenceGraph& graph_;
  DomtreeFile tree_;
  bool is_new_;
  BigArray<std::uint32_t> dominator_;
  BigArray<std::uint64_t> retained_;
};

}  // namespace

void verify_domtree(const GraphFile& file, const TreeOptions& options, const std::string& path,
                    bool is_new, Steps& steps) {
  steps.run("verifying", [&](Progress&) {
    const ReferenceGraph graph(file, options.skip_excluded ? ReferenceGraph::Excluded::skip
                                                           : ReferenceGraph::Excluded::follow);
    Verifier(file, graph, path, is_new).run();
  });
}

}  // namespace hprof
