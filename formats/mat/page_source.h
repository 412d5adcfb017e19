#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace hprof {

/// What one export may hold at most, in files and bytes. Real exports stay far below; what lies
/// above is hostile or broken and is refused before anything is inflated.
struct PageLimits {
  std::uint64_t files = 200'000;
  std::uint64_t page_bytes = std::uint64_t{16} << 20U;
  std::uint64_t total_bytes = std::uint64_t{4} << 30U;
  std::uint64_t ratio = 200;                           ///< inflated to packed bytes …
  std::uint64_t ratio_from = std::uint64_t{1} << 20U;  ///< … of files at least this large
};

/// The pages of one MAT export, whatever they lie in.
class PageSource {
 public:
  virtual ~PageSource() = default;
  /// Name of the export for messages.
  virtual const std::string& label() const = 0;
  /// Whether links can be followed; false for a page that was given alone.
  virtual bool complete() const = 0;
  virtual bool has(const std::string& name) const = 0;
  /// The page's bytes; Error(bad_data) when they are damaged or too many.
  virtual std::string read(const std::string& name) const = 0;
};

/// The pages in a zip archive. Error(bad_data) when the archive is damaged, encrypted, not
/// deflated, or hostile: names that leave the archive, names given twice, entries that overlap, and
/// sizes beyond `limits`.
std::unique_ptr<PageSource> open_zip_pages(const std::string& path, const PageLimits& limits = {});

/// The same for an archive in memory, which must outlive the result.
std::unique_ptr<PageSource> zip_pages_in_memory(std::span<const std::uint8_t> bytes,
                                                const std::string& label,
                                                const PageLimits& limits = {});

/// The pages of an export that was unpacked into a folder.
std::unique_ptr<PageSource> open_folder_pages(const std::string& path,
                                              const PageLimits& limits = {});

/// One page alone, under the name "index.html".
std::unique_ptr<PageSource> open_single_page(const std::string& path,
                                             const PageLimits& limits = {});

/// The page that `href` leads to from page `from`, as a name within the export; empty when it leads
/// elsewhere.
std::string resolve_link(const std::string& from, const std::string& href);

/// Whether a name stays inside its archive: relative, without "..", backslash, drive letter or
/// control character.
bool is_inner_name(const std::string& name);

}  // namespace hprof
