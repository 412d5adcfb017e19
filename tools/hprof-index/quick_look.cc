// Records of a plain dump can be passed over without reading them, since their length stands in
// front. So the reader hops from heap record to heap record and looks at the first objects of some.
// Where one record holds the whole heap, only its beginning can be looked at.
#include "tools/hprof-index/quick_look.h"

#include "common/input_stream.h"
#include "common/text.h"
#include "formats/dump_parts.h"
#include "formats/gap_reading.h"
#include "formats/hprof_header.h"
#include "formats/lenient_reader.h"
#include "formats/packing_rows.h"
#include "tools/hprof-index/sampler.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::size_t kBufferBytes = 16U
                                     << 10U;  // all that is read of a record that is passed over

/// Bytes of the whole inflated dump, by how far the part behind the reader was inflated.
std::uint64_t inflated_bytes(const BufferedInput& input, std::uint64_t file_bytes) {
  const auto position = static_cast<double>(input.position());
  const auto packed = std::max<std::uint64_t>(input.source().file_position(), 1);
  return static_cast<std::uint64_t>(position / static_cast<double>(packed) *
                                    static_cast<double>(file_bytes));
}

/// What is said of the first place that is damaged; "" if none is. What stands behind a packed dump
/// without an end is the rest of it.
std::string first_damage(DumpDamage found, const ByteSource& source, bool is_open) {
  add_packing_rows(source.gaps(), found);
  if (found.any()) {
    const auto& first = found.rows.front();
    return concat("byte ", hex_address(first.position), ": ", first.what);
  }
  const std::uint64_t ignored = is_open ? source.ignored_bytes() : 0;
  return ignored == 0 ? "" : concat(ignored, " bytes behind the gzip stream are no gzip data");
}

}  // namespace

DumpSketch look_at_dump(const std::string& path, const std::vector<DumpPart>& parts) {
  BufferedInput input(open_dump(path, parts), kBufferBytes);
  const auto header = read_hprof_header(input, path);
  const std::uint64_t size = bytes_of_files(path, parts);
  const bool compressed = input.source().is_compressed();
  Sampler sampler(header.identifier_size, size, compressed);
  LenientReader<Sampler> reader(input, header, path, sampler);
  read_over_gaps(reader, input, {}, [](std::uint64_t) {});
  DumpSketch look = sampler.result(sampler.finished() ? inflated_bytes(input, size)
                                   : compressed       ? input.position()
                                                      : size);
  look.damage = first_damage(reader.found(), input.source(), reader.is_open());
  return look;
}

}  // namespace hprof
