#include "formats/domtree_file.h"

namespace hprof {
namespace {

using Frame = schema::DomtreeFrame;

constexpr std::uint32_t kChunkRows = 1U << 18U;
constexpr std::size_t kClassChunkRows = 1U << 16U;

DepthTotals read_depths(schema::DepthTotals::Reader in) {
  DepthTotals out;
  const auto objects = in.getObjects();
  const auto shallow = in.getShallow();
  if (objects.size() != out.rows.size() || shallow.size() != out.rows.size()) {
    throw_unplaced("uneven depth rows");
  }
  for (unsigned row = 0; row < objects.size(); ++row) {
    out.rows[row] = {.objects = objects[row], .shallow = shallow[row]};
  }
  out.p90 = in.getP90();
  out.deepest = in.getDeepest();
  return out;
}

void write_depths(schema::DepthTotals::Builder out, const DepthTotals& depths) {
  const auto rows = static_cast<unsigned>(depths.rows.size());
  out.setP90(depths.p90);
  out.setDeepest(depths.deepest);
  auto objects = out.initObjects(rows);
  auto shallow = out.initShallow(rows);
  for (unsigned row = 0; row < rows; ++row) {
    objects.set(row, depths.rows[row].objects);
    shallow.set(row, depths.rows[row].shallow);
  }
}

DomtreeSummary read_summary(schema::DomtreeSummary::Reader in) {
  return {.objects = in.getObjects(),
          .size_unit = in.getSizeUnit(),
          .reachable_objects = in.getReachableObjects(),
          .reachable_shallow = in.getReachableShallow(),
          .unreachable_objects = in.getUnreachableObjects(),
          .unreachable_shallow = in.getUnreachableShallow(),
          .roots = in.getRoots(),
          .depths = read_depths(in.getDepths())};
}

void write_summary(schema::DomtreeSummary::Builder out, const DomtreeSummary& summary) {
  out.setObjects(summary.objects);
  out.setSizeUnit(summary.size_unit);
  out.setReachableObjects(summary.reachable_objects);
  out.setReachableShallow(summary.reachable_shallow);
  out.setUnreachableObjects(summary.unreachable_objects);
  out.setUnreachableShallow(summary.unreachable_shallow);
  out.setRoots(summary.roots);
  write_depths(out.initDepths(), summary.depths);
}

void write_classes(schema::ClassTotalChunk::Builder out, std::span<const ClassTotal> rows,
                   std::size_t first) {
  const auto count = static_cast<unsigned>(rows.size());
  out.setFirstRow(first);
  auto instances = out.initReachableInstances(count);
  auto shallow = out.initReachableShallow(count);
  auto largest = out.initLargestShallow(count);
  auto retained = out.initRetained(count);
  auto unreachable = out.initUnreachableInstances(count);
  auto garbage = out.initUnreachableShallow(count);
  for (unsigned i = 0; i < count; ++i) {
    instances.set(i, rows[i].reachable_instances);
    shallow.set(i, rows[i].reachable_shallow);
    largest.set(i, rows[i].largest_shallow);
    retained.set(i, rows[i].retained);
    unreachable.set(i, rows[i].unreachable_instances);
    garbage.set(i, rows[i].unreachable_shallow);
  }
}

void append_classes(schema::ClassTotalChunk::Reader in, std::vector<ClassTotal>& out) {
  const auto largest_shallows = in.getLargestShallow();
  const auto reachable_instances = in.getReachableInstances();
  const auto reachable_shallows = in.getReachableShallow();
  const auto retained = in.getRetained();
  const auto unreachable_instances = in.getUnreachableInstances();
  const auto unreachable_shallows = in.getUnreachableShallow();
  const unsigned count = reachable_instances.size();
  const bool even = reachable_shallows.size() == count && largest_shallows.size() == count &&
                    retained.size() == count && unreachable_instances.size() == count &&
                    unreachable_shallows.size() == count && in.getFirstRow() == out.size();
  if (!even) {
    throw_unplaced("uneven class columns");
  }
  for (unsigned i = 0; i < count; ++i) {
    out.push_back({.reachable_instances = reachable_instances[i],
                   .reachable_shallow = reachable_shallows[i],
                   .largest_shallow = largest_shallows[i],
                   .retained = retained[i],
                   .unreachable_instances = unreachable_instances[i],
                   .unreachable_shallow = unreachable_shallows[i]});
  }
}

}  // namespace

DomtreeWriter::DomtreeWriter(const std::string& path, const Provenance& provenance,
                             const DomtreeSummary& summary, const std::vector<ClassTotal>& classes)
    : writer_(path, kDomtreeFile, provenance), summary_(summary) {
  writer_.append(2048, [&](Frame::Builder frame) { write_summary(frame.initSummary(), summary); });
  for (std::size_t first = 0; first < classes.size(); first += kClassChunkRows) {
    const auto rows =
        std::span(classes).subspan(first, std::min(kClassChunkRows, classes.size() - first));
    writer_.append(rows.size() * 48,
                   [&](Frame::Builder frame) { write_classes(frame.initClasses(), rows, first); });
  }
}

void DomtreeWriter::append(std::uint32_t dominator, std::uint64_t retained) {
  if (dominator == kUnreachable) {
    append_varint(dominators_, 0);
  } else {
    const auto self = static_cast<std::int64_t>(first_row_ + rows_);
    append_varint(dominators_, dominator == kVirtualRoot
                                   ? 1
                                   : 2 + zigzag(static_cast<std::int64_t>(dominator) - self));
    append_varint(retained_, retained / summary_.size_unit);
  }
  if (++rows_ == kChunkRows) {
    flush();
  }
}

void DomtreeWriter::flush() {
  writer_.append(dominators_.size() + retained_.size(), [&](Frame::Builder frame) {
    auto nodes = frame.initNodes();
    nodes.setFirstRow(first_row_);
    nodes.setRows(rows_);
    nodes.setDominators(as_data(dominators_));
    nodes.setRetained(as_data(retained_));
  });
  first_row_ += rows_;
  rows_ = 0;
  dominators_.clear();
  retained_.clear();
}

FileIdentity DomtreeWriter::commit() {
  if (rows_ != 0) {
    flush();
  }
  check(first_row_ == summary_.objects, "node rows differ from the object count");
  return writer_.commit();
}

DomtreeFile::DomtreeFile(std::string path) : path_(std::move(path)) {
  FrameReader<Frame> reader(path_, kDomtreeFile);
  provenance_ = reader.provenance();
  identity_ = reader.quick_identity();
  reader.for_each_until([&](Frame::Reader frame) {
    switch (frame.which()) {
      case Frame::SUMMARY:
        summary_ = read_summary(frame.getSummary());
        return true;
      case Frame::CLASSES:
        append_classes(frame.getClasses(), classes_);
        return true;
      default:
        return false;
    }
  });
  if (summary_.objects > kMostObjects || summary_.size_unit == 0) {
    fail(ExitCode::bad_data, printable(path_),
         ": impossible counts in the summary; run hprof-domtree with --force again");
  }
}

void DomtreeFile::bad_nodes(const char* what) const {
  fail(ExitCode::bad_data, printable(path_), ": ", what, "; run hprof-domtree with --force again");
}

NodeCursor::NodeCursor(schema::NodeChunk::Reader chunk, const DomtreeSummary& summary,
                       std::uint64_t row)
    : dominators_(as_span(chunk.getDominators())),
      retained_(as_span(chunk.getRetained())),
      objects_(summary.objects),
      unit_(summary.size_unit),
      most_units_(summary.reachable_shallow / summary.size_unit),
      left_(chunk.getRows()),
      row_(static_cast<std::uint32_t>(row)) {
  if (chunk.getFirstRow() != row || left_ > objects_ - row) {
    throw_unplaced("node rows are out of order");
  }
}

NodeStream::NodeStream(const DomtreeFile& file) : file_(file), reader_(file.path(), kDomtreeFile) {
  block_.reserve(kRowsPerBlock);
}

void NodeStream::next_block() {
  while (cursor_.left() == 0) {
    next_chunk();
  }
  at_ = 0;
  block_.clear();
  reader_.within_frame([this] {
    cursor_.for_each(std::min(kRowsPerBlock, cursor_.left()),
                     [this](const DomtreeNode& node) { block_.push_back(node); });
  });
}

void NodeStream::next_chunk() {
  if (rows_ == file_.summary().objects) {
    file_.bad_nodes("node rows are missing");
  }
  bool found = false;
  reader_.for_each_until([&](DomtreeFile::Frame::Reader frame) {
    found = frame.which() == DomtreeFile::Frame::NODES;
    if (found) {
      cursor_ = NodeCursor(frame.getNodes(), file_.summary(), rows_);
      rows_ += cursor_.left();
    }
    return !found;
  });
  if (!found) {
    file_.bad_nodes("node rows are missing");
  }
}

}  // namespace hprof
