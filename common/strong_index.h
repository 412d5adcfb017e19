#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace hprof {

/// A 32-bit row number that cannot be mixed up with rows of another table.
template <typename Tag>
class StrongIndex {
 public:
  static constexpr std::uint32_t kNoneValue = 0xffffffffU;

  constexpr StrongIndex() = default;
  constexpr explicit StrongIndex(std::uint32_t value) : value_(value) {}
  static constexpr StrongIndex none() { return StrongIndex(); }

  constexpr std::uint32_t value() const { return value_; }
  constexpr bool is_none() const { return value_ == kNoneValue; }
  // NOLINTNEXTLINE(modernize-use-nullptr): the zero is the compiler's own
  constexpr auto operator<=>(const StrongIndex&) const = default;

 private:
  std::uint32_t value_ = kNoneValue;
};

}  // namespace hprof

template <typename Tag>
struct std::hash<hprof::StrongIndex<Tag>> {
  std::size_t operator()(hprof::StrongIndex<Tag> index) const noexcept { return index.value(); }
};
