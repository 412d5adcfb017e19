#include "tools/hprof-report/heap_files.h"

#include "common/error.h"
#include "common/text.h"

namespace hprof {
namespace {

/// `file` must name an input of this kind with this identity.
template <typename File>
void require_input(const File& file, const FileKind& own_kind, const FileKind& input_kind,
                   const std::string& input_path, const FileIdentity& identity) {
  for (const auto& input : file.provenance().inputs) {
    if (input.kind == input_kind.name && input.identity == identity) {
      return;
    }
  }
  fail(ExitCode::stale, printable(file.path()), ": was not made from ", printable(input_path),
       "; run ", own_kind.tool, " again");
}

}  // namespace

HeapFiles HeapFiles::open(const std::string& index_path, const std::string& graph_path,
                          const std::string& domtree_path) {
  auto index_file = read_index(index_path);
  HeapFiles files{std::move(index_file.index), std::move(index_file.provenance),
                  GraphFile(graph_path), DomtreeFile(domtree_path)};
  require_input(files.graph, kGraphFile, kIndexFile, index_path, index_file.identity);
  require_input(files.domtree, kDomtreeFile, kGraphFile, graph_path, files.graph.identity());
  const auto objects = files.index.addresses.size();
  check(files.graph.summary().objects == objects && files.domtree.summary().objects == objects,
        "the stage files disagree about the number of objects");
  check(files.graph.summary().classes == files.index.classes.size() &&
            files.domtree.classes().size() == files.index.classes.size(),
        "the stage files disagree about the number of classes");
  return files;
}

void require_same_dump(const HeapFiles& files, const std::string& dump_path) {
  const auto& wanted = files.provenance.dump;
  auto found = identify_dump(dump_path, wanted.timestamp_ms, wanted.dump_number);
  found.name = wanted.name;
  if (found != wanted) {
    fail(ExitCode::stale, printable(dump_path),
         ": is not the dump that the stage files were made from (", printable(wanted.name), ", ",
         wanted.size_bytes, " bytes); run hprof-index on it");
  }
}

}  // namespace hprof
