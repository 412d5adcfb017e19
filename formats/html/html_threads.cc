#include "common/text.h"
#include "formats/html/html_report.h"
#include "formats/html/html_text.h"
#include "formats/report/caveats.h"
#include "formats/report/derived.h"
#include "formats/report/thread_gaps.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::size_t kMostStacks = 100;
constexpr std::size_t kMostFrames = 100;
constexpr std::size_t kMostLocals = 10;  // of a frame
constexpr std::uint64_t kGroupThreads = 3;

void census(const Place<Threads>& threads, HtmlBody& body) {
  body.begin_facts();
  body.facts(threads, {count("Threads", &Threads::total)});
  if (threads->virtual_threads != 0) {
    body.facts(threads, {count("Of them virtual", &Threads::virtual_threads),
                         count("Mounted on a carrier", &Threads::mounted)});
  }
  if (threads->unmounted) {
    body.facts(threads.sub(&Threads::unmounted),
               {count("Waiting off their carriers", &UnmountedSums::threads),
                bytes("What each of these retains, added up", &UnmountedSums::retained),
                bytes("Their stacks in the heap, in no size", &UnmountedSums::stack_bytes)});
  }
  body.facts(threads, {count("Different stacks", &Threads::distinct_stacks),
                       bytes("What each retains, added up", &Threads::retained),
                       share("Share of the used heap", &Threads::retained_bp)});
  body.end_facts();
}

/// What the figures do not cover.
void gaps(const Report& report, HtmlBody& body) {
  const auto notes = thread_gaps(report);
  if (notes.empty()) {
    return;
  }
  body.add("<ul class=\"notes\">\n");
  for (const auto& text : notes) {
    body.add("<li>" + html_text(text) + "</li>\n");
  }
  body.add("</ul>\n");
}

void out_of_memory(const Threads& threads, HtmlBody& body) {
  bool headed = false;
  for (const auto& row : threads.threads) {
    if (!row.out_of_memory) {
      continue;
    }
    if (!headed) {
      body.heading(3, "Out of Memory");
      headed = true;
    }
    const bool thrown = *row.out_of_memory == OutOfMemorySign::thrown;
    body.add(R"(<p class="warning">)");
    body.object(thread_name(row), row.address);
    body.text(std::string(thrown ? " was throwing OutOfMemoryError when the heap was dumped"
                                 : " has an OutOfMemoryError on its stack") +
              "; it retains " + format_bytes(row.retained) + " (" + format_share(row.retained_bp) +
              ").");
    body.add("</p>\n");
  }
}

Column<ThreadRow> thread_column() {
  auto out = object("Thread", &ThreadRow::name, &ThreadRow::address);
  out.info.kind = CellKind::thread;
  out.info.more += " class";
  out.value = [](const ThreadRow& row) {
    auto value = cell_value(thread_name(row));
    value.address = row.address;
    return value;
  };
  return out;
}

void all(const Place<Threads>& threads, HtmlBody& body) {
  body.heading(3, "Biggest Threads");
  body.table(
      threads.sub(&Threads::threads),
      {thread_column(), text("Kind", &ThreadRow::kind), text("Daemon", &ThreadRow::daemon),
       text("State", &ThreadRow::state), text("In Detail", &ThreadRow::state_detail),
       column(CellKind::plain, "Priority", &ThreadRow::priority),
       bytes("Shallow Heap", &ThreadRow::shallow),
       bar(bytes("Retained Heap", &ThreadRow::retained)), share("Share", &ThreadRow::retained_bp),
       count("Frames", &ThreadRow::depth), count("Locals", &ThreadRow::locals),
       bytes("They Retain", &ThreadRow::locals_retained),
       within(&ThreadRow::largest_local,
              object("Largest Local", &ObjectRef::label, &ObjectRef::address)),
       within(&ThreadRow::largest_local, bytes("It Retains", &ObjectRef::retained)),
       text("Held Elsewhere", &ThreadRow::largest_local_elsewhere),
       code("Context Class Loader", &ThreadRow::context_class_loader),
       address("Carrier", &ThreadRow::carrier)});
}

/// What lies in one frame, or in none: how many, then the largest one by one.
void locals_at(const ThreadRow& row, std::optional<std::uint64_t> frame, HtmlBody& body) {
  for (const auto& sum : *row.frames) {
    if (sum.frame == frame) {
      body.add(R"(<div class="local">)" + html_text(sum.root_type) + ": " +
               html_text(frame_locals_text(sum)));
      if (const auto largest = largest_retained(sum)) {
        body.add(" ");
        body.figure(CellKind::bytes, *largest, "", row.retained);
      }
      body.add("</div>");
    }
  }
  std::size_t left = kMostLocals;
  for (const auto& local : *row.largest_locals) {
    if (local.frame == frame && left != 0) {
      --left;
      body.add(R"(<div class="local inner">)");
      body.object(local.object.label, local.object.address);
      body.add(" ");
      body.figure(CellKind::bytes, local.object.retained, "", row.retained);
      body.add(local.held_elsewhere ? ", held elsewhere, too</div>" : "</div>");
    }
  }
}

void frames_in_detail(const StackRow& stack, const ThreadRow& row, HtmlBody& body) {
  const auto shown = std::min(stack.frames.size(), kMostFrames);
  for (std::size_t i = 0; i < shown; ++i) {
    body.add("<li>at ");
    body.code(frame_text(stack.frames[i]));
    locals_at(row, i, body);
    body.add("</li>\n");
  }
  if (row.depth > shown) {
    body.add("<li>and " +
             html_text(format_count(row.depth - shown, "further frame", "further frames")) +
             "</li>\n");
  }
}

/// Some JVMs tell in which frame a local is, but not what the frame is.
void frames_without_names(const ThreadRow& row, HtmlBody& body) {
  std::size_t left = kMostFrames;
  std::optional<std::uint64_t> last;
  for (const auto& sum : *row.frames) {
    if (sum.frame && sum.frame != last && left != 0) {
      --left;
      body.add("<li>frame " + grouped(*sum.frame));
      locals_at(row, sum.frame, body);
      body.add("</li>\n");
    }
    last = sum.frame;
  }
}

void thread_in_detail(const Threads& threads, const Place<ThreadRow>& place, HtmlBody& body) {
  const auto& row = *place;
  body.add(R"(<details class="thread"><summary>)");
  body.code(thread_name(row));
  body.add(R"( <span class="figures"><span class="unit">retains</span> )");
  body.figure(CellKind::bytes, row.retained, "", threads.retained);
  body.add("</span></summary>\n");
  body.begin_facts();
  body.facts(place, {code("Class", &ThreadRow::class_name), address("Address", &ThreadRow::address),
                     share("Share of the used heap", &ThreadRow::retained_bp),
                     count("Locals", &ThreadRow::locals),
                     bytes("They retain", &ThreadRow::locals_retained),
                     code("Context class loader", &ThreadRow::context_class_loader)});
  body.end_facts();
  body.add("<ol class=\"stack\" data-copy=\"the stack\">\n");
  if (row.stack) {
    frames_in_detail(threads.stacks[*row.stack], row, body);
  } else {
    frames_without_names(row, body);
  }
  body.add("</ol>\n");
  body.add(R"(<div class="elsewhere">)");
  locals_at(row, std::nullopt, body);
  body.add("</div></details>\n");
}

bool has_detail(const Threads& threads, const ThreadRow& row) {
  return row.frames && row.largest_locals &&
         (row.stack ? *row.stack < threads.stacks.size() : !row.frames->empty());
}

void stacks(const Place<Threads>& threads, HtmlBody& body) {
  const auto rows = threads.sub(&Threads::threads);
  std::size_t left = kMostStacks;
  bool headed = false;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const auto& row = (*rows)[i];
    if (!has_detail(*threads, row) || (left == 0 && !row.out_of_memory)) {
      continue;
    }
    left -= left == 0 ? 0 : 1;
    if (!headed) {
      body.heading(3, "Stacks of the Biggest Threads");
      headed = true;
    }
    thread_in_detail(*threads, rows.at(i), body);
  }
}

void group_row(const StackRow& stack, HtmlBody& body) {
  body.add(R"(<details class="thread"><summary>)");
  body.text(format_count(stack.threads, "thread", "threads") + ", " +
            grouped(stack.virtual_threads) + " of them virtual, at ");
  body.code(frame_text(telling_frame(stack)));
  body.add(R"( <span class="figures"><span class="unit">retain</span> )");
  body.figure(CellKind::bytes, stack.retained, "");
  body.add("</span></summary>\n<ol class=\"stack\" data-copy=\"the stack\">\n");
  const auto shown = std::min(stack.frames.size(), kMostFrames);
  for (std::size_t i = 0; i < shown; ++i) {
    body.add("<li>at ");
    body.code(frame_text(stack.frames[i]));
    body.add("</li>\n");
  }
  if (stack.depth > shown) {
    body.add("<li>and " +
             html_text(format_count(stack.depth - shown, "further frame", "further frames")) +
             "</li>\n");
  }
  body.add("</ol></details>\n");
}

void groups(const Threads& threads, HtmlBody& body) {
  std::size_t rows = 0;
  for (const auto& stack : threads.stacks) {
    if (stack.threads >= kGroupThreads && !stack.frames.empty() && rows < kMostStacks) {
      if (rows++ == 0) {
        body.heading(3, "Threads with the Same Stack");
      }
      group_row(stack, body);
    }
  }
}

}  // namespace

void html_threads(const Place<Report>& report, HtmlBody& body) {
  const auto threads = report.sub(&Report::threads);
  if (threads->total == 0) {
    body.note(as_far_as_read(report->complete, "The heap has no thread objects."));
    gaps(*report, body);
    return;
  }
  census(threads, body);
  gaps(*report, body);
  out_of_memory(*threads, body);
  all(threads, body);
  stacks(threads, body);
  groups(*threads, body);
}

}  // namespace hprof
