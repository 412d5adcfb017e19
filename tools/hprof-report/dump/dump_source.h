#pragma once

#include "common/steps.h"
#include "formats/hprof_reader.h"
#include "formats/record_place.h"
#include "formats/type_ids.h"
#include "tools/hprof-report/dump/field_table.h"

#include <cstdint>
#include <memory>
#include <string>

namespace hprof {

/// The dump itself, for those who need more of an object than the stage files hold.
class DumpSource {
 public:
  /// `path` names the dump that the index was made from (see find_dump()).
  DumpSource(std::string path, std::uint32_t dump_number, const HeapIndex& index,
             RecordPlaces places);

  const HeapIndex& index() const { return index_; }
  const TypeIds& type_ids() const { return type_ids_; }
  FieldTable& fields() { return fields_; }
  const RecordPlaces& places() const { return places_; }

  /// Reads the whole dump with a visitor.
  template <typename Visitor>
  void read_all(Visitor& visitor, Progress& progress) {
    BufferedInput input(reopen());
    const auto header = read_hprof_header(input, path_);
    HprofReader<Visitor> reader(input, header, base_name(path_), visitor);
    reader.set_input_size(input.source().is_compressed() ? 0 : size_);
    reader.pass_over(index_.damage);
    reader.read({.number = dump_number_},
                [&](std::uint64_t position) { progress.update(position, size_); });
    count_pass();
  }

  /// Reads the stretches between places for which `wanted(place)` says so, in order, until the
  /// visitor has finished().
  template <typename Visitor, typename Wanted>
  void read_stretches(Visitor& visitor, Wanted&& wanted) {
    BufferedInput input(reopen(), kStretchBuffer);
    const auto header = read_hprof_header(input, path_);
    HprofReader<Visitor> reader(input, header, base_name(path_), visitor);
    reader.set_input_size(input.source().is_compressed() ? 0 : size_);
    reader.pass_over(index_.damage);
    const auto& rows = places_.rows;
    for (std::size_t i = 0; i < rows.size() && !visitor.finished(); ++i) {
      if (wanted(rows[i])) {
        reader.read_stretch(rows[i], i + 1 < rows.size() ? rows[i + 1].position : places_.end);
      }
    }
    count_pass();
  }

  /// Passes over the dump so far, and bytes of the file read in them.
  std::uint64_t passes() const { return passes_; }
  std::uint64_t bytes_read() const { return source_ ? source_->bytes_read() : 0; }

 private:
  static constexpr std::size_t kStretchBuffer = 1U << 16U;

  /// The one source of all passes, from its beginning: what it has learnt of a packed dump serves
  /// the next pass.
  std::unique_ptr<ByteSource> reopen();
  void count_pass() { ++passes_; }

  std::string path_;
  std::uint32_t dump_number_;
  std::uint64_t size_;
  const HeapIndex& index_;
  TypeIds type_ids_;
  FieldTable fields_;
  RecordPlaces places_;
  std::unique_ptr<ByteSource> source_;
  std::uint64_t passes_ = 0;
};

}  // namespace hprof
