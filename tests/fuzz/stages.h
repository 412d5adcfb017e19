#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hprof::test {

/// The stages in this process on files of a folder of its own. A run ends with a result or with an
/// Error that is not our bug; anything else ends the process.
class FuzzedStages {
 public:
  FuzzedStages();
  FuzzedStages(const FuzzedStages&) = delete;
  FuzzedStages& operator=(const FuzzedStages&) = delete;
  ~FuzzedStages();

  std::string path(const std::string& kind) const { return folder_ + "/x." + kind; }
  void write(const std::string& kind, std::span<const std::uint8_t> bytes) const;
  std::vector<std::uint8_t> read(const std::string& kind) const;

  /// Ends the process with the last error unless `success`.
  static void must(bool success);

  /// Whether the tool of that name ends with 0. `arguments` without the tool's own name.
  bool index() const;
  bool graph() const;
  bool domtree() const;
  /// With every option that looks at more.
  bool report() const;
  bool render(const std::string& format) const;

 private:
  std::string folder_;
};

}  // namespace hprof::test
