#pragma once

#include <string>
#include <string_view>

namespace hprof {

/// Someone who is told what a mapping file of ProGuard or R8 says, line by line.
class MappingListener {
 public:
  virtual ~MappingListener() = default;
  /// A class begins; both names in Java's form.
  virtual void on_class(std::string_view original, std::string_view renamed) = 0;
  /// A field of it; methods are passed over.
  virtual void on_field(std::string_view original, std::string_view renamed) = 0;
};

/// Reads a mapping file, plain or gzip, line by line. Error(no_input) when it cannot be read,
/// Error(bad_data) when it holds no class or a line beyond all reason.
void read_mapping(const std::string& path, MappingListener& listener);

}  // namespace hprof
