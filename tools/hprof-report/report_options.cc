#include "tools/hprof-report/report_options.h"

namespace hprof {

DetailCaps detail_caps(const std::string& detail) {
  if (detail == "minimal") {
    return {.path_depth = 10,
            .allocation_sites = 15,
            .locals_per_thread = 5,
            .tree_nodes = 500,
            .tree_depth = 10,
            .leak_children = 15,
            .top_rows = 10,
            .threads_in_detail = 20,
            .frames_per_stack = 32};
  }
  if (detail == "max") {
    return {.path_depth = 200,
            .allocation_sites = 500,
            .locals_per_thread = 100,
            .tree_nodes = 100'000,
            .tree_depth = 50,
            .leak_children = 500,
            .top_rows = 100,
            .threads_in_detail = 500,
            .frames_per_stack = 256};
  }
  return {};
}

}  // namespace hprof
