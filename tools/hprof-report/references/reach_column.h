#pragma once

#include "common/big_array.h"
#include "tools/hprof-report/references/strength.h"

#include <cstdint>

namespace hprof {

/// A byte per object: how strongly it is held, what kinds of references it is the referent of, and
/// whether the reference itself dominates it. At first all are held strongly, which takes no
/// memory.
class ReachColumn {
 public:
  ReachColumn() = default;
  explicit ReachColumn(std::uint64_t objects) : bytes_(BigArray<std::uint8_t>::sparse(objects)) {}

  bool known(std::uint32_t object) const { return (bytes_[object] & kStrengthMask) != kUnknown; }
  Strength strength(std::uint32_t object) const {
    return static_cast<Strength>(bytes_[object] & kStrengthMask);
  }
  void set_strength(std::uint32_t object, Strength strength) {
    bytes_[object] = static_cast<std::uint8_t>((bytes_[object] & ~kStrengthMask) |
                                               static_cast<unsigned>(strength));
  }
  void forget_all() {
    bytes_.expect_many();
    for (auto& byte : bytes_) {
      byte |= kUnknown;
    }
  }

  /// `kind` is not strong.
  bool is_referent(std::uint32_t object, Strength kind) const {
    return (bytes_[object] & referent_bit(kind)) != 0;
  }
  /// Neither held weakly nor the referent of a reference.
  bool is_ordinary(std::uint32_t object) const {
    return (bytes_[object] & (kStrengthMask | kReferentMask)) ==
           static_cast<unsigned>(Strength::strong);
  }
  /// Whether any object is the referent of such references.
  bool has_referents(Strength kind) const { return (referents_ & referent_bit(kind)) != 0; }
  bool is_any_referent(std::uint32_t object) const { return (bytes_[object] & kReferentMask) != 0; }
  void set_referent(std::uint32_t object, Strength kind) {
    bytes_[object] |= referent_bit(kind);
    referents_ |= referent_bit(kind);
  }

  bool is_under_its_reference(std::uint32_t object) const {
    return (bytes_[object] & kUnderItsReference) != 0;
  }
  void set_under_its_reference(std::uint32_t object) { bytes_[object] |= kUnderItsReference; }

 private:
  static constexpr std::uint8_t kStrengthMask = 0x07;
  static constexpr std::uint8_t kUnknown = 0x07;
  static_assert(static_cast<unsigned>(Strength::strong) == 0);
  static constexpr std::uint8_t kReferentMask = 0x78;
  static constexpr std::uint8_t kUnderItsReference = 0x80;

  static constexpr std::uint8_t referent_bit(Strength kind) {
    return static_cast<std::uint8_t>(0x04U << static_cast<unsigned>(kind));
  }

  BigArray<std::uint8_t> bytes_;
  std::uint8_t referents_ = 0;  ///< bits of the kinds that occur
};

}  // namespace hprof
