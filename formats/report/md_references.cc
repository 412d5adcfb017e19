#include "common/text.h"
#include "formats/report/caveats.h"
#include "formats/report/derived.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/units.h"

#include <algorithm>
#include <optional>

namespace hprof {
namespace {

constexpr std::size_t kRows = 10;

std::string optional_bytes(const std::optional<std::uint64_t>& bytes) {
  return bytes ? format_bytes(*bytes) : "";
}

std::string further_rows(std::size_t all, std::size_t shown, const std::string& singular,
                         const std::string& plural) {
  return all > shown ? "\n" + format_count(all - shown, singular, plural) + " in the JSON.\n" : "";
}

std::string reachability(const References& references, MarkdownStyle style) {
  MarkdownTable table({{"Held"},
                       {"Objects", Align::right},
                       {"Shallow Heap", Align::right},
                       {"Share", Align::right}});
  for (const auto& row : references.reachability) {
    table.row({held_words(row.strength), grouped(row.objects), format_bytes(row.shallow),
               format_share(row.shallow_bp)},
              row.shallow);
  }
  return table.text(style);
}

std::string class_table(const std::vector<HeldClass>& classes, bool with_retained,
                        MarkdownStyle style) {
  std::vector<MarkdownTable::Column> columns{
      {"Class"}, {"Objects", Align::right}, {"Shallow Heap", Align::right}};
  if (with_retained) {
    columns.push_back({"Retained Heap", Align::right});
  }
  MarkdownTable table(std::move(columns));
  const auto shown = std::min(classes.size(), kRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& row = classes[i];
    std::vector<std::string> cells{md_cell(row.class_name), grouped(row.objects),
                                   format_bytes(row.shallow)};
    if (with_retained) {
      cells.push_back(optional_bytes(row.retained));
    }
    table.row(std::move(cells), with_retained ? row.retained : row.shallow);
  }
  return table.text(style);
}

std::string held_only(const References& references, MarkdownStyle style) {
  std::string out;
  for (const auto& row : references.reachability) {
    if (row.strength != Strength::strong && row.objects != 0) {
      out += "\nHeld " + std::string(held_words(row.strength)) + ":\n\n" +
             class_table(row.classes, false, style);
    }
  }
  return out;
}

std::string kinds(const References& references, MarkdownStyle style) {
  MarkdownTable table({{"Kind"},
                       {"References", Align::right},
                       {"Cleared", Align::right},
                       {"Referents", Align::right},
                       {"Shallow Heap", Align::right},
                       {"Retained Heap", Align::right}});
  for (const auto& kind : references.kinds) {
    table.row({std::string(word_of(kind.strength)), grouped(kind.instances), grouped(kind.cleared),
               grouped(kind.referents), format_bytes(kind.referents_shallow),
               format_bytes(kind.referents_retained)},
              kind.referents_retained);
  }
  return table.text(style);
}

std::string referents(const References& references, MarkdownStyle style) {
  std::string out;
  for (const auto& kind : references.kinds) {
    if (kind.referents != 0) {
      out += "\nReferents of " + std::string(word_of(kind.strength)) + " references:\n\n" +
             class_table(kind.referent_classes, true, style) +
             further_rows(kind.referent_class_count, std::min(kind.referent_classes.size(), kRows),
                          "further class is", "further classes are");
    }
  }
  return out;
}

std::string classes(const References& references, MarkdownStyle style) {
  MarkdownTable table({{"Class"},
                       {"Kind"},
                       {"Instances", Align::right},
                       {"Cleared", Align::right},
                       {"Shallow Heap", Align::right}});
  const auto shown = std::min(references.classes.size(), 2 * kRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& row = references.classes[i];
    table.row({md_cell(row.class_name), std::string(word_of(row.strength)), grouped(row.instances),
               grouped(row.cleared), format_bytes(row.shallow)},
              row.shallow);
  }
  return table.text(style) +
         further_rows(references.classes.size(), shown, "further class is", "further classes are");
}

std::string self_held(const SelfHeldReferents& held, MarkdownStyle style) {
  if (held.objects == 0) {
    return "";
  }
  std::string out = "\n### Referents That Hold Themselves\n\n" +
                    format_count(held.objects, "referent is", "referents are") +
                    " strongly reachable, but only through the reference itself, as when the value "
                    "of a WeakHashMap's entry leads back to its key; such entries are never "
                    "cleared. They retain " +
                    format_bytes(held.references_retained) + ".\n";
  if (held.largest.empty()) {
    return out;
  }
  MarkdownTable table(
      {{"Referent"}, {"Retained Heap", Align::right}, {"Reference"}, {"At", Align::right}});
  const auto shown = std::min(held.largest.size(), kRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& row = held.largest[i];
    table.row({md_cell(row.label), format_bytes(row.retained), md_cell(row.reference_class),
               hex_address(row.reference_address.value)},
              row.retained);
  }
  return out + "\n" + table.text(style);
}

std::string finalizers(const Finalizers& figures, MarkdownStyle style) {
  std::string out = "\n### Finalizers\n\nThe JVM watches " +
                    format_count(figures.registered, "object", "objects") +
                    " with a finalize method; " + grouped(figures.enqueued) +
                    (figures.enqueued == 1 ? " of them waits" : " of them wait") +
                    " for the finalizer thread";
  if (figures.queue_length) {
    out += " (its queue says " + grouped(*figures.queue_length) + ")";
  }
  if (figures.waiting == 0) {
    return out + ".\n";
  }
  return out + ". The " +
         format_count(figures.waiting, "object that waits takes ", "objects that wait take ") +
         format_bytes(figures.waiting_shallow) +
         (figures.waiting == 1 ? " and retains " : " and retain ") +
         format_bytes(figures.waiting_retained) + ":\n\n" +
         class_table(figures.waiting_classes, true, style);
}

std::string jvm_totals(const DirectBuffers& buffers) {
  if (!buffers.jvm_capacity) {
    return "";
  }
  std::string out = " The JVM's own count (java.nio.Bits) is ";
  if (buffers.jvm_count) {
    out += format_count(*buffers.jvm_count, "buffer", "buffers") + " of ";
  }
  out += format_bytes(*buffers.jvm_capacity);
  if (buffers.jvm_reserved) {
    out += ", " + format_bytes(*buffers.jvm_reserved) + " reserved";
  }
  if (buffers.jvm_limit) {
    out += ", at most " + format_bytes(*buffers.jvm_limit);
  }
  return out + ".";
}

std::string buffers_not_counted(const DirectBuffers& buffers) {
  std::vector<std::string> parts;
  if (buffers.views != 0) {
    parts.push_back(format_count(buffers.views, "view", "views") + " of other buffers");
  }
  if (buffers.freed != 0) {
    parts.push_back(grouped(buffers.freed) + " already freed");
  }
  if (buffers.foreign != 0) {
    parts.push_back(grouped(buffers.foreign) + " over memory of others (" +
                    format_bytes(buffers.foreign_capacity) + ")");
  }
  return parts.empty() ? "" : " Not counted: " + md_joined(parts, ", ") + ".";
}

std::string direct_buffers(const DirectBuffers& buffers, MarkdownStyle style) {
  std::string out = "\n### Memory Outside the Heap\n\n" +
                    format_count(buffers.buffers, "direct buffer owns", "direct buffers own") +
                    " " + format_bytes(buffers.capacity) + " outside the heap";
  if (buffers.mapped_buffers != 0) {
    out += ", " + format_count(buffers.mapped_buffers, "mapped buffer", "mapped buffers") + " " +
           format_bytes(buffers.mapped_capacity) + " of files";
  }
  out += "." + jvm_totals(buffers) + buffers_not_counted(buffers) + "\n";
  if (buffers.largest.empty()) {
    return out;
  }
  MarkdownTable table({{"Buffer"},
                       {"At", Align::right},
                       {"Capacity", Align::right},
                       {"Memory", Align::right},
                       {"Mapped"}});
  const auto shown = std::min(buffers.largest.size(), kRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& row = buffers.largest[i];
    table.row({md_cell(row.class_name), hex_address(row.address.value), format_bytes(row.capacity),
               hex_address(row.memory.value), row.mapped ? "yes" : ""},
              row.capacity);
  }
  return out + "\n" + table.text(style);
}

std::string thread_table(const ThreadLocals& locals, MarkdownStyle style) {
  MarkdownTable table({{"Thread"},
                       {"At", Align::right},
                       {"Entries", Align::right},
                       {"Stale", Align::right},
                       {"Retained Heap", Align::right},
                       {"Stale Ones Retain", Align::right}});
  const auto shown = std::min(locals.threads.size(), kRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& row = locals.threads[i];
    table.row({row.thread.value == 0 ? "(no thread)" : md_cell(row.name),
               hex_address(row.thread.value), grouped(row.entries), grouped(row.stale),
               format_bytes(row.retained), format_bytes(row.stale_retained)},
              row.retained);
  }
  return table.text(style) +
         further_rows(locals.thread_count, shown, "further thread is", "further threads are");
}

std::string entry_table(const ThreadLocals& locals, MarkdownStyle style) {
  MarkdownTable table({{"Value"},
                       {"At", Align::right},
                       {"ThreadLocal"},
                       {"Thread", Align::right},
                       {"Retained Heap", Align::right}});
  const auto shown = std::min(locals.largest.size(), kRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& row = locals.largest[i];
    table.row({row.value_class ? md_cell(*row.value_class) : "null",
               row.value ? hex_address(row.value->value) : "",
               row.stale ? "cleared" : md_cell(row.key_class.value_or("?")),
               hex_address(row.thread.value), format_bytes(row.retained)},
              row.retained);
  }
  return table.text(style);
}

std::string thread_locals(const ThreadLocals& locals, MarkdownStyle style) {
  return "\n### ThreadLocals\n\n" +
         format_count(locals.entries, "ThreadLocal entry retains ",
                      "ThreadLocal entries; what each retains adds up to ") +
         format_bytes(locals.retained) + ", " + format_bytes(locals.stale_retained) + " of it in " +
         format_count(locals.stale, "entry", "entries") + " with a cleared key.\n\n" +
         thread_table(locals, style) + "\nLargest values:\n\n" + entry_table(locals, style);
}

std::string by_kind_and_class(const References& references, bool complete, MarkdownStyle style) {
  if (references.classes.empty()) {
    return "\n" +
           as_far_as_read(complete, "The heap holds no instance of java.lang.ref.Reference.\n");
  }
  return "\n### References by Kind\n\n" + kinds(references, style) + referents(references, style) +
         "\n### References by Class\n\n" + classes(references, style);
}

}  // namespace

std::string md_references(const Report& report, MarkdownStyle style) {
  const auto& references = *report.references;
  const bool finalizers_known = references.finalizers && references.finalizers->registered != 0;
  const bool strong_only = follows_strong_only(report.overview);
  return (strong_only ? std::string(kStrongOnlyNote) + "\n\n" : "") +
         (report.complete ? "" : std::string(kLostLooksCleared) + "\n\n") +
         reachability(references, style) + held_only(references, style) +
         by_kind_and_class(references, report.complete, style) +
         (references.self_held ? self_held(*references.self_held, style) : "") +
         (finalizers_known ? finalizers(*references.finalizers, style) : "") +
         (references.direct_buffers ? direct_buffers(*references.direct_buffers, style) : "") +
         (references.thread_locals ? thread_locals(*references.thread_locals, style) : "");
}

}  // namespace hprof
