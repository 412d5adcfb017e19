#pragma once

#include "common/checked.h"
#include "common/varint.h"
#include "domtree.capnp.h"
#include "formats/depth_totals.h"
#include "formats/frame_file.h"
#include "formats/indices.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// See DomtreeSummary in schema/domtree.capnp.
struct DomtreeSummary {
  std::uint64_t objects = 0;
  std::uint32_t size_unit = 1;
  std::uint64_t reachable_objects = 0;
  std::uint64_t reachable_shallow = 0;
  std::uint64_t unreachable_objects = 0;
  std::uint64_t unreachable_shallow = 0;
  std::uint64_t roots = 0;
  DepthTotals depths{};
};

/// See ClassTotalChunk in schema/domtree.capnp; one per class, all in objects or bytes.
struct ClassTotal {
  std::uint64_t reachable_instances = 0;
  std::uint64_t reachable_shallow = 0;
  std::uint64_t largest_shallow = 0;
  std::uint64_t retained = 0;
  std::uint64_t unreachable_instances = 0;
  std::uint64_t unreachable_shallow = 0;

  bool operator==(const ClassTotal&) const = default;
};

/// Dominator of a reachable object that has no object as its dominator.
inline constexpr std::uint32_t kVirtualRoot = 0xfffffffeU;
/// "Dominator" of an unreachable object.
inline constexpr std::uint32_t kUnreachable = 0xffffffffU;

/// A node as the streaming pass shows it.
struct DomtreeNode {
  std::uint32_t index = 0;
  std::uint32_t dominator = kUnreachable;  ///< object index, kVirtualRoot or kUnreachable
  std::uint64_t retained = 0;              ///< bytes; 0 for unreachable objects
  std::uint64_t units = 0;                 ///< the same in units of the file

  bool reachable() const { return dominator != kUnreachable; }
};

/// Writes an X.domtree: summary, class totals, then node by node in index order.
class DomtreeWriter {
 public:
  DomtreeWriter(const std::string& path, const Provenance& provenance,
                const DomtreeSummary& summary, const std::vector<ClassTotal>& classes);
  /// `dominator` is an object index, kVirtualRoot or kUnreachable; `retained` in bytes, a multiple
  /// of the unit.
  void append(std::uint32_t dominator, std::uint64_t retained);
  /// Error(bug) unless as many nodes were appended as the summary says.
  FileIdentity commit();

 private:
  void flush();

  FrameWriter<schema::DomtreeFrame> writer_;
  DomtreeSummary summary_;
  std::uint64_t first_row_ = 0;
  std::uint32_t rows_ = 0;
  std::vector<std::uint8_t> dominators_;
  std::vector<std::uint8_t> retained_;
};

/// The front of an X.domtree in memory, and streaming access to its nodes.
class DomtreeFile {
 public:
  using Frame = schema::DomtreeFrame;

  explicit DomtreeFile(std::string path);

  const std::string& path() const { return path_; }
  const Provenance& provenance() const { return provenance_; }
  const FileIdentity& identity() const { return identity_; }
  const DomtreeSummary& summary() const { return summary_; }
  const std::vector<ClassTotal>& classes() const { return classes_; }

  /// Calls `visit(const DomtreeNode&)` for every object in index order.
  template <typename Visit>
  void for_each_node(Visit&& visit) const;

 private:
  [[noreturn]] void bad_nodes(const char* what) const;

  std::string path_;
  Provenance provenance_;
  FileIdentity identity_;
  DomtreeSummary summary_;
  std::vector<ClassTotal> classes_;
};

/// Walks the rows of one node chunk; `objects` bounds the dominators.
template <typename Visit>
void for_each_node_row(schema::NodeChunk::Reader chunk, const DomtreeSummary& summary,
                       Visit&& visit) {
  VarintCursor dominators(as_span(chunk.getDominators()));
  VarintCursor retained(as_span(chunk.getRetained()));
  DomtreeNode node;
  node.index = static_cast<std::uint32_t>(chunk.getFirstRow());
  for (std::uint32_t left = chunk.getRows(); left != 0; --left, ++node.index) {
    const std::uint64_t coded = dominators.next();
    node.dominator = coded == 0 ? kUnreachable : kVirtualRoot;
    if (coded >= 2) {
      const auto target =
          static_cast<std::uint64_t>(static_cast<std::int64_t>(node.index) + unzigzag(coded - 2));
      if (target >= summary.objects) [[unlikely]] {
        throw_error(ExitCode::bad_data, "a dominator is out of range");
      }
      node.dominator = static_cast<std::uint32_t>(target);
    }
    node.units = coded == 0 ? 0 : retained.next();
    node.retained = checked_mul(node.units, summary.size_unit);
    visit(static_cast<const DomtreeNode&>(node));
  }
}

template <typename Visit>
void DomtreeFile::for_each_node(Visit&& visit) const {
  FrameReader<Frame> reader(path_, kDomtreeFile);
  std::uint64_t rows = 0;
  reader.for_each([&](Frame::Reader frame) {
    if (frame.which() == Frame::NODES) {
      const auto chunk = frame.getNodes();
      if (chunk.getFirstRow() != rows || chunk.getRows() > summary_.objects - rows) {
        bad_nodes("node rows are out of order");
      }
      rows += chunk.getRows();
      for_each_node_row(chunk, summary_, visit);
    }
  });
  if (rows != summary_.objects) {
    bad_nodes("node rows are missing");
  }
}

}  // namespace hprof
