#pragma once

#include "common/varint.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace hprof {

/// Append-only bytes in pages, for logs of unknown length: entries of at most kMaxEntryBytes, each
/// within one page.
class PagedLog {
 public:
  static constexpr std::size_t kMaxEntryBytes = 2 * kMaxVarintBytes;

  /// Room for one entry; commit(one past its last byte) must follow.
  std::uint8_t* reserve() {
    if (static_cast<std::size_t>(page_end_ - next_) < kMaxEntryBytes) {
      add_page();
    }
    return next_;
  }

  void commit(std::uint8_t* end) { next_ = end; }

  /// Bytes held, unused ends of pages included.
  std::uint64_t bytes() const { return pages_.size() * sizeof(Page); }

  /// Reads what was appended, front to back, as varints.
  class Reader {
   public:
    explicit Reader(const PagedLog& log) : log_(&log) { load(); }

    /// True when another entry follows; steps over page borders, so call it before each entry.
    bool more() {
      while (cursor_.at_end() && page_ + 1 < log_->pages_.size()) {
        ++page_;
        load();
      }
      return !cursor_.at_end();
    }

    std::uint64_t next() { return cursor_.next(); }
    std::int64_t next_signed() { return cursor_.next_signed(); }

   private:
    void load() {
      if (page_ < log_->pages_.size()) {
        const auto& page = *log_->pages_[page_];
        const bool last = page_ + 1 == log_->pages_.size();
        cursor_ = VarintCursor(page.bytes, last ? log_->next_ : page.bytes + page.used);
      }
    }

    const PagedLog* log_;
    std::size_t page_ = 0;
    VarintCursor cursor_;
  };

 private:
  static constexpr std::size_t kPageBytes = 4096 - sizeof(std::uint32_t);

  struct Page {
    Page() {}                // bytes stay uninitialised
    std::uint32_t used = 0;  // once another page follows
    std::uint8_t bytes[kPageBytes];
  };

  void add_page() {
    if (!pages_.empty()) {
      pages_.back()->used = static_cast<std::uint32_t>(next_ - pages_.back()->bytes);
    }
    pages_.push_back(std::make_unique<Page>());
    next_ = pages_.back()->bytes;
    page_end_ = next_ + kPageBytes;
  }

  std::vector<std::unique_ptr<Page>> pages_;
  std::uint8_t* next_ = nullptr;
  std::uint8_t* page_end_ = nullptr;
};

}  // namespace hprof
