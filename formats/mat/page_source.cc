// Pages in a folder or alone, and the names that links in pages may lead to.
#include "formats/mat/page_source.h"

#include "common/error.h"
#include "common/input_file.h"
#include "common/text.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace hprof {
namespace {

std::string read_page_file(const std::string& path, const PageLimits& limits) {
  const auto file = open_input(path);
  const auto bytes = file_size(file, path);
  if (bytes > limits.page_bytes) {
    fail(ExitCode::bad_data, path, ": ", grouped(bytes),
         " bytes, more than a page of MAT has; give a MAT export");
  }
  std::string page(bytes, '\0');
  const auto got =
      read_at(file, path, 0, {reinterpret_cast<std::uint8_t*>(page.data()), page.size()});
  page.resize(got);
  return page;
}

class FolderPages final : public PageSource {
 public:
  FolderPages(std::string path, const PageLimits& limits)
      : path_(std::move(path)), label_(base_name(path_)), limits_(limits) {}

  const std::string& label() const override { return label_; }
  bool complete() const override { return true; }
  bool has(const std::string& name) const override {
    return is_inner_name(name) && std::filesystem::is_regular_file(path_ + "/" + name);
  }
  std::string read(const std::string& name) const override {
    return read_page_file(path_ + "/" + name, limits_);
  }

 private:
  std::string path_;
  std::string label_;
  PageLimits limits_;
};

class SinglePage final : public PageSource {
 public:
  SinglePage(std::string path, const PageLimits& limits)
      : path_(std::move(path)), label_(base_name(path_)), limits_(limits) {}

  const std::string& label() const override { return label_; }
  bool complete() const override { return false; }
  bool has(const std::string& name) const override { return name == "index.html"; }
  std::string read(const std::string& /*name*/) const override {
    return read_page_file(path_, limits_);
  }

 private:
  std::string path_;
  std::string label_;
  PageLimits limits_;
};

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (start <= path.size()) {
    const auto end = std::min(path.find('/', start), path.size());
    parts.push_back(path.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

}  // namespace

std::unique_ptr<PageSource> open_folder_pages(const std::string& path, const PageLimits& limits) {
  return std::make_unique<FolderPages>(path, limits);
}

std::unique_ptr<PageSource> open_single_page(const std::string& path, const PageLimits& limits) {
  return std::make_unique<SinglePage>(path, limits);
}

bool is_inner_name(const std::string& name) {
  if (name.empty() || name.front() == '/' || name.find_first_of("\\:") != std::string::npos) {
    return false;
  }
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
  return std::ranges::none_of(name, is_control) &&
         std::ranges::none_of(split_path(name),
                              [](const std::string& part) { return part == ".."; });
}

std::string resolve_link(const std::string& from, const std::string& href) {
  const auto target = href.substr(0, href.find('#'));
  if (target.empty() || target.front() == '/' || target.find_first_of("\\:") != std::string::npos) {
    return {};
  }
  auto parts = split_path(from);
  parts.pop_back();
  for (const auto& part : split_path(target)) {
    if (part != "..") {
      parts.push_back(part);
    } else if (parts.empty()) {
      return {};
    } else {
      parts.pop_back();
    }
  }
  std::string name;
  for (const auto& part : parts) {
    name += name.empty() ? part : "/" + part;
  }
  return is_inner_name(name) ? name : std::string{};
}

}  // namespace hprof
