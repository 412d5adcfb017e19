// What the bytes at hand tell of a record, without a look at other places of the dump.
#include "formats/record_looks.h"

#include "formats/sub_record.h"

namespace hprof {
namespace {

constexpr std::uint32_t kLeastPlainBytes = 4;
constexpr std::uint32_t kMostPlainBytes = 1U << 24U;
/// Ten minutes.
constexpr std::uint32_t kMostMicros = 600'000'000;

}  // namespace

bool is_odd_time(std::uint32_t micros, std::uint32_t before) {
  return before == 0 ? micros != 0 : micros - before > kMostMicros;
}

bool is_sub_record_tag(std::uint8_t tag) {
  return may_begin_run(tag) || tag == sub::kHeapDumpInfo;
}

bool may_be_header(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kRecordHeaderBytes || !is_record_tag(bytes[0])) {
    return false;
  }
  const auto length = header_length(bytes);
  return is_heap_tag(bytes[0]) ||
         (bytes[0] == tag::kHeapDumpEnd ? length == 0
                                        : length >= kLeastPlainBytes && length <= kMostPlainBytes);
}

std::uint32_t fixed_length(std::uint8_t tag, unsigned identifier_size) {
  switch (tag) {
    case tag::kLoadClass:
      return 8 + 2 * identifier_size;
    case tag::kFrame:
      return 8 + 4 * identifier_size;
    default:
      return 0;
  }
}

bool is_usual_length(std::uint8_t tag, std::uint32_t length, unsigned identifier_size) {
  switch (tag) {
    case tag::kString:
      return length >= identifier_size && length <= kUsualPlainBytes;
    case tag::kTrace:
      return length >= 12 && (length - 12) % identifier_size == 0 && length <= kUsualPlainBytes;
    case tag::kHeapDumpEnd:
      return length == 0;
    default:
      return length == fixed_length(tag, identifier_size) && length != 0;
  }
}

bool shows_heap_records(std::span<const std::uint8_t> body, std::uint64_t length,
                        unsigned identifier_size, unsigned most) {
  std::uint64_t at = 0;
  for (unsigned records = 0; records < most && at < length && at < body.size(); ++records) {
    const auto rest = body.subspan(static_cast<std::size_t>(at));
    const auto bytes = sub_record_bytes(rest, identifier_size);
    if (!bytes) {
      return false;
    }
    if (*bytes > rest.size()) {
      return *bytes == kUnseenBytes || *bytes <= length - at;
    }
    at += *bytes;
  }
  return at <= length;
}

}  // namespace hprof
