#include "formats/report/gzip.h"

#include "common/error.h"

#include <zlib.h>

#include <algorithm>
#include <array>

namespace hprof {
namespace {

constexpr int kGzipWindow = 15 + 16;
constexpr int kMemoryLevel = 8;
constexpr int kLevel = 6;
constexpr std::size_t kPiece = 1U << 16U;
constexpr std::size_t kMaxInput = 1U << 30U;

Bytef* input_bytes(std::string_view text) {
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
}

/// An inflater that ends itself.
struct Inflater {
  Inflater() {
    if (inflateInit2(&stream, kGzipWindow) != Z_OK) {
      throw_error(ExitCode::os_error, "not enough memory to inflate");
    }
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream); }

  z_stream stream{};
};

}  // namespace

struct GzipEncoder::State {
  Write write;
  z_stream stream{};
  std::array<char, kPiece> out{};
};

GzipEncoder::GzipEncoder(Write write) : state_(std::make_unique<State>()) {
  state_->write = std::move(write);
  if (deflateInit2(&state_->stream, kLevel, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw_error(ExitCode::os_error, "not enough memory to compress");
  }
}

GzipEncoder::~GzipEncoder() {
  deflateEnd(&state_->stream);
}

void GzipEncoder::run(std::string_view text, int flush) {
  auto& stream = state_->stream;
  stream.next_in = input_bytes(text);
  stream.avail_in = static_cast<uInt>(text.size());
  do {
    stream.next_out = reinterpret_cast<Bytef*>(state_->out.data());
    stream.avail_out = static_cast<uInt>(state_->out.size());
    deflate(&stream, flush);
    state_->write({state_->out.data(), state_->out.size() - stream.avail_out});
  } while (stream.avail_out == 0);
}

void GzipEncoder::add(std::string_view text) {
  while (!text.empty()) {
    const auto piece = text.substr(0, kMaxInput);
    run(piece, Z_NO_FLUSH);
    text.remove_prefix(piece.size());
  }
}

void GzipEncoder::finish() {
  run({}, Z_FINISH);
}

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

std::string gunzip(std::string_view bytes, const std::string& file) {
  Inflater inflater;
  auto& stream = inflater.stream;
  std::string out;
  std::string piece(kPiece, '\0');
  int status = Z_OK;
  while (!bytes.empty()) {
    const auto input = bytes.substr(0, kMaxInput);
    stream.next_in = input_bytes(input);
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    status = inflate(&stream, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) {
      break;
    }
    bytes.remove_prefix(input.size() - stream.avail_in);
    out.append(piece, 0, piece.size() - stream.avail_out);
    if (status == Z_STREAM_END) {
      inflateReset(&stream);
      if (!is_gzip(bytes)) {
        break;
      }
    }
  }
  if (status != Z_STREAM_END) {
    fail(ExitCode::bad_data, file,
         ": the gzip stream is damaged or cut short; make the report again");
  }
  return out;
}

}  // namespace hprof
