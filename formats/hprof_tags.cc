#include "formats/hprof_tags.h"

#include "common/text.h"

#include <array>

namespace hprof {
namespace {

struct TagName {
  std::uint8_t tag;
  const char* name;
};

constexpr std::array kTopLevel{
    TagName{0x01, "UTF8"},
    TagName{0x02, "LOAD_CLASS"},
    TagName{0x03, "UNLOAD_CLASS"},
    TagName{0x04, "FRAME"},
    TagName{0x05, "TRACE"},
    TagName{0x06, "ALLOC_SITES"},
    TagName{0x07, "HEAP_SUMMARY"},
    TagName{0x0a, "START_THREAD"},
    TagName{0x0b, "END_THREAD"},
    TagName{0x0c, "HEAP_DUMP"},
    TagName{0x0d, "CPU_SAMPLES"},
    TagName{0x0e, "CONTROL_SETTINGS"},
    TagName{0x1c, "HEAP_DUMP_SEGMENT"},
    TagName{0x2c, "HEAP_DUMP_END"},
};

constexpr std::array kSubRecords{
    TagName{0x01, "ROOT_JNI_GLOBAL"},      TagName{0x02, "ROOT_JNI_LOCAL"},
    TagName{0x03, "ROOT_JAVA_FRAME"},      TagName{0x04, "ROOT_NATIVE_STACK"},
    TagName{0x05, "ROOT_STICKY_CLASS"},    TagName{0x06, "ROOT_THREAD_BLOCK"},
    TagName{0x07, "ROOT_MONITOR_USED"},    TagName{0x08, "ROOT_THREAD_OBJECT"},
    TagName{0x20, "CLASS_DUMP"},           TagName{0x21, "INSTANCE_DUMP"},
    TagName{0x22, "OBJECT_ARRAY_DUMP"},    TagName{0x23, "PRIMITIVE_ARRAY_DUMP"},
    TagName{0x89, "ROOT_INTERNED_STRING"}, TagName{0x8a, "ROOT_FINALIZING"},
    TagName{0x8b, "ROOT_DEBUGGER"},        TagName{0x8c, "ROOT_REFERENCE_CLEANUP"},
    TagName{0x8d, "ROOT_VM_INTERNAL"},     TagName{0x8e, "ROOT_JNI_MONITOR"},
    TagName{0x90, "UNREACHABLE"},          TagName{0xc3, "PRIMITIVE_ARRAY_NODATA"},
    TagName{0xfe, "HEAP_DUMP_INFO"},       TagName{0xff, "ROOT_UNKNOWN"},
};

constexpr std::array kRootKinds{
    TagName{0x01, "JNI Global"},      TagName{0x02, "JNI Local"},
    TagName{0x03, "Java Local"},      TagName{0x04, "Native Stack"},
    TagName{0x05, "System Class"},    TagName{0x06, "Thread Block"},
    TagName{0x07, "Busy Monitor"},    TagName{0x08, "Thread"},
    TagName{0x89, "Interned String"}, TagName{0x8a, "Finalizing"},
    TagName{0x8b, "Debugger"},        TagName{0x8c, "Reference Cleanup"},
    TagName{0x8d, "VM Internal"},     TagName{0x8e, "JNI Monitor"},
    TagName{0xff, "Unknown"},
};

std::string name_in(const auto& table, std::uint8_t tag, const std::string& otherwise) {
  for (const auto& row : table) {
    if (row.tag == tag) {
      return row.name;
    }
  }
  return otherwise;
}

}  // namespace

std::optional<unsigned> root_record_extra(std::uint8_t tag, unsigned identifier_size) {
  switch (tag) {
    case sub::kRootJniGlobal:
      return identifier_size;
    case sub::kRootJniLocal:
    case sub::kRootJavaFrame:
    case sub::kRootThreadObject:
    case sub::kRootJniMonitor:
      return 8;
    case sub::kRootNativeStack:
    case sub::kRootThreadBlock:
      return 4;
    case sub::kRootStickyClass:
    case sub::kRootMonitorUsed:
    case sub::kRootUnknown:
    case sub::kRootInternedString:
    case sub::kRootFinalizing:
    case sub::kRootDebugger:
    case sub::kRootReferenceCleanup:
    case sub::kRootVmInternal:
    case sub::kUnreachable:
      return 0;
    default:
      return std::nullopt;
  }
}

std::string tag_name(std::uint8_t tag) {
  return name_in(kTopLevel, tag, "unknown (" + hex_address(tag) + ")");
}
std::string sub_tag_name(std::uint8_t tag) {
  return name_in(kSubRecords, tag, "unknown (" + hex_address(tag) + ")");
}
std::string root_kind_name(std::uint8_t tag) {
  return name_in(kRootKinds, tag, "Unknown (" + hex_address(tag) + ")");
}

}  // namespace hprof
