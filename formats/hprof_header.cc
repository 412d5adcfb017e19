// The header is a NUL-terminated format name, the size of ids, and the capture time. Files that are
// something else are named for what they look like, since "wrong magic" helps nobody who has saved
// an error page as a dump.
#include "formats/hprof_header.h"

#include "common/byte_cursor.h"
#include "common/error.h"
#include "common/text.h"
#include "formats/provenance.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace hprof {
namespace {

constexpr std::size_t kMostNameBytes = 64;
constexpr std::string_view kNameStart = "JAVA PROFILE 1.0.";

struct Lookalike {
  std::string_view start;
  std::string_view what;
};

constexpr std::array kLookalikes{
    Lookalike{"PK\x03\x04", "a zip archive; unpack it first"},
    Lookalike{"\x7f"
              "ELF",
              "an ELF program or system core; a core must be converted to a heap dump first"},
    Lookalike{"BZh", "a bzip2 file; unpack it first"},
    Lookalike{"\xfd"
              "7zXZ",
              "an xz file; unpack it first"},
    Lookalike{"\x28\xb5\x2f\xfd", "a zstd file; unpack it first"},
    Lookalike{"\x1f\xef\xbf\xbd",
              "a gzip file that was written anew as UTF-8 text; copy it again as binary"},
    Lookalike{"0SECTION", "an OpenJ9 javacore, which holds no heap; take a heap dump"},
    Lookalike{"{",
              "JSON (perhaps an error message saved under the dump's name); fetch the dump again"},
    Lookalike{"[",
              "JSON (perhaps an error message saved under the dump's name); fetch the dump again"},
    Lookalike{
        "<",
        "HTML or XML (perhaps an error page saved under the dump's name); fetch the dump again"},
};

constexpr std::string_view kPortableHeapDump = "portable heap dump";

/// What the tools write themselves, and where in its first bytes it says so.
struct OwnReport {
  std::string_view start;
  std::string_view mark;
};

constexpr std::size_t kReportMarkWithin = 2048;
constexpr std::array kOwnReports{
    OwnReport{"{", R"("generator": "hprof-report )"},
    OwnReport{"# ", "by hprof-report "},
    OwnReport{"<!DOCTYPE html>", "<title>Heap report: "},
    OwnReport{"<!DOCTYPE html>", "<title>Heap diff: "},
};

/// A stage file begins with a frame, whose first field tells the kind.
void refuse_own_file(const std::string& name, std::string_view start) {
  constexpr std::size_t kMagicAt = 16;
  for (const auto& kind : {kIndexFile, kGraphFile, kDomtreeFile}) {
    if (start.size() >= kMagicAt && start.substr(kMagicAt).starts_with(kind.magic)) {
      fail(ExitCode::bad_data, name, ": is the ", kind.name, " file that ", kind.tool,
           " made of a heap dump; name the dump");
    }
  }
  for (const auto& report : kOwnReports) {
    if (start.starts_with(report.start) &&
        start.substr(0, kReportMarkWithin).find(report.mark) != std::string_view::npos) {
      fail(
          ExitCode::bad_data, name,
          ": is what hprof-report wrote of a heap dump; name the dump, or give a report in JSON to "
          "hprof-report render, diff or check");
    }
  }
}

[[noreturn]] void not_a_dump(const std::string& path, std::string_view start) {
  const std::string name = printable(path);
  refuse_own_file(name, start);
  for (const auto& lookalike : kLookalikes) {
    if (start.starts_with(lookalike.start)) {
      fail(ExitCode::bad_data, name, ": is no HPROF heap dump; it looks like ", lookalike.what);
    }
  }
  if (start.find(kPortableHeapDump) != std::string_view::npos) {
    fail(ExitCode::bad_data, name,
         ": is an OpenJ9 portable heap dump (PHD), not HPROF; Eclipse MAT with the DTFJ plug-in "
         "reads it");
  }
  if (start.starts_with("JAVA PROFILE")) {
    const auto version = start.substr(0, start.find_first_of(std::string_view("\0,\n", 3)));
    fail(ExitCode::bad_data, name, ": is \"", printable(version.substr(0, kMostNameBytes)),
         "\", not a binary dump of version 1.0.1, 1.0.2 or 1.0.3; take it with jcmd PID "
         "GC.heap_dump FILE");
  }
  fail(ExitCode::bad_data, name,
       ": is no HPROF heap dump; take one with jcmd PID GC.heap_dump FILE");
}

std::string_view buffered_start(BufferedInput& input) {
  for (const std::size_t want :
       {kMostNameBytes + 32, std::size_t{32}, std::size_t{8}, std::size_t{1}}) {
    if (input.peek(want) != nullptr) {
      break;
    }
  }
  return as_text(input.buffered());
}

}  // namespace

HprofHeader read_hprof_header(BufferedInput& input, const std::string& path) {
  const std::string_view start = buffered_start(input);
  if (start.empty()) {
    fail(ExitCode::bad_data, printable(path),
         ": is empty; was the disk full when the dump was written?");
  }
  const std::size_t name_bytes = start.substr(0, kMostNameBytes).find('\0');
  const bool named = name_bytes == kNameStart.size() + 1 && start.starts_with(kNameStart);
  if (!named || start[kNameStart.size()] < '1' || start[kNameStart.size()] > '3') {
    not_a_dump(path, start);
  }
  constexpr std::size_t kFixedBytes = 12;
  if (start.size() < name_bytes + 1 + kFixedBytes) {
    fail(ExitCode::bad_data, printable(path),
         ": ends inside the HPROF header; the dump was cut, take it again");
  }
  HprofHeader header;
  header.format = start.substr(0, name_bytes);
  ByteCursor cursor(as_bytes(start.substr(name_bytes + 1)));
  header.identifier_size = cursor.big_endian<std::uint32_t>();
  header.timestamp_ms = cursor.big_endian<std::uint64_t>();
  if (header.identifier_size != 4 && header.identifier_size != 8) {
    fail(ExitCode::bad_data, printable(path), ": ids of ", header.identifier_size,
         " bytes; HPROF has 4 or 8, the header is damaged");
  }
  input.advance(name_bytes + 1 + kFixedBytes);
  return header;
}

}  // namespace hprof
