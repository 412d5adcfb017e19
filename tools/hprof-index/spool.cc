#include "tools/hprof-index/spool.h"

#include "common/error.h"
#include "common/input_file.h"
#include "common/output_file.h"
#include "common/text.h"
#include "common/text_input.h"

#include <cerrno>
#include <fcntl.h>
#include <span>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace hprof {
namespace {

constexpr std::size_t kPieceBytes = 1U << 20U;
constexpr const char* kStandardInput = "-";

FileDescriptor open_stream(const std::string& dump) {
  if (dump == kStandardInput) {
    return FileDescriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
  }
  return FileDescriptor(::open(dump.c_str(), O_RDONLY | O_CLOEXEC));
}

void save(const FileDescriptor& stream, const std::string& name, const std::string& path) {
  OutputFile file(path);
  std::vector<std::uint8_t> piece(kPieceBytes);
  while (const std::size_t count = read_piece(stream, name, piece, ExitCode::no_input)) {
    file.write(std::span(piece).first(count));
  }
  if (file.bytes_written() == 0) {
    fail(ExitCode::bad_data, name, ": is empty; is the program that writes it still there?");
  }
  file.commit();
}

}  // namespace

std::string file_of_dump(const std::string& dump, const std::string& folder) {
  const bool is_input = dump == kStandardInput;
  if (!is_input && !is_stream(dump)) {
    return dump;
  }
  const std::string name = is_input ? "standard input" : printable(dump);
  if (!is_input && is_device(dump)) {
    fail(ExitCode::no_input, name, ": is a device; name a heap dump, or a pipe that delivers one");
  }
  if (folder.empty()) {
    fail(ExitCode::no_input, name,
         ": a dump is read more than once, which a stream cannot be; save it to a file, or give "
         "--spool DIR");
  }
  std::string path = folder + "/" + (is_input ? "stdin.hprof" : base_name(dump));
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0) {
    fail(ExitCode::cannot_create, printable(path),
         ": exists already; remove it, or give --spool another folder");
  }
  const auto stream = open_stream(dump);
  if (stream.value() < 0) {
    fail(ExitCode::no_input, name, ": cannot be read: ", errno_text(errno));
  }
  save(stream, name, path);
  return path;
}

}  // namespace hprof
