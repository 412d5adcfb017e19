// The file may be of any size: of what it says only that is kept which the heap has.
#include "tools/hprof-report/android/name_mapper.h"

#include "common/text.h"
#include "formats/report/readable_text.h"
#include "tools/hprof-report/android/mapping_file.h"

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hprof {
namespace {

class NameMapper : public MappingListener {
 public:
  explicit NameMapper(HeapIndex& index) : index_(index) {
    for (std::uint32_t row = 0; row < index.classes.size(); ++row) {
      const std::string_view name = index.class_name(ClassIndex(row));
      const std::string_view element = name.substr(0, name.find('['));
      classes_[std::string(element)].push_back(row);
    }
  }

  void on_class(std::string_view original, std::string_view renamed) override {
    fields_.clear();
    const auto found = classes_.find(std::string(renamed));
    if (found == classes_.end()) {
      return;
    }
    const auto rows = std::move(found->second);
    classes_.erase(found);
    for (const std::uint32_t row : rows) {
      note_fields(index_.classes[row]);
      if (original != renamed) {
        rename(index_.classes[row], original);
      }
    }
  }

  void on_field(std::string_view original, std::string_view renamed) override {
    const auto found = fields_.find(std::string(renamed));
    if (found == fields_.end() || original == renamed) {
      return;
    }
    const NameIndex name = index_.names.add(original);
    for (NameIndex* const field : found->second) {
      *field = name;
      ++result_.fields_named;
    }
    fields_.erase(found);
  }

  NameMapping finish() {
    for (auto& frame : index_.frames) {
      const auto found = new_rows_.find(frame.class_name.value());
      frame.class_name = found == new_rows_.end() ? frame.class_name : found->second;
    }
    return result_;
  }

 private:
  void note_fields(ClassInfo& info) {
    for (auto& field : info.fields) {
      fields_[std::string(index_.names[field.name])].push_back(&field.name);
    }
    for (auto& field : info.statics) {
      fields_[std::string(index_.names[field.name])].push_back(&field.name);
    }
  }

  void rename(ClassInfo& info, std::string_view original) {
    const std::string_view name = index_.names[info.name];
    const std::size_t dimensions = name.find('[');
    const std::string now =
        std::string(original) +
        (dimensions == std::string_view::npos ? "" : std::string(name.substr(dimensions)));
    const NameIndex row = index_.names.add(now);
    new_rows_.emplace(info.name.value(), row);
    info.name = row;
    ++result_.classes;
  }

  HeapIndex& index_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> classes_;  ///< not yet mapped
  std::unordered_map<std::string, std::vector<NameIndex*>> fields_;      ///< of the class at hand
  std::unordered_map<std::uint32_t, NameIndex> new_rows_;                ///< by old row of a name
  NameMapping result_;
};

}  // namespace

NameMapping map_names(HeapIndex& index, const std::string& path) {
  NameMapper mapper(index);
  read_mapping(path, mapper);
  auto result = mapper.finish();
  result.file = readable_text(base_name(path));
  return result;
}

}  // namespace hprof
