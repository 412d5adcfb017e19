#pragma once

#include "common/ranked_bits.h"
#include "formats/content_hash.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/strings/content_groups.h"

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace hprof {

/// Makes sure that arrays with equal hashes are equal: each is compared with the first of its group
/// while the dump passes by. The bytes of firsts are kept as far as a budget goes, beyond it (and
/// for arrays that come in pieces) a digest of 128 bits. Arrays that differ get groups of their
/// own.
class ArrayVerifier : public Surveyor {
 public:
  static constexpr std::size_t kByteBudget = 8U << 20U;

  /// `arrays` are the objects that `groups` numbers.
  ArrayVerifier(const HeapIndex& index, const RankedBits& arrays, ContentGroups& groups,
                std::size_t byte_budget = kByteBudget)
      : index_(index), arrays_(arrays), groups_(groups), byte_budget_(byte_budget) {}

  bool wants(std::uint32_t type) override { return is_primitive_array(index_.types[type].kind); }
  bool wants_contents(std::uint32_t type) override { return wants(type); }
  void on_array(const ObjectRecord& record) override;
  void on_elements(std::span<const std::uint8_t> elements) override;
  void on_array_end() override;

  std::uint64_t compared_by_bytes() const { return by_bytes_; }
  std::uint64_t compared_by_digest() const { return by_digest_; }
  std::uint64_t collisions() const { return collisions_; }

 private:
  /// What a group's first array looks like.
  struct Proof {
    enum class Kind : std::uint8_t { none, bytes, digest };
    Kind kind = Kind::none;
    std::uint32_t place = 0;  ///< in arena_ or digests_
  };
  /// The array that is passing by; `whole` has all of its bytes unless they come in pieces.
  struct Current {
    std::uint32_t object = 0;
    std::uint32_t type = 0;
    RecordKind kind = RecordKind::byte_array;
    std::uint32_t length = 0;
    std::uint64_t bytes = 0;
    std::span<const std::uint8_t> whole;
    DigestTaker digest;
  };

  static constexpr std::uint64_t kAhead = 8;  ///< arrays

  static void describe(ContentGroup& group, const ObjectRecord& record);
  void look_ahead(std::uint64_t array);
  void settle();
  void adopt(std::uint32_t group);
  void count(std::uint32_t group);
  bool equals(std::uint32_t group);
  void part_from(std::uint32_t group);
  bool is_whole() const { return current_.whole.size() == current_.bytes; }
  ContentDigest digest() const;
  Proof& proof(std::uint32_t group);

  const HeapIndex& index_;
  const RankedBits& arrays_;
  ContentGroups& groups_;
  std::size_t byte_budget_;
  bool open_ = false;
  Current current_;
  std::vector<Proof> proofs_;  ///< by group
  std::vector<std::uint8_t> arena_;
  std::vector<ContentDigest> digests_;
  std::map<std::pair<std::uint32_t, ContentDigest>, std::uint32_t> parted_;
  std::uint64_t by_bytes_ = 0;
  std::uint64_t by_digest_ = 0;
  std::uint64_t collisions_ = 0;
};

}  // namespace hprof
