#include "common/text.h"
#include "formats/html/html_parts.h"
#include "formats/html/html_text.h"
#include "formats/report/path_line.h"
#include "formats/report/report_words.h"

#include <algorithm>

namespace hprof {
namespace {

void step(const Place<std::vector<PathStep>>& steps, std::size_t index, std::uint64_t largest,
          HtmlBody& body) {
  const auto& row = (*steps)[index];
  body.add(R"(<li data-i=")" + std::to_string(index) + R"("><span class="ref">)");
  body.add(row.via == Via::root ? "GC root " : "");
  body.code(row.via == Via::root ? row.reference : reference_text(row));
  body.add(R"(</span> <span class="to">)");
  body.object(row.label, row.address);
  body.add(R"(</span> <span class="figures"><span class="unit">shallow</span> )");
  body.figure(CellKind::bytes, row.shallow, "shallow");
  body.add(R"( <span class="unit">retained</span> )");
  body.figure(CellKind::bytes, row.retained, "retained", largest);
  if (row.targets) {
    body.add(R"( <span class="unit">paths</span> )");
    body.figure(CellKind::count, *row.targets, "targets");
  }
  body.add("</span></li>\n");
}

}  // namespace

void html_path(const Place<std::vector<PathStep>>& steps, std::uint64_t left_out,
               std::uint64_t left_out_after, HtmlBody& body) {
  std::uint64_t largest = 0;
  for (const auto& row : *steps) {
    largest = std::max(largest, row.retained);
  }
  body.add(R"(<ol class="path" data-json=")" + html_attribute(steps.path()) + "\">\n");
  for (std::size_t i = 0; i < steps->size(); ++i) {
    if (left_out != 0 && i == left_out_after) {
      body.add(R"(<li class="gap">… )" + html_text(format_count(left_out, "object", "objects")) +
               " left out …</li>\n");
    }
    step(steps, i, largest, body);
  }
  body.add("</ol>\n");
}

void html_path(const Place<ReferencePath>& path, HtmlBody& body) {
  body.add(R"(<p class="line" data-copy="the path">)");
  body.code(path->line);
  body.add("</p>\n");
  if (path->only_weak) {
    body.note(kOnlyWeakPath);
  }
  html_path(path.sub(&ReferencePath::steps), path->left_out, path->left_out_after, body);
}

}  // namespace hprof
