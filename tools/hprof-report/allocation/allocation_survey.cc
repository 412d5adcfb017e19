// HotSpot's own dumps give every object the same stack trace, which has no frames; the hprof agent
// writes true ones. A trace without frames is none.
#include "tools/hprof-report/allocation/allocation_survey.h"

#include "formats/report/readable_text.h"
#include "formats/report/units.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace hprof {
namespace {

constexpr std::size_t kMostClasses = 10;
constexpr std::size_t kMostFrames = 64;

std::string name_or(const HeapIndex& index, NameIndex name, const std::string& otherwise) {
  return name.is_none() ? otherwise : readable_text(index.names[name]);
}

std::string place_of(const HeapIndex& index, const StackFrame& frame) {
  if (frame.line == -3) {
    return "Native Method";
  }
  const auto source = name_or(index, frame.source_file, "Unknown Source");
  return frame.line > 0 ? source + ":" + std::to_string(frame.line) : source;
}

std::string frame_text(const HeapIndex& index, const StackFrame& frame) {
  return name_or(index, frame.class_name, "?") + "." + name_or(index, frame.method, "?") + "(" +
         place_of(index, frame) + ")";
}

}  // namespace

void AllocationSurvey::Sum::add(const Sum& other) {
  objects += other.objects;
  shallow += other.shallow;
  live_objects += other.live_objects;
  live_shallow += other.live_shallow;
}

AllocationSurvey::AllocationSurvey(const Heap& heap,
                                   std::function<bool(std::uint32_t)> is_reachable)
    : heap_(heap), is_reachable_(std::move(is_reachable)) {
  find_traces();
}

void AllocationSurvey::find_traces() {
  const auto& index = heap_.index();
  std::unordered_set<std::uint32_t> of_threads;
  for (const auto& thread : index.threads) {
    of_threads.insert(thread.trace_serial);
  }
  for (std::uint32_t row = 0; row < index.traces.size(); ++row) {
    const auto& trace = index.traces[row];
    if (!trace.frame_ids.empty()) {
      traces_.emplace(trace.serial, row);
      has_traces_ = has_traces_ || !of_threads.contains(trace.serial);
    }
  }
  for (std::uint32_t row = 0; has_traces_ && row < index.frames.size(); ++row) {
    frames_.emplace(index.frames[row].id, row);
  }
}

bool AllocationSurvey::wants(std::uint32_t type) {
  return has_traces_ && heap_.type(type).kind != RecordKind::class_object;
}

void AllocationSurvey::add(const ObjectRecord& record) {
  if (!traces_.contains(record.trace_serial())) {
    return;
  }
  const auto shallow = heap_.type(record.type()).shallow(record.elements());
  const bool live = is_reachable_(record.object());
  sums_[std::uint64_t{record.trace_serial()} << 32U | record.class_index().value()].add(
      {.objects = 1,
       .shallow = shallow,
       .live_objects = live ? std::uint64_t{1} : 0,
       .live_shallow = live ? shallow : 0});
}

/// By descending reachable bytes, then all bytes, then by serial.
std::vector<AllocationSurvey::KeyedSum> AllocationSurvey::sites() const {
  std::unordered_map<std::uint64_t, Sum> by_trace;
  for (const auto& [key, sum] : sums_) {
    by_trace[key >> 32U].add(sum);
  }
  std::vector<KeyedSum> out(by_trace.begin(), by_trace.end());
  std::sort(out.begin(), out.end(), [](const KeyedSum& a, const KeyedSum& b) {
    return std::tuple(b.second.live_shallow, b.second.shallow, a.first) <
           std::tuple(a.second.live_shallow, a.second.shallow, b.first);
  });
  return out;
}

std::vector<std::string> AllocationSurvey::frames(std::uint32_t serial) const {
  const auto& index = heap_.index();
  std::vector<std::string> out;
  for (const auto id : index.traces[traces_.at(serial)].frame_ids) {
    if (out.size() == kMostFrames) {
      break;
    }
    const auto frame = frames_.find(id);
    out.push_back(frame == frames_.end() ? "?" : frame_text(index, index.frames[frame->second]));
  }
  return out;
}

AllocationSite AllocationSurvey::site(std::uint32_t serial, const Sum& sum) const {
  AllocationSite out{.trace_serial = serial,
                     .objects = sum.objects,
                     .shallow = sum.shallow,
                     .live_objects = sum.live_objects,
                     .live_shallow = sum.live_shallow,
                     .live_bp = share_bp(sum.live_shallow, heap_.used_heap()),
                     .class_count = 0,
                     .classes = {},
                     .frames = frames(serial)};
  std::vector<KeyedSum> classes;
  for (const auto& [key, class_sum] : sums_) {
    if (key >> 32U == serial) {
      classes.emplace_back(key & 0xffffffffU, class_sum);
    }
  }
  std::sort(classes.begin(), classes.end(), [](const KeyedSum& a, const KeyedSum& b) {
    return std::tuple(b.second.shallow, a.first) < std::tuple(a.second.shallow, b.first);
  });
  out.class_count = classes.size();
  classes.resize(std::min(classes.size(), kMostClasses));
  for (const auto& [key, class_sum] : classes) {
    out.classes.push_back(
        {.class_name = heap_.class_name(ClassIndex(static_cast<std::uint32_t>(key))),
         .objects = class_sum.objects,
         .shallow = class_sum.shallow,
         .live_objects = class_sum.live_objects,
         .live_shallow = class_sum.live_shallow});
  }
  return out;
}

AllocationSites AllocationSurvey::result(std::size_t most_sites) const {
  AllocationSites out;
  auto all = sites();
  Sum total;
  for (const auto& [serial, sum] : all) {
    total.add(sum);
  }
  out.recorded = !all.empty();
  out.objects = total.objects;
  out.shallow = total.shallow;
  out.live_objects = total.live_objects;
  out.live_shallow = total.live_shallow;
  out.site_count = all.size();
  all.resize(std::min(all.size(), most_sites));
  for (const auto& [serial, sum] : all) {
    out.sites.push_back(site(static_cast<std::uint32_t>(serial), sum));
  }
  return out;
}

}  // namespace hprof
