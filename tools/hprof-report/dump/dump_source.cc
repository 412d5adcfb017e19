#include "tools/hprof-report/dump/dump_source.h"

#include "common/byte_source.h"
#include "common/input_file.h"
#include "formats/dump_parts.h"

#include <utility>

namespace hprof {
namespace {

/// A source that somebody else keeps.
class BorrowedSource : public ByteSource {
 public:
  explicit BorrowedSource(ByteSource& source) : source_(source) { source_.go_to(0); }

  std::size_t read(std::span<std::uint8_t> out) override { return source_.read(out); }
  std::uint64_t skip(std::uint64_t count) override { return source_.skip(count); }
  std::uint64_t go_to(std::uint64_t position) override { return source_.go_to(position); }
  std::string damage() const override { return source_.damage(); }
  std::uint64_t bytes_read() const override { return source_.bytes_read(); }
  bool is_compressed() const override { return source_.is_compressed(); }
  std::uint64_t file_position() const override { return source_.file_position(); }

 private:
  ByteSource& source_;
};

}  // namespace

DumpSource::DumpSource(std::string path, std::uint32_t dump_number, const HeapIndex& index,
                       RecordPlaces places)
    : path_(std::move(path)),
      dump_number_(dump_number),
      size_(file_size(open_input(path_), path_)),
      index_(index),
      type_ids_(index),
      fields_(index),
      places_(std::move(places)) {}

std::unique_ptr<ByteSource> DumpSource::reopen() {
  if (!source_) {
    source_ = open_damaged_source(path_, index_.damage);
    source_->expect_returns();
  }
  return std::make_unique<BorrowedSource>(*source_);
}

}  // namespace hprof
