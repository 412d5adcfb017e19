// Any bytes as a page of a MAT report: it is read into an export, or refused with a sentence.
#include "common/error.h"
#include "formats/mat/mat_reader.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

/// One page under every name, so that links lead back to it.
class OnePage final : public hprof::PageSource {
 public:
  explicit OnePage(std::string page) : page_(std::move(page)) {}

  const std::string& label() const override { return label_; }
  bool complete() const override { return false; }
  bool has(const std::string& /*name*/) const override { return true; }
  std::string read(const std::string& /*name*/) const override { return page_; }

 private:
  std::string page_;
  std::string label_ = "fuzz.html";
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The end that every whole page has, so that most inputs get past the first check.
  std::string page(reinterpret_cast<const char*>(data), size);
  page += "</html>";
  const OnePage source(std::move(page));
  try {
    hprof::MatExport result;
    hprof::read_mat_page(hprof::open_mat_page(source, "index.html"), result);
  } catch (const hprof::Error& error) {
    if (error.code() != hprof::ExitCode::bad_data || std::string(error.what()).empty()) {
      __builtin_trap();
    }
  }
  return 0;
}
