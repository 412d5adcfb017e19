// A programmer knows the fields of the application, not the tables and nodes inside of JDK
// collections. So the holder is the field nearest to the object that a class outside the JDK
// declares; links between objects of one class (the next of a list's node) are passed over, since
// they say nothing of who has the list.
#include "tools/hprof-report/paths/path_holders.h"

#include <algorithm>
#include <array>

namespace hprof {
namespace {

constexpr std::array<std::string_view, 5> kPlatform{"java.", "javax.", "sun.", "jdk.", "com.sun."};
constexpr std::string_view kThreadLocalEntry = "java.lang.ThreadLocal$ThreadLocalMap$Entry";

Holder member_holder(HolderKind kind, const PathStep& step, Address owner) {
  const auto class_name = step.declared_by.value_or("");
  return {.kind = kind,
          .class_name = class_name,
          .member = step.reference,
          .name = class_name + "." + step.reference,
          .address = owner};
}

std::string method_of(const std::string& frame) {
  const auto name = frame.substr(0, frame.find('('));
  return name.substr(name.rfind('.') + 1);
}

/// What the reference to a step is as a holder, if anything.
std::optional<Holder> as_holder(const PathStep& from, const PathStep& step,
                                const ThreadLocalKeys& keys) {
  const auto key = keys.find(from.address.value);
  if (step.via == Via::field && step.declared_by == kThreadLocalEntry &&
      step.reference == "value" && key != keys.end()) {
    return Holder{.kind = HolderKind::thread_local_value,
                  .class_name = key->second.class_name,
                  .member = key->second.field,
                  .name = key->second.class_name + "." + key->second.field,
                  .address = from.address};
  }
  if (step.via == Via::static_field || step.via == Via::field) {
    return member_holder(step.via == Via::field ? HolderKind::field : HolderKind::static_field,
                         step, from.address);
  }
  if (step.via == Via::local && step.frame) {
    return Holder{.kind = HolderKind::local,
                  .class_name = step.declared_by.value_or(""),
                  .member = method_of(*step.frame),
                  .name = *step.frame,
                  .address = from.address};
  }
  return std::nullopt;
}

/// The holder nearest to the end, before step number `end`, that `fits(from, step, holder)`.
template <typename Fits>
std::optional<std::pair<std::size_t, Holder>> nearest(const ReferencePath& path, std::size_t end,
                                                      const ThreadLocalKeys& keys, Fits&& fits) {
  for (std::size_t i = end; i-- > 1;) {
    if (path.left_out != 0 && i == path.left_out_after) {
      continue;
    }
    const auto holder = as_holder(path.steps[i - 1], path.steps[i], keys);
    if (holder && fits(path.steps[i - 1], path.steps[i], *holder)) {
      return std::pair(i, *holder);
    }
  }
  return std::nullopt;
}

}  // namespace

bool is_platform_class(std::string_view name) {
  const bool is_array = name.ends_with("[]");
  while (name.ends_with("[]")) {
    name.remove_suffix(2);
  }
  for (const auto prefix : kPlatform) {
    if (name.starts_with(prefix)) {
      return true;
    }
  }
  constexpr std::array<std::string_view, 8> kPrimitives{"boolean", "char",  "float", "double",
                                                        "byte",    "short", "int",   "long"};
  return is_array && std::find(kPrimitives.begin(), kPrimitives.end(), name) != kPrimitives.end();
}

PathHolders find_path_holders(const ReferencePath& path, const ThreadLocalKeys& keys) {
  const auto is_anchor = [](const PathStep&, const PathStep&, const Holder& holder) {
    return holder.kind != HolderKind::field;
  };
  auto holder = nearest(path, path.steps.size(), keys,
                        [](const PathStep& from, const PathStep& step, const Holder& candidate) {
                          const bool inner_link = candidate.kind == HolderKind::field &&
                                                  from.class_name == step.class_name;
                          return !inner_link && !is_platform_class(candidate.class_name);
                        });
  if (!holder) {
    holder = nearest(path, path.steps.size(), keys, is_anchor);
  }
  PathHolders out;
  if (holder) {
    out.holder = holder->second;
    if (holder->second.kind == HolderKind::field) {
      const auto anchor = nearest(path, holder->first, keys, is_anchor);
      out.anchor = anchor ? std::optional(anchor->second) : std::nullopt;
    }
  }
  return out;
}

std::optional<PlacedHolder> first_path_holder(const ReferencePath& path,
                                              const ThreadLocalKeys& keys) {
  std::optional<PlacedHolder> any;
  for (std::size_t i = 1; i < path.steps.size(); ++i) {
    const bool after_gap = path.left_out != 0 && i == path.left_out_after;
    const auto holder =
        after_gap ? std::nullopt : as_holder(path.steps[i - 1], path.steps[i], keys);
    if (!holder) {
      continue;
    }
    if (holder->kind != HolderKind::field || !is_platform_class(holder->class_name)) {
      return PlacedHolder{.step = i, .holder = *holder};
    }
    if (!any) {
      any = PlacedHolder{.step = i, .holder = *holder};
    }
  }
  return any;
}

}  // namespace hprof
