#include "tests/unit/mat-diff/zip_builder.h"

#include <zlib.h>

#include <limits>
#include <stdexcept>

namespace hprof::test {
namespace {

class Bytes {
 public:
  Bytes& number(std::uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i) {
      bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
    return *this;
  }
  Bytes& text(const std::string& value) {
    bytes_.insert(bytes_.end(), value.begin(), value.end());
    return *this;
  }
  std::size_t size() const { return bytes_.size(); }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

std::string deflated(const std::string& content) {
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2");
  }
  std::string out(deflateBound(&stream, content.size()) + 16, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// What both headers of an entry say.
struct Header {
  std::uint16_t method = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed = 0;
  std::uint64_t size = 0;
  std::size_t offset = 0;
};

void common_fields(Bytes& out, const ZipEntry& entry, const Header& header) {
  const auto narrow = [&](std::uint64_t value) {
    return entry.zip64 ? std::numeric_limits<std::uint32_t>::max() : value;
  };
  out.number(entry.zip64 ? 45 : 20, 2).number(entry.flags, 2).number(header.method, 2);
  out.number(0, 2).number(0x5a21, 2).number(header.crc, 4);
  out.number(narrow(header.packed), 4).number(narrow(header.size), 4).number(entry.name.size(), 2);
  out.number(entry.zip64 ? 20 : 0, 2);
}

void zip64_extra(Bytes& out, const ZipEntry& entry, const Header& header) {
  if (entry.zip64) {
    out.number(1, 2).number(16, 2).number(header.size, 8).number(header.packed, 8);
  }
}

Header header_of(const ZipEntry& entry, const std::string& body, std::size_t offset) {
  Header header;
  header.method = entry.method.value_or(entry.deflate ? 8 : 0);
  header.crc = entry.declared_crc.value_or(
      static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(entry.content.data()),
                                       static_cast<uInt>(entry.content.size()))));
  header.packed = body.size();
  header.size = entry.declared_size.value_or(entry.content.size());
  header.offset = offset;
  return header;
}

}  // namespace

std::vector<std::uint8_t> zip_of(const std::vector<ZipEntry>& entries) {
  Bytes out;
  std::vector<Header> headers;
  for (const auto& entry : entries) {
    const auto body = entry.deflate ? deflated(entry.content) : entry.content;
    if (entry.body_of) {
      headers.push_back(header_of(entry, body, headers.at(*entry.body_of).offset));
      continue;
    }
    headers.push_back(header_of(entry, body, out.size()));
    out.number(0x04034b50, 4);
    common_fields(out, entry, headers.back());
    out.text(entry.name);
    zip64_extra(out, entry, headers.back());
    out.text(body);
  }
  const auto start = out.size();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    out.number(0x02014b50, 4).number(45, 2);
    common_fields(out, entries[i], headers[i]);
    out.number(0, 2).number(0, 2).number(0, 2).number(0, 4).number(headers[i].offset, 4);
    out.text(entries[i].name);
    zip64_extra(out, entries[i], headers[i]);
  }
  const auto size = out.size() - start;
  out.number(0x06054b50, 4).number(0, 4).number(entries.size(), 2).number(entries.size(), 2);
  out.number(size, 4).number(start, 4).number(0, 2);
  return out.take();
}

std::vector<std::uint8_t> zip_of(const std::map<std::string, std::string>& files) {
  std::vector<ZipEntry> entries;
  for (const auto& [name, content] : files) {
    entries.push_back({});
    entries.back().name = name;
    entries.back().content = content;
  }
  return zip_of(entries);
}

}  // namespace hprof::test
