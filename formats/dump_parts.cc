// Parts hold nothing but records, so a file is measured by hopping from record header to record
// header; what follows the last whole record was being written when the JVM was stopped. A part is
// deleted once all of it has been appended to the dump, so what the dump ends with may be the
// beginning of the first part that is left; it is read from there alone. Whoever keeps such files
// may have packed each of them.
#include "formats/dump_parts.h"

#include "common/byte_cursor.h"
#include "common/concat_source.h"
#include "common/error.h"
#include "common/open_source.h"
#include "common/text.h"
#include "formats/hprof_header.h"
#include "formats/hprof_tags.h"

#include <algorithm>
#include <dirent.h>
#include <map>
#include <memory>
#include <optional>
#include <span>

namespace hprof {
namespace {

constexpr std::size_t kHeaderBytes = 9;
constexpr std::size_t kBufferBytes = 64U << 10U;
constexpr std::size_t kMostDigits = 5;
constexpr std::size_t kLikeBytes = 64;  ///< that files must have in common to be compared
constexpr std::string_view kPacked = ".gz";

/// Without the ending that says that it is packed.
std::string_view unpacked_name(std::string_view name) {
  return name.ends_with(kPacked) ? name.substr(0, name.size() - kPacked.size()) : name;
}

/// The number behind ".p" in what follows the dump's name; nothing for other files.
std::optional<std::uint32_t> part_number(std::string_view rest) {
  rest = unpacked_name(rest);
  if (rest.starts_with(kPacked)) {
    rest.remove_prefix(kPacked.size());
  }
  if (!rest.starts_with(".p") || rest.size() == 2 || rest.size() > 2 + kMostDigits) {
    return std::nullopt;
  }
  if (rest.size() > 3 && rest[2] == '0') {
    return std::nullopt;
  }
  std::uint32_t number = 0;
  for (const char c : rest.substr(2)) {
    if (c < '0' || c > '9') {
      return std::nullopt;
    }
    number = 10 * number + static_cast<std::uint32_t>(c - '0');
  }
  return number;
}

std::string folder_of(const std::string& path) {
  const auto slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

/// A file, inflated, up to where packed bytes are missing, whatever is at its end.
BufferedInput open_file(const std::string& path) {
  BufferedInput input(open_source(path), kBufferBytes);
  input.source().tolerate_damage();
  input.stop_at_gaps(true);
  return input;
}

struct WholeRecords {
  std::uint64_t end = 0;              ///< of the last of them
  bool finished = false;              ///< it ends the dump
  std::vector<std::uint64_t> starts;  ///< where records begin as some other file does
};

/// Passes over the whole records that follow.
WholeRecords pass_records(BufferedInput& input, std::span<const std::uint8_t> beginning) {
  WholeRecords out;
  while (!out.finished) {
    out.end = input.position();
    if (const std::uint8_t* bytes = input.peek(beginning.size());
        !beginning.empty() && bytes != nullptr &&
        std::equal(beginning.begin(), beginning.end(), bytes)) {
      out.starts.push_back(out.end);
    }
    const std::uint8_t* header = input.peek(kHeaderBytes);
    if (header == nullptr || !is_record_tag(header[0])) {
      return out;
    }
    const std::uint8_t tag = header[0];
    const auto length = load_big_endian<std::uint32_t>(header + 5);
    const bool is_heap = tag == tag::kHeapDump || tag == tag::kHeapDumpSegment;
    input.advance(kHeaderBytes);
    if ((is_heap && length == 0) || input.skip(length) != length) {
      return out;
    }
    out.finished = tag == tag::kHeapDumpEnd;
  }
  out.end = input.position();
  return out;
}

/// Whether heap records are among the first bytes of a dump.
bool has_heap_records(const std::string& path, std::uint64_t bytes) {
  auto input = open_file(path);
  read_hprof_header(input, path);
  while (input.position() < bytes) {
    const std::uint8_t* header = input.peek(kHeaderBytes);
    if (header == nullptr || header[0] == tag::kHeapDump || header[0] == tag::kHeapDumpSegment) {
      return header != nullptr;
    }
    const auto length = load_big_endian<std::uint32_t>(header + 5);
    input.advance(kHeaderBytes);
    input.skip(length);
  }
  return false;
}

/// What is to be said of a part itself, with the parts in front of it that should be there. The
/// first ones are in the dump once it has heap records.
std::string gap_at(const std::string& path, const std::vector<DumpPart>& parts, std::size_t at) {
  const auto number = [](const DumpPart& part) { return part_number(part.suffix).value_or(0); };
  if (at == 0) {
    return "";
  }
  const std::string name(unpacked_name(base_name(path)));
  const std::uint32_t wanted = at == 1 ? 0 : number(parts[at - 1]) + 1;
  const std::uint32_t found = number(parts[at]);
  const bool missing = found > wanted && (at > 1 || !has_heap_records(path, parts[0].bytes));
  std::string out;
  if (missing) {
    out = concat(name, ".p", wanted);
    out += found == wanted + 1 ? " is not there" : concat(" to .p", found - 1, " are not there");
  }
  if (parts[at].bytes + parts[at].left_over == 0) {
    out += concat(out.empty() ? "" : ", ", base_name(path_of_part(path, parts[at].suffix)),
                  " is empty");
  }
  return out;
}

/// Passes over all that is left, gaps included, and counts it.
std::uint64_t pass_rest(BufferedInput& input) {
  std::uint64_t bytes = 0;
  do {
    bytes += input.skip(~std::uint64_t{0} >> 1U);
  } while (input.pass_gap());
  return bytes;
}

DumpPart measured(const std::string& suffix, BufferedInput& input, std::uint64_t end) {
  input.go_to(end);
  const std::uint64_t left_over = pass_rest(input);
  return {.suffix = suffix,
          .bytes = end,
          .left_over = left_over,
          .ignored = input.source().ignored_bytes()};
}

std::vector<std::uint8_t> first_bytes(const std::string& path) {
  auto input = open_file(path);
  const std::uint8_t* bytes = input.peek(kLikeBytes);
  return bytes == nullptr ? std::vector<std::uint8_t>()
                          : std::vector<std::uint8_t>(bytes, bytes + kLikeBytes);
}

/// Whether everything from `start` on is what the part begins with.
bool is_copy(BufferedInput& dump, std::uint64_t start, const std::string& part_path) {
  dump.go_to(start);
  auto part = open_file(part_path);
  while (!dump.at_end()) {
    const auto bytes = dump.buffered();
    const std::uint8_t* other = part.peek(bytes.size());
    if (other == nullptr || !std::equal(bytes.begin(), bytes.end(), other)) {
      return false;
    }
    part.advance(bytes.size());
    dump.advance(bytes.size());
  }
  return true;
}

DumpPart measure_dump(const std::string& path, const std::string& first_part) {
  auto dump = open_file(path);
  read_hprof_header(dump, path);
  const auto records = pass_records(dump, first_bytes(first_part));
  if (records.finished) {
    fail(ExitCode::bad_data, printable(path),
         ": is finished, so the parts beside it belong to another dump; leave out --salvage");
  }
  for (const auto start : records.starts) {
    if (is_copy(dump, start, first_part)) {
      return {.suffix = "", .bytes = start, .left_over = 0};
    }
  }
  return measured("", dump, records.end);
}

}  // namespace

std::string path_of_part(const std::string& path, const std::string& suffix) {
  return suffix.empty() ? path : std::string(unpacked_name(path)) + suffix;
}

std::vector<std::string> parts_beside(const std::string& path) {
  const std::string name(unpacked_name(base_name(path)));
  std::map<std::uint32_t, std::string> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(folder_of(path).c_str()), ::closedir);
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr) {
    const std::string_view file = entry->d_name;
    const bool of_packed = file.starts_with(name + ".gz") && !path.ends_with(kPacked);
    const auto number =
        file.starts_with(name) && !of_packed ? part_number(file.substr(name.size())) : std::nullopt;
    if (number) {
      const std::string suffix(file.substr(name.size()));
      auto& known = found.try_emplace(*number, suffix).first->second;
      known = std::min(known, suffix);
    }
  }
  std::vector<std::string> suffixes;
  suffixes.reserve(found.size());
  for (const auto& [number, suffix] : found) {
    suffixes.push_back(suffix);
  }
  return suffixes;
}

std::vector<DumpPart> measure_parts(const std::string& path) {
  const auto suffixes = parts_beside(path);
  if (suffixes.empty()) {
    fail(ExitCode::usage, printable(path), ": there is no ",
         printable(base_name(path_of_part(path, ".p0"))),
         " or the like beside it; leave out --salvage");
  }
  std::vector<DumpPart> parts{measure_dump(path, path_of_part(path, suffixes.front()))};
  for (const auto& suffix : suffixes) {
    auto part = open_file(path_of_part(path, suffix));
    parts.push_back(measured(suffix, part, pass_records(part, {}).end));
  }
  return parts;
}

std::vector<Damage> unfinished_rows(const std::string& path, const std::vector<DumpPart>& parts) {
  std::vector<Damage> rows;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& part = parts[i];
    if (auto gap = gap_at(path, parts, i); !gap.empty()) {
      rows.push_back(
          {.kind = DamageKind::unfinished, .position = end, .resume = end, .what = std::move(gap)});
    }
    end += part.bytes;
    if (rows.empty()) {
      rows.push_back({.kind = DamageKind::unfinished,
                      .position = end,
                      .resume = end,
                      .what = "the JVM did not finish the dump; it goes on in " +
                              format_count(parts.size() - 1, "further file", "further files")});
    }
    if (part.ignored != 0) {
      rows.push_back({.kind = DamageKind::unfinished,
                      .position = end,
                      .resume = end,
                      .what = concat(base_name(path_of_part(path, part.suffix)), ": ", part.ignored,
                                     " bytes behind the gzip stream are no gzip data")});
    }
    if (part.left_over != 0) {
      rows.push_back({.kind = DamageKind::unfinished,
                      .position = end,
                      .resume = end,
                      .what = concat(base_name(path_of_part(path, part.suffix)), ": ",
                                     format_count(part.left_over, "byte at its end is",
                                                  "bytes at its end are"),
                                     " no whole record and not used")});
    }
  }
  return rows;
}

std::uint64_t bytes_of_files(const std::string& path, const std::vector<DumpPart>& parts) {
  std::uint64_t bytes = file_size(open_input(path), path);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string part = path_of_part(path, parts[i].suffix);
    bytes += file_size(open_input(part), part);
  }
  return bytes;
}

std::string parts_option(const std::vector<DumpPart>& parts) {
  std::string out = "salvage";
  for (const auto& part : parts) {
    out += concat(out == "salvage" ? "=" : ",", part.suffix, ":", part.bytes, "+", part.left_over);
  }
  return out;
}

std::unique_ptr<ByteSource> open_dump(const std::string& path, const std::vector<DumpPart>& parts) {
  auto source = parts.empty() ? open_source(path) : open_parts(path, parts);
  source->tolerate_damage();
  return source;
}

std::unique_ptr<ByteSource> open_parts(const std::string& path,
                                       const std::vector<DumpPart>& parts) {
  std::vector<SourcePart> sources;
  for (const auto& part : parts) {
    const std::string name = path_of_part(path, part.suffix);
    auto source = open_source(name);
    source->tolerate_damage();
    sources.push_back({.name = name, .source = std::move(source), .bytes = part.bytes});
  }
  return concatenate(std::move(sources));
}

std::unique_ptr<ByteSource> open_damaged_source(const std::string& path, const DumpDamage& known) {
  if (!known.parts.empty()) {
    return open_parts(path, known.parts);
  }
  auto source = open_source(path);
  if (known.packing_damaged()) {
    source->tolerate_damage();
  }
  return source;
}

bool changed_since(const std::string& path, const std::vector<DumpPart>& parts,
                   const std::string& output) {
  const auto made = changed_at(output);
  const auto is_newer = [&](const std::string& file) { return changed_at(file) > made; };
  return made && (is_newer(path) || std::any_of(parts.begin(), parts.end(), [&](const auto& part) {
                    return is_newer(path_of_part(path, part.suffix));
                  }));
}

}  // namespace hprof
