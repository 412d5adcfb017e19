// Real exports, where the shared corpus is there: every one is read whole.
#include "formats/mat/mat_export.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

using namespace hprof;
namespace fs = std::filesystem;

namespace {

std::string exports_folder() {
  const char* given = std::getenv("HPROF_CORPUS");
  return (given != nullptr ? std::string(given) : std::string(HPROF_SOURCE_ROOT) + "/../shared") +
         "/corpus/mat";
}

std::set<std::string> names_in(const std::string& folder) {
  constexpr std::string_view kEnd = "_System_Overview.zip";
  std::set<std::string> names;
  if (fs::is_directory(folder)) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      const auto name = entry.path().filename().string();
      if (name.ends_with(kEnd)) {
        names.insert(name.substr(0, name.size() - kEnd.size()));
      }
    }
  }
  return names;
}

}  // namespace

TEST_CASE("every export of the corpus has every section, with the rows that MAT prints") {
  const auto folder = exports_folder();
  const auto names = names_in(folder);
  if (names.empty()) {
    MESSAGE("skipped all exports: no " << folder);
    return;
  }
  for (const auto& name : names) {
    CAPTURE(name);
    const auto mat = read_mat_export(folder + "/" + name);
    CHECK(mat.sources.size() == 3);
    CHECK(mat.overview->size() >= 12);
    CHECK(mat.histogram->rows.size() == 25);
    CHECK(mat.histogram->totals);
    CHECK_FALSE(mat.objects->rows.empty());
    CHECK_FALSE(mat.classes->rows.empty());
    CHECK_FALSE(mat.loaders->rows.empty());
    CHECK(mat.packages->size() > 1);
    CHECK_FALSE(mat.components->empty());
    CHECK_FALSE(mat.threads->rows.empty());
    CHECK_FALSE(mat.system_properties->rows.empty());
    CHECK_FALSE(mat.suspects->empty());
    for (const auto& suspect : *mat.suspects) {
      CHECK(suspect.address);
      CHECK(suspect.shallow);
      CHECK((!suspect.accumulation || suspect.accumulation->address));
    }
  }
}
