// A record header is nine bytes of which only the tag and a length that fits can be checked, so one
// alone proves little. Where a header is expected, it and the tag behind it must be right; where
// one is searched for, a chain of headers must be, or some heap records in a row, since the bytes
// of objects look like the header of an empty or of a very long heap dump again and again.
#include "formats/record_probe.h"

#include "formats/hprof_tags.h"
#include "formats/record_looks.h"
#include "formats/sub_record.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint64_t kHeaderBytes = kRecordHeaderBytes;
constexpr unsigned kChainLength = 4;
constexpr unsigned kHeapRecords = 8;
constexpr std::size_t kHeapRecordBytes = 4096;  ///< that are looked at of each
constexpr std::size_t kWindowBytes = 1U << 16U;
/// Inflating makes no more of a byte.
constexpr std::uint64_t kMostInflated = 1032;

}  // namespace

RecordProbe::RecordProbe(const std::string& path, bool compressed, unsigned identifier_size)
    : file_(open_input(path)),
      path_(path),
      compressed_(compressed),
      id_size_(identifier_size),
      file_bytes_(file_size(file_, path)),
      inflated_(path) {}

bool RecordProbe::fits(std::uint64_t body, std::uint64_t length) const {
  return (compressed_ && !inflated_.knows_size()) || (body <= size() && length <= size() - body);
}

bool RecordProbe::may_wrap() const {
  return file_bytes_ >= kLengthWrap / (compressed_ ? kMostInflated : 1);
}

std::vector<std::uint8_t> RecordProbe::bytes_at(std::uint64_t position, std::size_t count) const {
  if (compressed_) {
    return inflated_.bytes_at(position, count);
  }
  std::vector<std::uint8_t> bytes(count);
  bytes.resize(read_at(file_, path_, position, bytes));
  return bytes;
}

bool RecordProbe::zeros_from(std::uint64_t position) const {
  for (std::uint64_t start = position; start < size(); start += kWindowBytes) {
    const auto window = bytes_at(start, kWindowBytes);
    if (std::any_of(window.begin(), window.end(), [](std::uint8_t byte) { return byte != 0; })) {
      return false;
    }
  }
  return position < size();
}

bool RecordProbe::is_header(std::uint64_t position) const {
  const auto header = bytes_at(position, kHeaderBytes);
  if (header.size() < kHeaderBytes) {
    return header.empty() || is_record_tag(header[0]);
  }
  if (!may_be_header(header)) {
    return false;
  }
  const std::uint64_t body = position + kHeaderBytes;
  const auto length = header_length(header);
  const auto next = bytes_at(is_heap_tag(header[0]) ? body : body + length, 1);
  return next.empty() || (is_heap_tag(header[0]) ? length == 0 || is_sub_record_tag(next[0])
                                                 : is_record_tag(next[0]));
}

bool RecordProbe::heap_begins(std::uint64_t body, std::uint64_t length) const {
  const std::uint64_t end = std::min(size(), body + length);
  std::uint64_t position = body;
  for (unsigned records = 0; records < kHeapRecords && position != end; ++records) {
    const auto bytes = sub_record_bytes(bytes_at(position, kHeapRecordBytes), id_size_);
    if (!bytes) {
      return false;
    }
    if (*bytes > end - position) {
      return records != 0 && end != body + length;
    }
    position += *bytes;
  }
  return position != body;
}

bool RecordProbe::heap_begins(std::uint64_t body) const {
  std::uint64_t position = body;
  for (unsigned records = 0; records < kHeapRecords && position < size(); ++records) {
    if (records != 0 && is_header(position)) {
      return true;
    }
    const auto bytes = sub_record_bytes(bytes_at(position, kHeapRecordBytes), id_size_);
    if (!bytes || *bytes > size() - position) {
      return bytes && records != 0;
    }
    position += *bytes;
  }
  return position != body;
}

bool RecordProbe::is_chain(std::uint64_t position) const {
  for (unsigned i = 0; i < kChainLength; ++i) {
    const auto header = bytes_at(position, kHeaderBytes);
    if (header.size() < kHeaderBytes) {
      return i != 0 && is_header(position);
    }
    if (!is_header(position)) {
      return false;
    }
    const std::uint64_t body = position + kHeaderBytes;
    const auto length = header_length(header);
    position = body + length;
    if (is_heap_tag(header[0]) && length != 0) {
      return heap_begins(body, length) && (position > size() || is_header(position));
    }
    if (is_heap_tag(header[0]) && heap_begins(body, size() - body)) {
      return true;
    }
    if (position > size()) {
      return false;
    }
  }
  return true;
}

}  // namespace hprof
