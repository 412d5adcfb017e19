// Why an edge may be left out. Seen from target v, a source u > v counts with the least
// semidominator among u and its ancestors down to v's own ancestors; a child of u counts with that
// of one node more, so it is never worse. A source u < v is an ancestor of v and counts with its
// own number; of two such the smaller decides. With u < v < child the child counts with at most its
// own semidominator, which is at most u. So of two edges to v from a node and its child, the
// child's decides when it is above v and the node's otherwise. A node that is no join has its
// parent as its semidominator and counts as its parent does, so it adds nothing to an edge from a
// sibling above v, and nothing at all where its parent is v itself.
#include "tools/hprof-domtree/cross_edges.h"

namespace hprof {
namespace {

std::uint64_t delta(std::uint32_t now, std::uint32_t before) {
  return zigzag(static_cast<std::int64_t>(now) - static_cast<std::int64_t>(before));
}

}  // namespace

CrossEdges::CrossEdges(std::uint64_t max_number)
    : recent_(1U << kRecentBits),
      buckets_((max_number >> kBucketBits) + 1),
      targets_(max_number + 1) {}

CrossEdges::Coder::Kind CrossEdges::Coder::kind_of(const Edge& edge) {
  if (edge.source < edge.target) {
    return from_ancestor;
  }
  return edge.source - edge.target < kNear ? near : far;
}

std::uint8_t* CrossEdges::Coder::write(std::uint8_t* out, const Edge& edge) {
  Kind kind = kind_of(edge);
  auto& last = last_[kind];
  const std::uint32_t distance = edge.source - edge.target;
  if (kind == near && distance == last.source - last.target) {
    kind = near_as_before;
  }
  out = write_varint(out, delta(edge.source, last.source) << 2U | kind);
  if (kind == near) {
    out = write_varint(out, distance);
  } else if (kind != near_as_before) {
    out = write_varint(out, delta(edge.target, last.target));
  }
  last = edge;
  return out;
}

CrossEdges::Edge CrossEdges::Coder::read(PagedLog::Reader& reader) {
  const std::uint64_t coded = reader.next();
  const auto kind = static_cast<Kind>(coded & 3U);
  auto& last = last_[kind == near_as_before ? near : kind];
  const std::uint32_t last_distance = last.source - last.target;
  last.source = static_cast<std::uint32_t>(last.source + unzigzag(coded >> 2U));
  if (kind == near) {
    last.target = last.source - static_cast<std::uint32_t>(reader.next());
  } else if (kind == near_as_before) {
    last.target = last.source - last_distance;
  } else {
    last.target = static_cast<std::uint32_t>(last.target + reader.next_signed());
  }
  return last;
}

void CrossEdges::write(const Edge& edge) {
  auto& bucket = buckets_[edge.target >> kBucketBits];
  bucket.log.commit(bucket.coder.write(bucket.log.reserve(), edge));
  targets_.set(edge.target);
  ++edges_;
}

void CrossEdges::finish() {
  for (const auto& slot : recent_) {
    write_out(slot);
  }
  recent_ = {};
  targets_.finish();
}

std::uint64_t CrossEdges::bytes() const {
  std::uint64_t total = 0;
  for (const auto& bucket : buckets_) {
    total += bucket.log.bytes();
  }
  return total;
}

template <typename Visit>
void CrossEdges::for_each_edge(const Bucket& bucket, Visit&& visit) {
  PagedLog::Reader reader(bucket.log);
  Coder coder;
  while (reader.more()) {
    visit(coder.read(reader));
  }
}

// A counting sort by target, two decodings of the bucket.
void CrossEdges::Reader::load(std::uint64_t bucket_number) {
  bucket_ = bucket_number;
  auto& bucket = edges_->buckets_[bucket_number];
  starts_.assign(kBucketMask + 3, 0);
  for_each_edge(bucket, [&](const Edge& edge) { ++starts_[place_of(edge.target) + 2]; });
  for (std::size_t i = 2; i < starts_.size(); ++i) {
    starts_[i] += starts_[i - 1];
  }
  if (sources_.size() < starts_.back()) {
    sources_.release();
    sources_ = BigArray<std::uint32_t>(starts_.back());
  }
  for_each_edge(bucket, [&](const Edge& edge) {
    sources_[starts_[place_of(edge.target) + 1]++] = edge.source;
  });
  bucket.log = PagedLog();
}

}  // namespace hprof
