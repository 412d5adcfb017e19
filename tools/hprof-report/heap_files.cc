#include "tools/hprof-report/heap_files.h"

#include "common/error.h"
#include "common/text.h"
#include "formats/stage_run.h"

namespace hprof {
HeapFiles HeapFiles::open(const std::string& index_path, const std::string& graph_path,
                          const std::string& domtree_path) {
  auto index_file = read_index(index_path);
  HeapFiles files{std::move(index_file.index), std::move(index_file.provenance),
                  GraphFile(graph_path), DomtreeFile(domtree_path)};
  require_made_from(files.graph.provenance(), graph_path, kGraphFile.tool, kIndexFile.name,
                    index_file.identity, index_path);
  require_made_from(files.domtree.provenance(), domtree_path, kDomtreeFile.tool, kGraphFile.name,
                    files.graph.identity(), graph_path);
  const auto objects = files.index.addresses.size();
  check(files.graph.summary().objects == objects && files.domtree.summary().objects == objects,
        "the stage files disagree about the number of objects");
  check(files.graph.summary().classes == files.index.classes.size() &&
            files.domtree.classes().size() == files.index.classes.size(),
        "the stage files disagree about the number of classes");
  return files;
}

}  // namespace hprof
