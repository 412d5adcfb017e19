// A stage file is a plain concatenation of Cap'n Proto messages: segment table, then segments.
// Frames are read whole into memory after their size has been held against the file, then parsed
// with the flat reader, whose own bounds checks guard everything inside; what they throw becomes a
// sentence with the file and the place.
#include "formats/frame_io.h"

#include "common/error.h"
#include "common/memory.h"
#include "common/text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <libdeflate.h>

namespace hprof {
namespace {

constexpr std::uint64_t kMostFrameBytes = 256U << 20U;
constexpr std::uint32_t kMostSegments = 64;
constexpr std::uint64_t kEdgeBytes = 64U << 10U;

std::uint32_t extend_crc(std::uint32_t crc, std::span<const std::uint8_t> bytes) {
  return ::libdeflate_crc32(crc, bytes.data(), bytes.size());
}

std::uint32_t little_endian(const std::uint8_t* bytes) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace

void FrameOutput::write(capnp::MessageBuilder& message) {
  const auto segments = message.getSegmentsForOutput();
  std::vector<std::uint32_t> table{static_cast<std::uint32_t>(segments.size() - 1)};
  for (const auto& segment : segments) {
    table.push_back(static_cast<std::uint32_t>(segment.size()));
  }
  if (table.size() % 2 != 0) {
    table.push_back(0);
  }
  const auto put = [this](const void* data, std::size_t size) {
    const std::span bytes(static_cast<const std::uint8_t*>(data), size);
    crc_ = extend_crc(crc_, bytes);
    bytes_ += size;
    out_.write(bytes);
  };
  put(table.data(), table.size() * sizeof(std::uint32_t));
  for (const auto& segment : segments) {
    put(segment.begin(), segment.size() * sizeof(capnp::word));
  }
  ++frames_;
}

FrameInput::FrameInput(const std::string& path, const FileKind& kind)
    : path_(path),
      kind_(kind),
      file_(open_input(path)),
      size_(file_size(file_, path)),
      stamp_(stamp_of(file_)) {
  if (stamp_) {
    known_ = WholeFiles::find(*stamp_);
  }
}

void FrameInput::damaged(const std::string& what) const {
  fail(ExitCode::bad_data, printable(path_), ": byte ", hex_address(before_.bytes), ": ", what,
       "; the file is cut or damaged, run ", kind_.tool, " with --force again");
}

capnp::MessageReader* FrameInput::next() {
  before_ = {.crc32 = crc_, .bytes = position_};
  if (known_ && position_ == known_->bytes) {
    before_ = *known_;
  }
  if (position_ == size_) {
    return nullptr;
  }
  ++frames_;
  std::array<std::uint8_t, 4 + 4 * kMostSegments> prefix{};
  const std::size_t prefix_bytes = read_at(file_, path_, position_, prefix);
  if (prefix_bytes < 8) {
    damaged("the file ends inside a frame");
  }
  const std::uint32_t segments_less_one = little_endian(prefix.data());
  if (segments_less_one >= kMostSegments || prefix_bytes < 4 + 4 * (segments_less_one + 1)) {
    damaged("no frame starts here");
  }
  std::uint64_t words = segments_less_one / 2 + 1;
  for (std::uint32_t i = 0; i <= segments_less_one; ++i) {
    words += little_endian(prefix.data() + 4 + std::size_t{4} * i);
  }
  const std::uint64_t bytes = words * sizeof(capnp::word);
  if (bytes > kMostFrameBytes) {
    damaged("no frame starts here");
  }
  if (bytes > size_ - position_) {
    damaged("the file ends inside a frame");
  }
  message_.reset();
  words_.resize(words);
  const std::span raw(reinterpret_cast<std::uint8_t*>(words_.data()), bytes);
  if (read_at(file_, path_, position_, raw) != bytes) {
    damaged("the file ends inside a frame");
  }
  crc_ = known_ ? 0 : extend_crc(crc_, raw);
  position_ += bytes;
  capnp::ReaderOptions options;
  options.traversalLimitInWords = 2 * kMostFrameBytes / sizeof(capnp::word);
  translating_capnp_errors(*this, [&] {
    message_ = std::make_unique<capnp::FlatArrayMessageReader>(
        kj::arrayPtr(reinterpret_cast<const capnp::word*>(words_.data()), words_.size()), options);
  });
  return message_.get();
}

void FrameInput::found_whole() const {
  if (stamp_ && !known_) {
    WholeFiles::add(*stamp_, before_);
  }
}

std::unique_ptr<capnp::MessageReader> FrameInput::last_frame(std::uint64_t bytes) const {
  struct OwnedMessage : capnp::FlatArrayMessageReader {
    explicit OwnedMessage(kj::Array<capnp::word> owned)
        : FlatArrayMessageReader(owned), words(kj::mv(owned)) {}
    kj::Array<capnp::word> words;
  };
  if (size_ < bytes) {
    damaged("the file has no footer");
  }
  auto words = kj::heapArray<capnp::word>(bytes / sizeof(capnp::word));
  const std::span raw(reinterpret_cast<std::uint8_t*>(words.begin()), bytes);
  if (read_at(file_, path_, size_ - bytes, raw) != bytes) {
    damaged("the file has no footer");
  }
  std::unique_ptr<capnp::MessageReader> message;
  translating_capnp_errors(*this, [&] { message = std::make_unique<OwnedMessage>(kj::mv(words)); });
  return message;
}

void fill_header(schema::FileHeader::Builder header, const FileKind& kind,
                 const Provenance& provenance) {
  header.setFormatVersion(kind.format_version);
  header.setTool(provenance.tool);
  header.setToolVersion(provenance.tool_version);
  auto options = header.initOptions(static_cast<unsigned>(provenance.options.size()));
  for (unsigned i = 0; i < options.size(); ++i) {
    options.set(i, provenance.options[i]);
  }
  auto dump = header.initDump();
  dump.setName(kj::arrayPtr(reinterpret_cast<const kj::byte*>(provenance.dump.name.data()),
                            provenance.dump.name.size()));
  dump.setSizeBytes(provenance.dump.size_bytes);
  dump.setTimestampMs(provenance.dump.timestamp_ms);
  dump.setEdgeCrc32(provenance.dump.edge_crc32);
  dump.setDumpNumber(provenance.dump.dump_number);
  auto inputs = header.initInputs(static_cast<unsigned>(provenance.inputs.size()));
  for (unsigned i = 0; i < inputs.size(); ++i) {
    inputs[i].setKind(provenance.inputs[i].kind);
    inputs[i].setCrc32(provenance.inputs[i].identity.crc32);
    inputs[i].setBytes(provenance.inputs[i].identity.bytes);
  }
}

Provenance read_header(schema::FileHeader::Reader header, std::uint64_t magic, const FileKind& kind,
                       const FrameInput& input) {
  if (magic != magic_number(kind)) {
    not_this_kind(input.path(), kind);
  }
  if (header.getFormatVersion() != kind.format_version) {
    const bool newer = header.getFormatVersion() > kind.format_version;
    fail(newer ? ExitCode::limit : ExitCode::stale, printable(input.path()), ": ", kind.name,
         " format ", header.getFormatVersion(), " written by ", kind.tool, " ",
         header.getToolVersion().cStr(), ", this build reads format ", kind.format_version,
         "; run ", newer ? "a newer build" : kind.tool, newer ? "" : " again");
  }
  Provenance out;
  out.tool = header.getTool();
  out.tool_version = header.getToolVersion();
  for (const auto option : header.getOptions()) {
    out.options.emplace_back(option.cStr());
  }
  const auto dump = header.getDump();
  const auto name = dump.getName();
  out.dump = {.name = std::string(reinterpret_cast<const char*>(name.begin()), name.size()),
              .size_bytes = dump.getSizeBytes(),
              .timestamp_ms = dump.getTimestampMs(),
              .edge_crc32 = dump.getEdgeCrc32(),
              .dump_number = dump.getDumpNumber()};
  for (const auto ref : header.getInputs()) {
    out.inputs.push_back(
        {.kind = ref.getKind(), .identity = {.crc32 = ref.getCrc32(), .bytes = ref.getBytes()}});
  }
  return out;
}

std::uint64_t magic_number(const FileKind& kind) {
  std::uint64_t value = 0;
  std::memcpy(&value, kind.magic, sizeof value);
  return value;
}

void not_this_kind(const std::string& path, const FileKind& kind) {
  std::array<std::uint8_t, 24> start{};
  const auto file = open_input(path);
  const std::size_t count = read_at(file, path, 0, start);
  if (count == start.size() && std::memcmp(start.data() + 16, kind.magic, 8) == 0) {
    fail(ExitCode::bad_data, printable(path), ": its first frame is damaged; run ", kind.tool,
         " with --force again");
  }
  std::string looks = "it is of another kind";
  for (const auto& other : {kIndexFile, kGraphFile, kDomtreeFile}) {
    if (count == start.size() && std::memcmp(start.data() + 16, other.magic, 8) == 0) {
      looks = concat("it is the ", other.name, " file of ", other.tool);
    }
  }
  if (count == 0) {
    looks = "it is empty";
  } else if (count >= 12 && std::memcmp(start.data(), "JAVA PROFILE", 12) == 0) {
    looks = "it is a heap dump";
  }
  fail(ExitCode::bad_data, printable(path), ": is no .", kind.name, " file of ", kind.tool, ", ",
       looks, "; name the file that ", kind.tool, " wrote");
}

void translating_capnp_errors(const FrameInput& input, const std::function<void()>& action) {
  try {
    action();
  } catch (const kj::Exception&) {
    input.damaged("garbled frame");
  } catch (const Unplaced& error) {
    input.damaged(error.what());
  }
}

void translating_refused_memory(std::uint64_t bytes, const std::function<void()>& action) {
  try {
    action();
  } catch (const kj::Exception& error) {
    if (error.getType() == kj::Exception::Type::OVERLOADED) {
      throw OutOfMemory(bytes);
    }
    throw;
  }
}

DumpIdentity identify_dump(const std::string& path, std::uint64_t timestamp_ms,
                           std::uint32_t dump_number) {
  const auto file = open_input(path);
  const std::uint64_t size = file_size(file, path);
  std::vector<std::uint8_t> edge(std::min(size, kEdgeBytes));
  edge.resize(read_at(file, path, 0, edge));
  std::uint32_t crc = extend_crc(0, edge);
  edge.resize(std::min(size, kEdgeBytes));
  edge.resize(read_at(file, path, size - edge.size(), edge));
  crc = extend_crc(crc, edge);
  return {.name = base_name(path),
          .size_bytes = size,
          .timestamp_ms = timestamp_ms,
          .edge_crc32 = crc,
          .dump_number = dump_number};
}

}  // namespace hprof
