#include "tools/hprof-report/heap_files.h"

#include "common/error.h"
#include "common/text.h"
#include "formats/stage_run.h"

#include <algorithm>

namespace hprof {
namespace {

bool same_types(const std::vector<TypeInfo>& a, const std::vector<GraphType>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const TypeInfo& one, const GraphType& other) {
                      return one.class_index == other.class_index && one.kind == other.kind;
                    });
}

/// Tables of one heap have the same rows in all files.
void require_agreement(const HeapFiles& files, const std::string& index_path) {
  const auto objects = files.index.addresses.size();
  const auto classes = files.index.classes.size();
  const bool agree =
      files.graph.summary().objects == objects && files.domtree.summary().objects == objects &&
      files.graph.summary().classes == classes && files.domtree.classes().size() == classes &&
      files.graph.summary().class_objects.size() == classes &&
      same_types(files.index.types, files.graph.types());
  if (!agree) {
    fail(ExitCode::bad_data, printable(index_path),
         ": disagrees with the other stage files about what is in the heap; run hprof-index and "
         "the stages after it with --force again");
  }
}

}  // namespace

void require_consistent(bool agree) {
  if (!agree) [[unlikely]] {
    throw_unplaced("the stage files contradict each other or the dump");
  }
}

HeapFiles HeapFiles::open(const std::string& index_path, const std::string& graph_path,
                          const std::string& domtree_path) {
  auto index_file = read_index(index_path);
  HeapFiles files{std::move(index_file.index), std::move(index_file.provenance),
                  GraphFile(graph_path), DomtreeFile(domtree_path)};
  require_made_from(files.graph.provenance(), graph_path, kGraphFile.tool, kIndexFile.name,
                    index_file.identity, index_path);
  require_made_from(files.domtree.provenance(), domtree_path, kDomtreeFile.tool, kGraphFile.name,
                    files.graph.identity(), graph_path);
  require_agreement(files, index_path);
  return files;
}

}  // namespace hprof
