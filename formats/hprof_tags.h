#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hprof {

/// Tags of top-level records (HPROF specification, "record types").
namespace tag {
inline constexpr std::uint8_t kString = 0x01;
inline constexpr std::uint8_t kLoadClass = 0x02;
inline constexpr std::uint8_t kFrame = 0x04;
inline constexpr std::uint8_t kTrace = 0x05;
inline constexpr std::uint8_t kHeapDump = 0x0c;
inline constexpr std::uint8_t kHeapDumpSegment = 0x1c;
inline constexpr std::uint8_t kHeapDumpEnd = 0x2c;
}  // namespace tag

/// Tags of heap sub-records, ART's included.
namespace sub {
inline constexpr std::uint8_t kRootJniGlobal = 0x01;
inline constexpr std::uint8_t kRootJniLocal = 0x02;
inline constexpr std::uint8_t kRootJavaFrame = 0x03;
inline constexpr std::uint8_t kRootNativeStack = 0x04;
inline constexpr std::uint8_t kRootStickyClass = 0x05;
inline constexpr std::uint8_t kRootThreadBlock = 0x06;
inline constexpr std::uint8_t kRootMonitorUsed = 0x07;
inline constexpr std::uint8_t kRootThreadObject = 0x08;
inline constexpr std::uint8_t kRootUnknown = 0xff;
inline constexpr std::uint8_t kRootInternedString = 0x89;
inline constexpr std::uint8_t kRootFinalizing = 0x8a;
inline constexpr std::uint8_t kRootDebugger = 0x8b;
inline constexpr std::uint8_t kRootReferenceCleanup = 0x8c;
inline constexpr std::uint8_t kRootVmInternal = 0x8d;
inline constexpr std::uint8_t kRootJniMonitor = 0x8e;
inline constexpr std::uint8_t kUnreachable = 0x90;
inline constexpr std::uint8_t kClassDump = 0x20;
inline constexpr std::uint8_t kInstanceDump = 0x21;
inline constexpr std::uint8_t kObjectArrayDump = 0x22;
inline constexpr std::uint8_t kPrimitiveArrayDump = 0x23;
inline constexpr std::uint8_t kPrimitiveArrayNoData = 0xc3;
inline constexpr std::uint8_t kHeapDumpInfo = 0xfe;
}  // namespace sub

/// Whether a top-level record may have this tag.
constexpr bool is_record_tag(std::uint8_t tag) {
  return (tag >= 0x01 && tag <= 0x07) || (tag >= 0x0a && tag <= 0x0e) ||
         tag == tag::kHeapDumpSegment || tag == tag::kHeapDumpEnd;
}

/// Whether it is one that holds heap records.
constexpr bool is_heap_tag(std::uint8_t tag) {
  return tag == tag::kHeapDump || tag == tag::kHeapDumpSegment;
}

/// Bytes of a GC root record after its tag and id; nothing for a tag that is no root's (UNREACHABLE
/// has the form of one).
std::optional<unsigned> root_record_extra(std::uint8_t tag, unsigned identifier_size);

/// Name of a top-level tag, "unknown (0xNN)" if it has none.
std::string tag_name(std::uint8_t tag);
/// Name of a heap sub-record tag, "unknown (0xNN)" if it has none.
std::string sub_tag_name(std::uint8_t tag);
/// What reports call a root of this kind: "System Class", "JNI Global", "Java Local", …
std::string root_kind_name(std::uint8_t tag);

}  // namespace hprof
