// Reads the zip archives of MAT by libzip: it knows nothing but zip and has the whole central
// directory before the first byte is inflated, so every bound is checked on declared sizes first
// and on delivered bytes again.
#include "common/checked.h"
#include "common/error.h"
#include "common/input_file.h"
#include "common/text.h"
#include "formats/mat/page_source.h"

#include <zip.h>

#include <map>
#include <set>

namespace hprof {
namespace {

struct CloseZip {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
using ZipHandle = std::unique_ptr<zip_t, CloseZip>;

struct CloseEntry {
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};
using EntryHandle = std::unique_ptr<zip_file_t, CloseEntry>;

struct Entry {
  zip_uint64_t index = 0;
  std::uint64_t bytes = 0;
};

[[noreturn]] void refuse(const std::string& label, const std::string& what) {
  fail(ExitCode::bad_data, label, ": ", what, "; export the report from MAT again");
}

[[noreturn]] void refuse(const std::string& label, const std::string& name,
                         const std::string& what) {
  fail(ExitCode::bad_data, label, ": ", printable(name), ": ", what,
       "; export the report from MAT again");
}

/// Checks one entry of the central directory against what an export can be.
void check_entry(const std::string& label, const zip_stat_t& entry, const PageLimits& limits) {
  constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE |
                                   ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if ((entry.valid & kNeeded) != kNeeded) {
    refuse(label, "an entry of the archive is incomplete");
  }
  const std::string name = entry.name;
  if (!is_inner_name(name)) {
    refuse(label, name, "this name leads out of the archive");
  }
  if (entry.encryption_method != ZIP_EM_NONE) {
    refuse(label, name, "encrypted");
  }
  if (entry.comp_method != ZIP_CM_STORE && entry.comp_method != ZIP_CM_DEFLATE) {
    refuse(label, name,
           concat("packed by method ", entry.comp_method, ", neither stored nor deflated"));
  }
  if (entry.size > limits.page_bytes) {
    refuse(label, name,
           concat("claims ", grouped(entry.size), " bytes, more than a page can have"));
  }
  if (entry.size >= limits.ratio_from && entry.size / limits.ratio >= entry.comp_size) {
    refuse(label, name, concat("unpacks to over ", limits.ratio, " times its size"));
  }
}

class ZipPages final : public PageSource {
 public:
  ZipPages(ZipHandle archive, std::string label, std::uint64_t archive_bytes,
           const PageLimits& limits)
      : archive_(std::move(archive)), label_(std::move(label)) {
    list_entries(archive_bytes, limits);
  }

  const std::string& label() const override { return label_; }
  bool complete() const override { return true; }
  bool has(const std::string& name) const override { return entries_.contains(name); }

  std::string read(const std::string& name) const override {
    const auto found = entries_.find(name);
    if (found == entries_.end()) {
      refuse(label_, name, "not in the archive");
    }
    const EntryHandle entry(zip_fopen_index(archive_.get(), found->second.index, 0));
    if (!entry) {
      refuse(label_, name, zip_strerror(archive_.get()));
    }
    return inflate(entry.get(), name, found->second.bytes);
  }

 private:
  void list_entries(std::uint64_t archive_bytes, const PageLimits& limits) {
    const auto count = zip_get_num_entries(archive_.get(), 0);
    if (count < 0 || static_cast<std::uint64_t>(count) > limits.files) {
      refuse(label_, concat("holds ", count, " files, more than an export can have"));
    }
    std::uint64_t total = 0;
    std::uint64_t packed = 0;
    for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(count); ++i) {
      zip_stat_t entry;
      if (zip_stat_index(archive_.get(), i, ZIP_FL_ENC_RAW, &entry) != 0) {
        refuse(label_, zip_strerror(archive_.get()));
      }
      check_entry(label_, entry, limits);
      total = checked_add(total, entry.size);
      packed = checked_add(packed, entry.comp_size);
      if (!entries_.emplace(entry.name, Entry{i, entry.size}).second) {
        refuse(label_, entry.name, "in the archive twice");
      }
    }
    if (total > limits.total_bytes) {
      refuse(label_,
             concat("claims ", grouped(total), " bytes in all, more than an export can have"));
    }
    if (packed > archive_bytes) {
      refuse(label_, "its entries overlap");
    }
  }

  /// Reads to the end, where libzip compares the checksum.
  std::string inflate(zip_file_t* entry, const std::string& name, std::uint64_t declared) const {
    std::string bytes(declared + 1, '\0');
    std::uint64_t filled = 0;
    while (filled <= declared) {
      const auto count = zip_fread(entry, bytes.data() + filled, declared + 1 - filled);
      if (count < 0) {
        refuse(label_, name, concat("damaged: ", zip_file_strerror(entry)));
      }
      if (count == 0) {
        break;
      }
      filled += static_cast<std::uint64_t>(count);
    }
    if (filled != declared) {
      refuse(label_, name,
             concat("claims ", format_count(declared, "byte", "bytes"), " and has ",
                    filled > declared ? "more" : "fewer"));
    }
    bytes.resize(declared);
    return bytes;
  }

  ZipHandle archive_;
  std::string label_;
  std::map<std::string, Entry> entries_;
};

/// Why an archive was not opened; libzip already refuses names that are given twice.
std::string error_text(zip_error_t* error) {
  std::string text = zip_error_code_zip(error) == ZIP_ER_EXISTS ? "a file is in it twice"
                                                                : zip_error_strerror(error);
  zip_error_fini(error);
  return text;
}

}  // namespace

std::unique_ptr<PageSource> open_zip_pages(const std::string& path, const PageLimits& limits) {
  const auto bytes = file_size(open_input(path), path);
  int code = 0;
  ZipHandle archive(zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code));
  if (!archive) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    refuse(path, concat("not a whole zip archive (", error_text(&error), ")"));
  }
  return std::make_unique<ZipPages>(std::move(archive), base_name(path), bytes, limits);
}

std::unique_ptr<PageSource> zip_pages_in_memory(std::span<const std::uint8_t> bytes,
                                                const std::string& label,
                                                const PageLimits& limits) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  if (source == nullptr) {
    refuse(label, error_text(&error));
  }
  ZipHandle archive(zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error));
  if (!archive) {
    zip_source_free(source);
    refuse(label, concat("not a whole zip archive (", error_text(&error), ")"));
  }
  return std::make_unique<ZipPages>(std::move(archive), label, bytes.size(), limits);
}

}  // namespace hprof
