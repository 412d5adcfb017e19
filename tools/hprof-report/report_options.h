#pragma once

#include "common/options.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// What hprof-report is asked for on its command line.
struct ReportOptions : CommonOptions {
  std::string index;
  std::string graph;
  std::string domtree;
  std::string dump;
  std::string output;
  std::string format;
  std::string detail = "default";
  std::string sections;
  bool collections = false;
  std::string collection_rules;
  std::string mapping;
  std::string stats;
  bool show_secrets = false;
  bool show_values = false;  ///< texts of the heap may be shown
  std::vector<std::string> dominators_of;
  std::string skip_classes = "java.*|javax.*|sun.*|jdk.*|com.sun.*";
  bool find_duplicates = false;
  std::uint64_t leak_percent = 10;  ///< hidden; tests compare other thresholds too
  bool check_options = false;       ///< hidden; hprof-analyze asks before the other stages run
};

/// How much of each kind a report shows (--detail).
struct DetailCaps {
  std::size_t path_depth = 30;
  std::size_t allocation_sites = 50;
  std::size_t locals_per_thread = 20;
  std::size_t tree_nodes = 5000;
  std::size_t tree_depth = 20;
  std::size_t leak_children = 50;
  std::size_t top_rows = 20;
  std::size_t threads_in_detail = 50;
  std::size_t frames_per_stack = 64;
  std::size_t dominated_classes = 10;
  std::size_t class_loaders = 200;
};

/// The caps of "minimal", "default" or "max".
DetailCaps detail_caps(const std::string& detail);

}  // namespace hprof
