// Every struct becomes an entry of $defs, made when it is first met. Unknown members are allowed,
// since optional additions do not change the version.
#include "formats/report/report_schema.h"

#include "formats/report/report.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace hprof {
namespace {

using Json = nlohmann::ordered_json;

class SchemaMaker {
 public:
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

  const Json& definitions() const { return definitions_; }

 private:
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
  static Json type_of(bool /*value*/) { return {{"type", "boolean"}}; }
  static Json type_of(const std::string& /*value*/) { return {{"type", "string"}}; }

  Json definitions_ = Json::object();
};

}  // namespace

std::string report_schema() {
  SchemaMaker maker;
  Json schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "Report of hprof-report"},
      {"description",
       "What fills a JVM heap and why it is still alive. All numbers are whole numbers."}};
  schema.update(maker.object<Report>());
  schema["properties"]["schema_version"]["const"] = kReportSchemaVersion;
  schema["$defs"] = maker.definitions();
  return schema.dump(2) + "\n";
}

}  // namespace hprof
