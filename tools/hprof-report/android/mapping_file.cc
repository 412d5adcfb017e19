// The format is one of lines: "original.Name -> a.b:" begins a class, indented lines are its
// members: "type name -> a" a field, "12:34:type name(types):56 -> a" a method; "#" begins a
// comment. Lines that are none of these are passed over, as tools add more from time to time.
#include "tools/hprof-report/android/mapping_file.h"

#include "common/error.h"
#include "common/open_source.h"
#include "common/text.h"
#include "common/text_input.h"
#include "common/utf8.h"

#include <array>
#include <cstdint>

namespace hprof {
namespace {

constexpr std::size_t kMostLineBytes = 1U << 20U;
constexpr std::string_view kArrow = " -> ";

/// The lines of a file, without their ends.
class LineSource {
 public:
  explicit LineSource(const std::string& path)
      : path_(path), source_(open_source(open_text_input(path), path)) {}

  bool next(std::string& line) {
    line.clear();
    bool any = false;
    for (;;) {
      if (at_ == filled_ && !fill()) {
        return any;
      }
      any = true;
      const std::string_view rest(buffer_.data() + at_, filled_ - at_);
      const std::size_t end = rest.find('\n');
      add(line, rest.substr(0, end));
      at_ += end == std::string_view::npos ? rest.size() : end + 1;
      if (end != std::string_view::npos) {
        return true;
      }
    }
  }

 private:
  bool fill() {
    at_ = 0;
    filled_ = source_->read({reinterpret_cast<std::uint8_t*>(buffer_.data()), buffer_.size()});
    return filled_ != 0;
  }
  void add(std::string& line, std::string_view piece) const {
    if (line.size() + piece.size() > kMostLineBytes) {
      fail(ExitCode::bad_data, printable(path_),
           ": a line of more than a megabyte; is it the mapping file of R8 or ProGuard?");
    }
    line += piece;
  }

  std::string path_;
  std::unique_ptr<ByteSource> source_;
  std::array<char, 1U << 16U> buffer_{};
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string_view::npos
             ? std::string_view()
             : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Tells a class or field that a line names; true for a class.
bool tell(std::string_view line, MappingListener& listener) {
  const bool member = line.starts_with(' ') || line.starts_with('\t');
  const std::string_view text = trimmed(line);
  const std::size_t arrow = text.find(kArrow);
  if (text.starts_with('#') || arrow == std::string_view::npos) {
    return false;
  }
  const std::string_view left = trimmed(text.substr(0, arrow));
  const std::string_view right = trimmed(text.substr(arrow + kArrow.size()));
  if (!member && right.ends_with(':')) {
    listener.on_class(left, trimmed(right.substr(0, right.size() - 1)));
    return true;
  }
  const std::size_t space = left.rfind(' ');
  if (member && space != std::string_view::npos && left.find('(') == std::string_view::npos) {
    const std::string_view name = left.substr(space + 1);
    // A field that was moved here from another class is named with it.
    listener.on_field(name.substr(name.rfind('.') + 1), right);
  }
  return false;
}

}  // namespace

void read_mapping(const std::string& path, MappingListener& listener) {
  LineSource lines(path);
  bool any = false;
  bool first = true;
  for (std::string line; lines.next(line); first = false) {
    const bool marked = first && line.starts_with(kByteOrderMark);
    any = tell(std::string_view(line).substr(marked ? kByteOrderMark.size() : 0), listener) || any;
  }
  if (!any) {
    fail(ExitCode::bad_data, printable(path),
         ": names no class; --mapping takes the mapping.txt of R8 or ProGuard");
  }
}

}  // namespace hprof
