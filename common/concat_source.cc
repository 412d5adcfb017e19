#include "common/concat_source.h"

#include "common/error.h"
#include "common/text.h"

#include <algorithm>
#include <utility>

namespace hprof {
namespace {

class ConcatSource : public ByteSource {
 public:
  explicit ConcatSource(std::vector<SourcePart> parts) : parts_(std::move(parts)) {}

  std::size_t read(std::span<std::uint8_t> out) override {
    std::size_t done = 0;
    while (done < out.size() && find_part()) {
      const auto room = static_cast<std::size_t>(
          std::min<std::uint64_t>(out.size() - done, parts_[part_].bytes - in_part_));
      const std::size_t got = parts_[part_].source->read(out.subspan(done, room));
      moved(got);
      done += got;
    }
    return done;
  }

  std::uint64_t skip(std::uint64_t count) override {
    std::uint64_t done = 0;
    while (done < count && find_part()) {
      const std::uint64_t room = std::min(count - done, parts_[part_].bytes - in_part_);
      const std::uint64_t got = parts_[part_].source->skip(room);
      moved(got);
      done += got;
    }
    return done;
  }

  std::uint64_t go_to(std::uint64_t position) override {
    before_ = 0;
    for (part_ = 0; part_ < parts_.size() && position - before_ >= parts_[part_].bytes; ++part_) {
      before_ += parts_[part_].bytes;
    }
    in_part_ = 0;
    for (std::size_t i = part_; i < parts_.size(); ++i) {
      parts_[i].source->go_to(0);
    }
    if (part_ < parts_.size()) {
      in_part_ = parts_[part_].source->go_to(position - before_);
    }
    return before_ + in_part_;
  }

  void expect_returns() override {
    for (const auto& part : parts_) {
      part.source->expect_returns();
    }
  }

  std::uint64_t bytes_read() const override {
    return sum([](const ByteSource& source) { return source.bytes_read(); });
  }
  bool is_compressed() const override { return true; }
  std::uint64_t file_position() const override {
    return sum([](const ByteSource& source) { return source.file_position(); });
  }

 private:
  template <typename Figure>
  std::uint64_t sum(Figure figure) const {
    std::uint64_t total = 0;
    for (const auto& part : parts_) {
      total += figure(*part.source);
    }
    return total;
  }

  /// Goes on to the part that has the next byte; false at the end.
  bool find_part() {
    while (part_ < parts_.size() && in_part_ == parts_[part_].bytes) {
      before_ += parts_[part_].bytes;
      in_part_ = 0;
      ++part_;
    }
    return part_ < parts_.size();
  }

  void moved(std::uint64_t bytes) {
    if (bytes == 0) {
      fail(ExitCode::no_input, printable(parts_[part_].name),
           ": is shorter than it was; run hprof-index again");
    }
    in_part_ += bytes;
  }

  std::vector<SourcePart> parts_;
  std::size_t part_ = 0;       // the one at hand
  std::uint64_t before_ = 0;   // bytes of the parts before it
  std::uint64_t in_part_ = 0;  // bytes of it that are behind us
};

}  // namespace

std::unique_ptr<ByteSource> concatenate(std::vector<SourcePart> parts) {
  return std::make_unique<ConcatSource>(std::move(parts));
}

}  // namespace hprof
