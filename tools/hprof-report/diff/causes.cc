// Owners overlap: a static field, the map in it and the lists in that map all grow by the same
// bytes. The first to be named is one that holds at least half of the largest growth, of a class of
// the program rather than of the platform, and if possible one that holds a class that grows.
#include "tools/hprof-report/diff/causes.h"

#include "common/text.h"
#include "formats/diff/diff_text.h"
#include "formats/report/units.h"
#include "tools/hprof-report/loaders/loader_keepers.h"
#include "tools/hprof-report/paths/path_holders.h"
#include "tools/hprof-report/wording.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace hprof {
namespace {

using triage::Wording;

constexpr std::size_t kMostOwners = 4;
constexpr std::size_t kMostClasses = 3;
constexpr std::size_t kMostLoaders = 2;
constexpr std::size_t kMostThreads = 2;

bool grows(const DiffSeries& series) {
  return series.trend == Trend::grown || series.trend == Trend::monotonic;
}

bool grows_notably(const DiffSeries& series, std::uint64_t notable) {
  return grows(series) && series.lasting >= notable;
}

/// Something that holds what grows, with what decides its rank.
struct Owner {
  DiffCause cause;
  std::string owner_class;
  std::vector<std::string> contents;
  bool is_field = false;       ///< of an object
  std::uint64_t retained = 0;  ///< in the last dump
};

DiffCause cause_of(CauseKind kind, std::string name, const DiffSeries& series, Wording& wording) {
  Finding said = wording.finding("", Severity::info, "", "");
  return {kind,
          std::move(name),
          series.change,
          series.change_most,
          is_read_in_part(series) ? std::optional(true) : std::nullopt,
          series.lasting,
          series.trend,
          std::move(said.text),
          said.names.value_or(std::vector<std::string>())};
}

/// Damaged dumps do not tell.
bool rises_steadily(const DiffSeries& series) {
  return series.trend == Trend::monotonic && !has_damage(series);
}

void say_growth(Wording& wording, const DiffSeries& series) {
  wording.words(": " + told_change(range_of(series), change_of_bytes(series)));
  if (range_of(series).is_exact()) {
    wording.words(", from " + bytes_at(series, 0) + " to " +
                  bytes_at(series, series.values.size() - 1));
  }
  if (rises_steadily(series)) {
    wording.words(", more at every step");
  }
}

std::string count_change(const DiffSeries& series, const std::string& one,
                         const std::string& many) {
  return told_change(range_of(series), change_in_count(series.change) + " " +
                                           (series.change.amount == 1 ? one : many));
}

void say_contents(Wording& wording, const std::vector<std::string>& contents) {
  for (std::size_t i = 0; i < std::min<std::size_t>(contents.size(), 2); ++i) {
    wording.words(i == 0 ? "; holds " : " and ").name(contents[i]);
  }
}

Owner owner_of_field(const DiffField& field) {
  Wording wording;
  wording.words(field_holder_words(field)).name(field.field);
  say_growth(wording, field.retained);
  if (field.elements && field.elements->change.amount != 0) {
    wording.words(", " + count_change(*field.elements, "element", "elements"));
  }
  say_contents(wording, field.contents);
  const auto end = field.is_static ? field.field.rfind('.') : field.field.rfind('#');
  return {cause_of(CauseKind::field, field.field, field.retained, wording),
          field.field.substr(0, end), field.contents, !field.is_static,
          field.retained.values.back()};
}

Owner owner_of_path(const DiffPath& path) {
  Wording wording;
  const std::string name = path.holder.value_or(path.class_name);
  wording.words(path.holder_kind ? holder_words(*path.holder_kind) : "").name(name);
  if (path.holder) {
    wording.words(" with ").name(path.class_name);
  }
  say_growth(wording, path.retained);
  if (path.anchor) {
    wording.words("; hangs on ").name(*path.anchor);
  }
  const auto end = path.holder ? name.rfind('.') : name.size();
  return {cause_of(CauseKind::path, name, path.retained, wording),
          name.substr(0, end),
          {path.class_name},
          path.holder_kind == HolderKind::field,
          path.retained.values.back()};
}

/// Classes of loaders of which more and more are there; they are told as loaders.
std::set<std::string> growing_loaders(const HeapDiff& diff) {
  std::set<std::string> out;
  for (const auto& row : diff.loaders) {
    if (grows(row.loaders)) {
      out.insert(row.class_name);
    }
  }
  return out;
}

/// A loader's list of its classes: it says no more than that there is a loader.
bool is_class_list(const DiffField& field) {
  return field.field.ends_with("ClassLoader#classes") ||
         field.contents == std::vector<std::string>{"java.lang.Class"};
}

/// Not "(several holders)", "java.lang.Thread (local variable)".
bool is_field(const DiffField& field) {
  return field.is_static || field.field.find('#') != std::string::npos;
}

/// An array or a loader of the platform at the end of a path on which no field could be named.
bool says_little(const Owner& owner) {
  return owner.cause.kind == CauseKind::path && owner.owner_class == owner.cause.name &&
         is_platform_class(owner.cause.name);
}

std::vector<Owner> find_owners(const HeapDiff& diff) {
  std::vector<Owner> out;
  for (const auto& field : diff.fields_held) {
    if (is_field(field) && !is_class_list(field) && grows_notably(field.retained, diff.notable)) {
      out.push_back(owner_of_field(field));
    }
  }
  const auto loaders = growing_loaders(diff);
  for (const auto& path : diff.paths) {
    if (grows_notably(path.retained, diff.notable) &&
        rise(path.unshared_most.value_or(path.unshared)) >= diff.notable &&
        (path.holder || !loaders.contains(path.class_name))) {
      out.push_back(owner_of_path(path));
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const Owner& a, const Owner& b) {
    return a.cause.lasting > b.cause.lasting;
  });
  return out;
}

/// What says little is told only where nothing else is known.
void drop_vague(std::vector<Owner>& owners) {
  if (!std::all_of(owners.begin(), owners.end(), says_little)) {
    std::erase_if(owners, says_little);
  }
}

/// The name of a field without that of its class.
std::string simple_field(const std::string& name) {
  return name.substr(std::min(name.find_last_of("#."), name.size() - 1) + 1);
}

/// Whether two owners are one field: a collection is named by the class of the object that holds
/// it, a path by the class that declares the field. Of two classes what the one retains must then
/// be about what the other does.
bool is_one_field(const Owner& a, const Owner& b) {
  if (!a.is_field || !b.is_field || simple_field(a.cause.name) != simple_field(b.cause.name)) {
    return false;
  }
  constexpr std::uint64_t kPart = 8;
  const auto [less, more] = std::minmax(a.retained, b.retained);
  return a.owner_class == b.owner_class || more - less <= more / kPart;
}

/// A field with its collections says more than the same field at the end of a path.
void drop_repeated(std::vector<Owner>& owners) {
  std::stable_sort(owners.begin(), owners.end(),
                   [](const Owner& a, const Owner& b) { return a.cause.kind < b.cause.kind; });
  std::vector<Owner> kept;
  for (auto& owner : owners) {
    if (std::none_of(kept.begin(), kept.end(), [&](const Owner& each) {
          return each.cause.name == owner.cause.name ||
                 (each.cause.kind != owner.cause.kind && is_one_field(each, owner));
        })) {
      kept.push_back(std::move(owner));
    }
  }
  owners = std::move(kept);
  std::stable_sort(owners.begin(), owners.end(), [](const Owner& a, const Owner& b) {
    return a.cause.lasting > b.cause.lasting;
  });
}

bool concerns(const Owner& owner, const std::set<std::string>& growing) {
  return growing.contains(owner.owner_class) ||
         std::any_of(owner.contents.begin(), owner.contents.end(),
                     [&](const std::string& name) { return growing.contains(name); });
}

/// Puts the likeliest owner first.
void rank(std::vector<Owner>& owners, const std::set<std::string>& growing) {
  if (owners.empty()) {
    return;
  }
  const auto most = owners.front().cause.lasting;
  const auto score = [&](const Owner& owner) {
    return std::tuple(owner.cause.lasting >= most - most / 2, !is_platform_class(owner.owner_class),
                      concerns(owner, growing));
  };
  const auto best =
      std::max_element(owners.begin(), owners.end(),
                       [&](const Owner& a, const Owner& b) { return score(a) < score(b); });
  std::rotate(owners.begin(), best, best + 1);
}

/// Classes of which more and more instances are there: the program's own, by what they retain.
std::vector<const DiffClass*> growing_classes(const HeapDiff& diff) {
  const auto loaders = growing_loaders(diff);
  std::vector<const DiffClass*> out;
  for (const auto& row : diff.classes) {
    if (!is_platform_class(row.class_name) && !loaders.contains(row.class_name) &&
        grows(row.instances) && grows_notably(row.retained, diff.notable)) {
      out.push_back(&row);
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const DiffClass* a, const DiffClass* b) {
    return a->retained.lasting > b->retained.lasting;
  });
  return out;
}

/// The platform's classes by what they take themselves, for want of others.
std::vector<const DiffClass*> growing_platform_classes(const HeapDiff& diff) {
  std::vector<const DiffClass*> out;
  for (const auto& row : diff.classes) {
    if (is_platform_class(row.class_name) && grows_notably(row.shallow, diff.notable)) {
      out.push_back(&row);
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const DiffClass* a, const DiffClass* b) {
    return a->shallow.lasting > b->shallow.lasting;
  });
  return out;
}

DiffCause class_cause(const DiffClass& row, bool platform) {
  Wording wording;
  wording.words("class ").name(row.class_name);
  wording.words(": " + count_change(row.instances, "instance", "instances") + ", from " +
                count_at(row.instances, 0) + " to " +
                count_at(row.instances, row.instances.values.size() - 1));
  const bool one = row.instances.values.back() == 1;
  if (platform) {
    wording.words((one ? "; it takes " : "; they take ") +
                  told_change(range_of(row.shallow), change_of_bytes(row.shallow)));
  } else {
    wording.words((one ? "; with all that it holds " : "; with all that they hold ") +
                  told_change(range_of(row.retained), change_of_bytes(row.retained)));
  }
  const auto& series = platform ? row.shallow : row.retained;
  if (rises_steadily(series) && rises_steadily(row.instances)) {
    wording.words(", more at every step");
  }
  return cause_of(CauseKind::instances, row.class_name, series, wording);
}

const DiffSeries& size_of(const DiffLoader& row) {
  return row.retained ? *row.retained : row.shallow;
}

DiffCause loader_cause(const DiffLoader& row) {
  Wording wording;
  wording.words(count_change(row.loaders, "class loader", "class loaders") + " of ")
      .name(row.class_name)
      .words(", from " + count_at(row.loaders, 0) + " to " +
             count_at(row.loaders, row.loaders.values.size() - 1) + ", with " +
             count_change(row.classes, "class", "classes"));
  say_growth(wording, size_of(row));
  say_keepers(wording, "; kept alive by ", row.kept_by.value_or(std::vector<std::string>()));
  return cause_of(CauseKind::loader, row.class_name, size_of(row), wording);
}

DiffCause thread_cause(const DiffThread& row) {
  Wording wording;
  wording.words("threads ").name(row.name);
  wording.words(" (" + count_at(row.threads, 0) + " → " +
                count_at(row.threads, row.threads.values.size() - 1) + ")");
  say_growth(wording, row.retained);
  return cause_of(CauseKind::thread, row.name, row.retained, wording);
}

void add_classes(std::vector<DiffCause>& causes, const HeapDiff& diff) {
  auto classes = growing_classes(diff);
  const bool platform = classes.empty();
  if (platform) {
    classes = growing_platform_classes(diff);
  }
  for (std::size_t i = 0; i < std::min(classes.size(), kMostClasses); ++i) {
    causes.push_back(class_cause(*classes[i], platform));
  }
}

void add_loaders(std::vector<DiffCause>& causes, const HeapDiff& diff) {
  std::size_t count = 0;
  for (const auto& row : diff.loaders) {
    if (grows(row.loaders) && grows_notably(size_of(row), diff.notable) && count < kMostLoaders) {
      causes.push_back(loader_cause(row));
      ++count;
    }
  }
}

void add_threads(std::vector<DiffCause>& causes, const HeapDiff& diff) {
  std::size_t count = 0;
  for (const auto& row : diff.threads.value_or(std::vector<DiffThread>())) {
    if (grows_notably(row.retained, diff.notable) && count < kMostThreads) {
      causes.push_back(thread_cause(row));
      ++count;
    }
  }
}

}  // namespace

std::string field_holder_words(const DiffField& field) {
  return (field.largest_only ? "the largest collection in " : "") +
         holder_words(field.is_static ? HolderKind::static_field : HolderKind::field);
}

std::string holder_words(HolderKind kind) {
  switch (kind) {
    case HolderKind::static_field:
      return "static field ";
    case HolderKind::thread_local_value:
      return "thread-local ";
    case HolderKind::local:
      return "local variable in ";
    case HolderKind::field:
      break;
  }
  return "field ";
}

std::uint64_t notable_growth(const DiffSeries& used_heap) {
  constexpr std::uint64_t kPartOfGrowth = 20;
  constexpr std::uint64_t kPartOfHeap = 1000;
  constexpr std::uint64_t kPartOfConstantHeap = 100;
  const std::uint64_t heap = used_heap.values.back();
  const std::uint64_t notable =
      used_heap.lasting == 0 ? heap / kPartOfConstantHeap
                             : std::max(used_heap.lasting / kPartOfGrowth, heap / kPartOfHeap);
  return std::max<std::uint64_t>(notable, 1);
}

std::vector<DiffCause> find_causes(const HeapDiff& diff) {
  auto owners = find_owners(diff);
  drop_repeated(owners);
  drop_vague(owners);
  std::set<std::string> growing;
  for (const auto* row : growing_classes(diff)) {
    growing.insert(row->class_name);
  }
  rank(owners, growing);
  std::vector<DiffCause> out;
  for (std::size_t i = 0; i < std::min(owners.size(), kMostOwners); ++i) {
    out.push_back(std::move(owners[i].cause));
  }
  add_classes(out, diff);
  add_loaders(out, diff);
  add_threads(out, diff);
  return out;
}

}  // namespace hprof
