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

  /// Error(bad_data) that the file has no such nodes as it should.
  [[noreturn]] void bad_nodes(const char* what) const;

 private:
  std::string path_;
  Provenance provenance_;
  FileIdentity identity_;
  DomtreeSummary summary_;
  std::vector<ClassTotal> classes_;
};

/// Decodes the rows of a node chunk in as many steps as one likes; the objects of `summary` bound
/// the dominators.
class NodeCursor {
 public:
  NodeCursor() = default;
  /// Unplaced unless the chunk starts at `row`.
  NodeCursor(schema::NodeChunk::Reader chunk, const DomtreeSummary& summary, std::uint64_t row);

  std::uint32_t left() const { return left_; }
  /// Calls `visit(const DomtreeNode&)` for the next `count` rows, of which there must be as many.
  template <typename Visit>
  void for_each(std::uint32_t count, Visit&& visit) {
    VarintCursor dominators = dominators_;
    VarintCursor retained = retained_;
    DomtreeNode node;
    node.index = row_;
    for (; count != 0; --count, ++node.index) {
      const std::uint64_t coded = dominators.next();
      node.dominator = coded == 0 ? kUnreachable : kVirtualRoot;
      if (coded >= 2) {
        node.dominator = dominator_of(node.index, coded - 2);
      }
      node.units = coded == 0 ? 0 : retained.next();
      if (node.units > most_units_) [[unlikely]] {
        throw_unplaced("an object retains more than there is");
      }
      node.retained = node.units * unit_;
      visit(static_cast<const DomtreeNode&>(node));
    }
    left_ -= node.index - row_;
    row_ = node.index;
    dominators_ = dominators;
    retained_ = retained;
  }

 private:
  std::uint32_t dominator_of(std::uint32_t object, std::uint64_t coded) const {
    const auto target =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(object) + unzigzag(coded));
    if (target >= objects_) [[unlikely]] {
      throw_unplaced("a dominator is out of range");
    }
    return static_cast<std::uint32_t>(target);
  }

  VarintCursor dominators_;
  VarintCursor retained_;
  std::uint64_t objects_ = 0;
  std::uint32_t unit_ = 1;
  std::uint64_t most_units_ = 0;  ///< that an object can retain
  std::uint32_t left_ = 0;
  std::uint32_t row_ = 0;
};

/// Delivers the nodes of a file one by one, in index order, to whoever reads another file beside
/// it.
class NodeStream {
 public:
  explicit NodeStream(const DomtreeFile& file);

  /// The next node; no more than there are objects. Error(bad_data) as DomtreeFile::for_each_node.
  const DomtreeNode& next() {
    if (at_ == block_.size()) {
      next_block();
    }
    return block_[at_++];
  }
  /// After the last node: holds the end of the file against what was read.
  void finish() {
    reader_.for_each([](DomtreeFile::Frame::Reader) {});
  }

 private:
  static constexpr std::uint32_t kRowsPerBlock = 1024;

  void next_block();
  void next_chunk();

  const DomtreeFile& file_;
  FrameReader<DomtreeFile::Frame> reader_;
  std::uint64_t rows_ = 0;  ///< in the chunks so far
  NodeCursor cursor_;
  std::vector<DomtreeNode> block_;
  std::size_t at_ = 0;
};

template <typename Visit>
void DomtreeFile::for_each_node(Visit&& visit) const {
  FrameReader<Frame> reader(path_, kDomtreeFile);
  std::uint64_t rows = 0;
  reader.for_each([&](Frame::Reader frame) {
    if (frame.which() == Frame::NODES) {
      NodeCursor cursor(frame.getNodes(), summary_, rows);
      rows += cursor.left();
      cursor.for_each(cursor.left(), visit);
    }
  });
  if (rows != summary_.objects) {
    bad_nodes("node rows are missing");
  }
}

}  // namespace hprof
