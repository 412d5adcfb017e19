#pragma once

#include "common/error.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hprof {

/// What a field of a report struct is called and what it says.
struct FieldInfo {
  std::string_view name;
  std::string_view help;
};

/// The field behind a pointer to member, as the struct itself describes it.
template <typename Struct, typename Value>
FieldInfo field_info(Value Struct::*member) {
  static const Struct example{};
  FieldInfo found;
  const auto match = [&]<typename Field>(std::string_view name, const Field& field,
                                         std::string_view help) {
    if constexpr (std::is_same_v<Field, Value>) {
      if (&field == &(example.*member)) {
        found = {name, help};
      }
    }
  };
  Struct::fields(example, match);
  check(!found.name.empty(), "a field that its struct does not describe");
  return found;
}

/// A value of the report together with where its JSON has it ("overview.histogram"), so that the
/// page can say of each figure which one it is.
template <typename T>
class Place {
 public:
  explicit Place(const T& value, std::string path = "") : value_(&value), path_(std::move(path)) {}

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_; }
  const std::string& path() const { return path_; }

  template <typename Struct, typename Value>
  Place<Value> sub(Value Struct::*member) const {
    return Place<Value>(value_->*member, below(field_info(member).name));
  }

  /// The field must be there.
  template <typename Struct, typename Value>
  Place<Value> sub(std::optional<Value> Struct::*member) const {
    check((value_->*member).has_value(), "a part of the report that is not there");
    return Place<Value>(*(value_->*member), below(field_info(member).name));
  }

  /// An element of a vector.
  auto at(std::size_t index) const {
    using Element = typename T::value_type;
    return Place<Element>((*value_)[index], below(std::to_string(index)));
  }

 private:
  std::string below(std::string_view name) const {
    return (path_.empty() ? "" : path_ + ".") + std::string(name);
  }

  const T* value_;
  std::string path_;
};

}  // namespace hprof
