#include "tools/hprof-index/sampler.h"

#include "common/checked.h"
#include "formats/address_set.h"
#include "formats/hprof_tags.h"
#include "formats/record_kind.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint64_t kFrontBytes = 8U << 20U;  // enough to have met the classes
constexpr std::uint64_t kPoints = 64;
constexpr std::uint64_t kBytesPerPoint = 1U << 20U;
constexpr std::uint64_t kPageHeapBytes = std::uint64_t{AddressSet::kPageGranules} * 8;

bool holds_heap(std::uint8_t record_tag) {
  return record_tag == tag::kHeapDump || record_tag == tag::kHeapDumpSegment;
}

}  // namespace

void Sampler::Estimates::add(const Counts& sample, double bytes) {
  if (sample.bytes != 0) {
    const double factor = bytes / static_cast<double>(sample.bytes);
    objects += factor * static_cast<double>(sample.objects);
    references += factor * static_cast<double>(sample.references);
    heap_bytes += factor * static_cast<double>(sample.heap_bytes);
  }
}

Sampler::Sampler(std::uint64_t id_size, std::uint64_t file_bytes, bool compressed)
    : id_size_(id_size),
      spared_(id_size == 8 ? 4 : 0),
      file_bytes_(std::max<std::uint64_t>(file_bytes, 1)),
      compressed_(compressed),
      offsets_(id_size) {}

bool Sampler::enough() {
  const bool enough = record_.bytes >= limit_;
  cut_ = cut_ || enough;
  return enough;
}

void Sampler::on_record(std::uint8_t record_tag, std::uint64_t bytes) {
  close_record();
  passed_bytes_ += bytes;
  // Point i lies at (2i + 1) / (2 kPoints) of the file.
  const double behind = static_cast<double>(passed_bytes_) / static_cast<double>(file_bytes_);
  const auto points = (static_cast<std::uint64_t>(behind * 2 * kPoints) + 1) / 2;
  record_points_ = std::min(points, kPoints) - points_;
  points_ += record_points_;
  if (holds_heap(record_tag)) {
    limit_ = wanted_of(bytes, record_points_ != 0);
    look_.places += limit_ != 0 ? 1 : 0;
  }
}

std::uint64_t Sampler::wanted_of(std::uint64_t bytes, bool has_point) const {
  const std::uint64_t front = kFrontBytes - std::min(kFrontBytes, all_.bytes);
  if (compressed_) {
    return kPoints * kBytesPerPoint - std::min(kPoints * kBytesPerPoint, all_.bytes);
  }
  const double share = static_cast<double>(bytes) / static_cast<double>(file_bytes_);
  const auto piece = static_cast<std::uint64_t>(share * kPoints * kBytesPerPoint);
  return std::max(front, has_point ? std::max(piece, kBytesPerPoint) : 0);
}

void Sampler::close_record() {
  const double distance = static_cast<double>(file_bytes_) / kPoints;
  estimates_.add(record_, distance * static_cast<double>(record_points_));
  all_.bytes += record_.bytes;
  all_.objects += record_.objects;
  all_.references += record_.references;
  all_.heap_bytes += record_.heap_bytes;
  record_ = {};
  last_id_ = 0;
}

void Sampler::on_class(const ClassDumpRecord& record) {
  offsets_.add_class(record.id, record.super_id);
  record_.bytes += 15 + 7 * id_size_;
  ++record_.objects;
}

void Sampler::on_static(std::uint64_t /*name_id*/, std::uint8_t type, std::uint64_t bits) {
  record_.bytes += id_size_ + 1 + value_bytes(type);
  record_.references += type == kTypeObject && bits != 0 ? 1 : 0;
}

void Sampler::on_field(std::uint64_t /*name_id*/, std::uint8_t type) {
  record_.bytes += id_size_ + 1;
  offsets_.add_field(type);
}

void Sampler::on_instance(std::uint64_t id, std::uint64_t class_id, std::uint32_t /*trace_serial*/,
                          std::uint32_t data_bytes, const std::uint8_t* data) {
  const auto* offsets = offsets_.of(class_id);
  // Half of the fields of a class that is not known yet are taken for references.
  const std::uint64_t references =
      offsets == nullptr ? data_bytes / id_size_ / 2 : count_references(*offsets, data, data_bytes);
  const std::uint64_t fields = offsets == nullptr ? references : offsets->size();
  record_.references += references;
  count_object(id, 9 + 2 * id_size_ + data_bytes,
               12 + data_bytes - std::min<std::uint64_t>(data_bytes, fields * spared_));
}

void Sampler::on_object_array(std::uint64_t id, std::uint64_t /*class_id*/,
                              std::uint32_t /*trace_serial*/, std::uint32_t elements) {
  count_object(id, 9 + 2 * id_size_ + std::uint64_t{elements} * id_size_,
               16 + std::uint64_t{elements} * (id_size_ - spared_));
}

void Sampler::on_elements(std::span<const std::uint8_t> ids) {
  for (std::size_t at = 0; at + id_size_ <= ids.size(); at += id_size_) {
    record_.references += is_null(ids.data() + at) ? 0 : 1;
  }
}

void Sampler::on_primitive_array(std::uint64_t id, std::uint8_t type,
                                 std::uint32_t /*trace_serial*/, std::uint32_t elements) {
  const std::uint64_t bytes = std::uint64_t{elements} * value_bytes(type);
  count_object(id, 10 + id_size_ + bytes, 16 + bytes);
}

std::uint64_t Sampler::value_bytes(std::uint8_t type) const {
  return type == kTypeObject ? id_size_ : primitive_width(type);
}

bool Sampler::is_null(const std::uint8_t* id) const {
  return std::all_of(id, id + id_size_, [](std::uint8_t byte) { return byte == 0; });
}

std::uint64_t Sampler::count_references(const std::vector<std::uint32_t>& offsets,
                                        const std::uint8_t* data, std::uint64_t data_bytes) const {
  std::uint64_t references = 0;
  for (const std::uint32_t offset : offsets) {
    references += offset + id_size_ <= data_bytes && !is_null(data + offset) ? 1 : 0;
  }
  return references;
}

void Sampler::count_object(std::uint64_t id, std::uint64_t bytes, std::uint64_t heap_bytes) {
  ++record_.objects;
  record_.bytes += bytes;
  record_.heap_bytes += std::min(align_up(heap_bytes, 8), kPageHeapBytes);
  if (last_id_ != 0) {
    ++pairs_;
    ascending_ += id > last_id_ ? 1 : 0;
  }
  last_id_ = id;
}

DumpSketch Sampler::result(std::uint64_t dump_bytes) {
  close_record();
  look_.whole = !cut_;
  look_.compressed = compressed_;
  look_.file_bytes = file_bytes_;
  look_.dump_bytes = dump_bytes;
  look_.sample_bytes = all_.bytes;
  look_.address_order = 10 * ascending_ >= 9 * pairs_;
  Estimates estimates;
  if (finished() || look_.whole) {
    estimates.add(all_, static_cast<double>(look_.whole ? all_.bytes : dump_bytes));
  } else {
    estimates = estimates_;
  }
  look_.objects = static_cast<std::uint64_t>(estimates.objects);
  look_.references = static_cast<std::uint64_t>(estimates.references);
  look_.bitmap_bytes = static_cast<std::uint64_t>(estimates.heap_bytes / 64);
  return look_;
}

}  // namespace hprof
