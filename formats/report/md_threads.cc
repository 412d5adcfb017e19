#include "common/text.h"
#include "formats/report/caveats.h"
#include "formats/report/derived.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/thread_gaps.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

/// How much is shown at a level of detail.
struct Caps {
  std::size_t rows;
  std::size_t stacks;
  std::size_t frames;
  std::size_t locals;  ///< per frame
};

Caps caps_of(const std::string& detail) {
  if (detail == "minimal") {
    return {.rows = 20, .stacks = 3, .frames = 15, .locals = 2};
  }
  return detail == "max" ? Caps{.rows = 500, .stacks = 50, .frames = 100, .locals = 10}
                         : Caps{.rows = 50, .stacks = 10, .frames = 20, .locals = 3};
}

constexpr std::size_t kGroupRows = 20;
constexpr std::uint64_t kGroupThreads = 3;

std::string share_of_heap(std::uint64_t bytes, std::uint64_t basis_points) {
  return format_bytes(bytes) + " (" + format_share(basis_points) + ")";
}

std::string census(const Threads& threads) {
  std::string out = format_count(threads.total, "thread", "threads");
  if (threads.virtual_threads != 0) {
    out += ", " + grouped(threads.virtual_threads) + " of them virtual (" +
           grouped(threads.mounted) + " mounted on a carrier)";
  }
  if (threads.distinct_stacks > 1) {
    out += ", in " + grouped(threads.distinct_stacks) + " different stacks";
  }
  return out + (threads.total == 1 ? "; it retains " : "; what each retains adds up to ") +
         share_of_heap(threads.retained, threads.retained_bp) + " of the used heap.\n";
}

std::string kind_of(const ThreadRow& row) {
  if (row.kind == ThreadKind::virtual_thread) {
    return row.carrier ? "virtual, mounted" : "virtual";
  }
  return row.daemon.value_or(false) ? "daemon" : "";
}

/// Virtual threads off their carriers, and the part of their memory that no size includes.
std::string unmounted(const Threads& threads) {
  if (!threads.unmounted) {
    return "";
  }
  const auto& sums = *threads.unmounted;
  std::string out = "\n" +
                    format_count(sums.threads, "virtual thread waits off its carrier and retains ",
                                 "virtual threads wait off their carriers; what each retains adds "
                                 "up to ") +
                    format_bytes(sums.retained) + ".";
  if (sums.stack_bytes != 0) {
    out += " The JVM keeps their stacks in the heap: at least " + format_bytes(sums.stack_bytes) +
           " more, which the dump leaves out and no size here includes.";
  }
  return out + "\n";
}

/// What the figures do not cover.
std::string gaps(const Report& report) {
  std::string out;
  for (const auto& text : thread_gaps(report)) {
    out += "- " + md_text(text) + "\n";
  }
  return out.empty() ? "" : "\n" + out;
}

std::string out_of_memory(const Threads& threads) {
  std::string out;
  for (const auto& row : threads.threads) {
    if (row.out_of_memory) {
      out += "- " + md_code(thread_name(row)) +
             (*row.out_of_memory == OutOfMemorySign::thrown
                  ? " was throwing OutOfMemoryError when the heap was dumped"
                  : " has an OutOfMemoryError on its stack") +
             "; it retains " + share_of_heap(row.retained, row.retained_bp) + ".\n";
    }
  }
  return out.empty() ? "" : "\n### Out of Memory\n\n" + out;
}

std::string state_of(const ThreadRow& row) {
  std::string out = md_text(row.state.value_or(""));
  return row.state_detail ? out + " (" + md_text(*row.state_detail) + ")" : out;
}

std::string largest_local(const ThreadRow& row) {
  return md_cell(row.largest_local->label) + " " + format_bytes(row.largest_local->retained) +
         (row.largest_local_elsewhere.value_or(false) ? ", held elsewhere, too" : "");
}

std::string biggest(const Threads& threads, const Caps& caps, MarkdownStyle style) {
  MarkdownTable table({{"Thread"},
                       {"Kind"},
                       {"State"},
                       {"Priority", Align::right},
                       {"Shallow Heap", Align::right},
                       {"Retained Heap", Align::right},
                       {"Share", Align::right},
                       {"Frames", Align::right},
                       {"Locals", Align::right},
                       {"Largest Local"}});
  const auto shown = std::min(threads.threads.size(), caps.rows);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& row = threads.threads[i];
    table.row({md_cell(thread_name(row)), kind_of(row), state_of(row),
               row.priority ? std::to_string(*row.priority) : "", format_bytes(row.shallow),
               format_bytes(row.retained), format_share(row.retained_bp), grouped(row.depth),
               grouped(row.locals), row.largest_local ? largest_local(row) : ""},
              row.retained);
  }
  std::string out = "\n### Biggest Threads\n\n" + table.text(style);
  if (threads.threads.size() > shown) {
    out +=
        "\n" +
        format_count(threads.threads.size() - shown, "further thread is", "further threads are") +
        " in the JSON.\n";
  }
  return out;
}

/// What lies in one frame, or in none: how many, then the largest one by one.
std::string locals_at(const ThreadRow& row, std::optional<std::uint64_t> frame, const Caps& caps) {
  std::string out;
  for (const auto& sum : *row.frames) {
    if (sum.frame == frame) {
      const auto largest = largest_retained(sum);
      out += "  - " + md_text(sum.root_type) + ": " + frame_locals_text(sum) +
             (largest ? " " + format_bytes(*largest) : "") + "\n";
    }
  }
  std::size_t left = caps.locals;
  for (const auto& local : *row.largest_locals) {
    if (local.frame == frame && left != 0) {
      --left;
      out += "    - " + md_code(local.object.label) + " " + format_bytes(local.object.retained) +
             (local.held_elsewhere ? ", held elsewhere, too" : "") + "\n";
    }
  }
  return out;
}

std::string frames_in_detail(const std::vector<StackFrameRow>& frames, const ThreadRow& row,
                             const Caps& caps) {
  std::string out;
  const auto shown = std::min(frames.size(), caps.frames);
  for (std::size_t i = 0; i < shown; ++i) {
    out += "- " + md_code(frame_text(frames[i])) + "\n" + locals_at(row, i, caps);
  }
  if (row.depth > shown) {
    out += "- and " + format_count(row.depth - shown, "further frame", "further frames") + "\n";
  }
  return out;
}

/// Some JVMs tell in which frame a local is, but not what the frame is.
std::string frames_without_names(const ThreadRow& row, const Caps& caps) {
  std::string out;
  std::size_t left = caps.frames;
  std::optional<std::uint64_t> last;
  for (const auto& sum : *row.frames) {
    if (sum.frame && sum.frame != last && left != 0) {
      --left;
      out += "- frame " + grouped(*sum.frame) + "\n" + locals_at(row, sum.frame, caps);
    }
    last = sum.frame;
  }
  return out;
}

std::string thread_in_detail(const Threads& threads, const ThreadRow& row, const Caps& caps) {
  std::string out = "\n" + md_code(thread_name(row)) + ", " + md_code(row.class_name) + " at " +
                    hex_address(row.address.value) + ", retains " +
                    share_of_heap(row.retained, row.retained_bp) + "; " +
                    format_count(row.locals, "local retains", "locals retain") + " " +
                    format_bytes(row.locals_retained) + ".";
  if (row.context_class_loader) {
    out += " Context class loader " + md_code(*row.context_class_loader) + ".";
  }
  out += "\n\n";
  out += row.stack ? frames_in_detail(threads.stacks[*row.stack].frames, row, caps)
                   : frames_without_names(row, caps);
  const auto elsewhere = locals_at(row, std::nullopt, caps);
  return out + (elsewhere.empty() ? "" : "- in no Java frame\n" + elsewhere);
}

std::string stacks(const Threads& threads, const Caps& caps) {
  std::string out;
  std::size_t left = caps.stacks;
  for (const auto& row : threads.threads) {
    const bool has_all = row.frames && row.largest_locals &&
                         (row.stack ? *row.stack < threads.stacks.size() : !row.frames->empty());
    if (has_all && (left != 0 || row.out_of_memory)) {
      left -= left == 0 ? 0 : 1;
      out += thread_in_detail(threads, row, caps);
    }
  }
  return out.empty() ? "" : "\n### Stacks of the Biggest Threads\n" + out;
}

std::string groups(const Threads& threads, MarkdownStyle style) {
  MarkdownTable table({{"Threads", Align::right},
                       {"Virtual", Align::right},
                       {"Retained Heap", Align::right},
                       {"Top Frame"},
                       {"First Frame Outside the JDK"}});
  std::size_t rows = 0;
  for (const auto& stack : threads.stacks) {
    if (stack.threads >= kGroupThreads && !stack.frames.empty() && rows < kGroupRows) {
      ++rows;
      table.row(
          {grouped(stack.threads), grouped(stack.virtual_threads), format_bytes(stack.retained),
           md_cell(frame_text(stack.frames.front())), md_cell(frame_text(telling_frame(stack)))},
          stack.retained);
    }
  }
  return rows == 0 ? "" : "\n### Threads with the Same Stack\n\n" + table.text(style);
}

}  // namespace

std::string md_threads(const Report& report, MarkdownStyle style) {
  const auto& threads = *report.threads;
  if (threads.total == 0) {
    return as_far_as_read(report.complete, "The heap has no thread objects.\n") + gaps(report);
  }
  const auto caps = caps_of(report.detail);
  return census(threads) + unmounted(threads) + gaps(report) + out_of_memory(threads) +
         biggest(threads, caps, style) + stacks(threads, caps) + groups(threads, style);
}

}  // namespace hprof
