#pragma once

#include "formats/report/fields.h"
#include "formats/report/signed_count.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// Fills a report struct from parsed JSON while visiting it; Error(bad_data) names the place of
/// what does not fit. Members that the struct does not know are passed over: a newer writer may
/// have added them.
class JsonReader {
 public:
  explicit JsonReader(std::string file) : file_(std::move(file)) {}

  template <ReportStruct T>
  T document(const nlohmann::json& value) {
    T out;
    read(value, out);
    return out;
  }

 private:
  /// Reads the fields of one JSON object.
  struct Members {
    JsonReader& reader;
    const nlohmann::json& object;

    template <typename T>
    void operator()(const char* name, T& out, std::string_view /*doc*/) {
      const auto found = object.find(name);
      reader.place_.emplace_back(name);
      if (found != object.end()) {
        reader.read(*found, out);
      } else if constexpr (!IsOptional<T>::value) {
        reader.refuse("is missing");
      }
      reader.place_.pop_back();
    }
  };

  template <ReportStruct T>
  void read(const nlohmann::json& value, T& out) {
    require(value.is_object(), "an object");
    T::fields(out, Members{*this, value});
  }

  template <typename T>
  void read(const nlohmann::json& value, std::vector<T>& out) {
    require(value.is_array(), "a list");
    out.resize(value.size());
    for (std::size_t row = 0; row < value.size(); ++row) {
      place_.push_back(std::to_string(row));
      read(value[row], out[row]);
      place_.pop_back();
    }
  }

  template <typename T>
  void read(const nlohmann::json& value, std::optional<T>& out) {
    read(value, out.emplace());
  }

  template <ReportEnum Enum>
  void read(const nlohmann::json& value, Enum& out) {
    out = static_cast<Enum>(
        word_index(value, Words<Enum>::kWords.data(), Words<Enum>::kWords.size()));
  }

  void read(const nlohmann::json& value, Address& out);
  void read(const nlohmann::json& value, std::uint64_t& out);
  void read(const nlohmann::json& value, SignedCount& out);
  void read(const nlohmann::json& value, bool& out);
  void read(const nlohmann::json& value, std::string& out);

  std::size_t word_index(const nlohmann::json& value, const std::string_view* words,
                         std::size_t count);
  void require(bool fits, const char* wanted);
  [[noreturn]] void refuse(const std::string& what) const;

  std::string file_;
  std::vector<std::string> place_;
};

}  // namespace hprof
