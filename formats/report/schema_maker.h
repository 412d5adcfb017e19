#pragma once

#include "formats/report/fields.h"
#include "formats/report/signed_count.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// Makes a JSON Schema (draft 2020-12) from the field lists of structs. Every struct becomes an
/// entry of $defs, made when it is first met; unknown members are allowed, since optional additions
/// do not change a version.
class SchemaMaker {
 public:
  using Json = nlohmann::ordered_json;

  /// The schema of a document whose root is a T with this version.
  template <ReportStruct T>
  static std::string document(const std::string& title, const std::string& description,
                              std::uint64_t version) {
    SchemaMaker maker;
    Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                   {"title", title},
                   {"description", description}};
    schema.update(maker.object<T>());
    schema["properties"]["schema_version"]["const"] = version;
    schema["$defs"] = maker.definitions_;
    return schema.dump(2) + "\n";
  }

 private:
  template <ReportStruct T>
  Json reference() {
    if (!definitions_.contains(T::kName)) {
      definitions_[T::kName] = nullptr;
      definitions_[T::kName] = object<T>();
    }
    return {{"$ref", std::string("#/$defs/") + T::kName}};
  }

  template <ReportStruct T>
  Json object() {
    Members members{*this, Json::object(), Json::array()};
    T value;
    T::fields(value, members);
    return {{"type", "object"}, {"properties", members.properties}, {"required", members.required}};
  }

  struct Members {
    SchemaMaker& maker;
    Json properties;
    Json required;

    template <typename T>
    void operator()(const char* name, const T& value, const char* doc) {
      Json type = maker.type_of(value);
      type["description"] = doc;
      properties[name] = std::move(type);
      if constexpr (!IsOptional<T>::value) {
        required.push_back(name);
      }
    }
  };

  template <ReportStruct T>
  Json type_of(const T& /*value*/) {
    return reference<T>();
  }

  template <typename T>
  Json type_of(const std::vector<T>& /*value*/) {
    return {{"type", "array"}, {"items", type_of(T())}};
  }

  template <typename T>
  Json type_of(const std::optional<T>& /*value*/) {
    return type_of(T());
  }

  template <ReportEnum Enum>
  Json type_of(Enum /*value*/) {
    Json words = Json::array();
    for (const auto word : Words<Enum>::kWords) {
      words.push_back(std::string(word));
    }
    return {{"type", "string"}, {"enum", words}};
  }

  static Json type_of(Address /*value*/) {
    return {{"type", "string"}, {"pattern", "^0x(0|[1-9a-f][0-9a-f]{0,15})$"}};
  }
  static Json type_of(std::uint64_t /*value*/) {
    return {{"type", "integer"},
            {"minimum", 0},
            {"maximum", std::numeric_limits<std::uint64_t>::max()}};
  }
  static Json type_of(SignedCount /*value*/) { return {{"type", "integer"}}; }
  static Json type_of(bool /*value*/) { return {{"type", "boolean"}}; }
  static Json type_of(const std::string& /*value*/) { return {{"type", "string"}}; }

  Json definitions_ = Json::object();
};

}  // namespace hprof
