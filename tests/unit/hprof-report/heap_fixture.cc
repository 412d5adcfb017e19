#include "heap_fixture.h"

#include "formats/index_file.h"

#include <algorithm>
#include <stdexcept>

namespace hprof::test {
namespace {

constexpr std::uint32_t kNothing = 0xffffffffU;
constexpr std::uint64_t kHeader = 16;

RecordKind kind_of(const std::string& class_name) {
  return class_name == "byte[]"       ? RecordKind::byte_array
         : class_name.ends_with("[]") ? RecordKind::object_array
                                      : RecordKind::instance;
}

Provenance provenance(const std::string& tool, std::vector<InputIdentity> inputs) {
  return {.tool = tool,
          .tool_version = "test",
          .options = {},
          .dump = {.name = "fixture.hprof",
                   .size_bytes = 1000,
                   .timestamp_ms = 1795989998670,
                   .edge_crc32 = 1},
          .inputs = std::move(inputs)};
}

}  // namespace

HeapFixture::HeapFixture() {
  add_class(0x10, "java.lang.Object", {.super = ""});
  add_class(0x20, "java.lang.Class");
  add_class(0x30, "java.lang.ClassLoader");
  add(0, "java.lang.ClassLoader");
}

void HeapFixture::add_class(std::uint64_t address, const std::string& name, ClassSpec spec) {
  classes_.push_back({address, name, std::move(spec)});
  std::sort(classes_.begin(), classes_.end(),
            [](const ClassEntry& a, const ClassEntry& b) { return a.address < b.address; });
}

void HeapFixture::add(std::uint64_t address, const std::string& class_name,
                      std::vector<std::uint64_t> references, std::uint64_t length) {
  ObjectEntry entry;
  entry.kind = kind_of(class_name);
  entry.length = entry.kind == RecordKind::object_array
                     ? std::max<std::uint64_t>(length, references.size())
                     : length;
  entry.references = std::move(references);
  objects_[address] = {class_name, std::move(entry)};
}

std::uint32_t HeapFixture::class_row(const std::string& name) const {
  for (std::uint32_t row = 0; row < classes_.size(); ++row) {
    if (classes_[row].name == name) {
      return row;
    }
  }
  throw std::runtime_error("no class " + name);
}

/// All objects with their classes resolved, class objects included.
std::map<std::uint64_t, HeapFixture::ObjectEntry> HeapFixture::objects() const {
  std::map<std::uint64_t, ObjectEntry> out;
  for (const auto& [address, named] : objects_) {
    out[address] = named.second;
    out[address].class_row = class_row(named.first);
  }
  for (const auto& entry : classes_) {
    auto& object = out[entry.address];
    object.class_row = class_row("java.lang.Class");
    object.kind = RecordKind::class_object;
    object.length = entry.spec.statics.size() * 8;
    if (!entry.spec.super.empty()) {
      object.references.push_back(classes_[class_row(entry.spec.super)].address);
    }
    object.references.push_back(entry.spec.loader);
    object.references.insert(object.references.end(), entry.spec.statics.begin(),
                             entry.spec.statics.end());
  }
  return out;
}

void HeapFixture::lay_out_index(Laid& laid,
                                const std::map<std::uint64_t, ObjectEntry>& objects) const {
  auto& index = laid.index;
  index.summary.format = "JAVA PROFILE 1.0.2";
  index.summary.identifier_size = 8;
  index.summary.reference_size = 8;
  for (const auto& entry : objects) {
    index.addresses.insert(entry.first);
  }
  index.addresses.freeze();
  for (const auto& entry : classes_) {
    ClassInfo info;
    info.address = entry.address;
    info.name = index.names.add(entry.name);
    info.super_class =
        entry.spec.super.empty() ? ClassIndex::none() : ClassIndex(class_row(entry.spec.super));
    info.loader = index.addresses.index_of(entry.spec.loader);
    info.loader_address = entry.spec.loader;
    info.object = index.addresses.index_of(entry.address);
    index.classes.push_back(info);
  }
  index.summary.java_lang_class = ClassIndex(class_row("java.lang.Class"));
  index.summary.class_loader_class = ClassIndex(class_row("java.lang.ClassLoader"));
  for (const auto& [address, tag] : roots_) {
    index.roots.push_back({.object = index.addresses.index_of(address), .kind = tag, .thread = {}});
  }
  std::sort(index.roots.begin(), index.roots.end());
  for (const auto& root : index.roots) {
    if (laid.roots.empty() || laid.roots.back() != root.object.value()) {
      laid.roots.push_back(root.object.value());
    }
  }
  index.records = {{.tag = 0x1c, .count = 1, .bytes = 900}};
  index.sub_records = {{.tag = 0x21, .count = objects_.size(), .bytes = 0}};
}

void HeapFixture::lay_out_objects(Laid& laid,
                                  const std::map<std::uint64_t, ObjectEntry>& objects) const {
  std::map<std::pair<std::uint32_t, RecordKind>, std::uint32_t> types;
  for (const auto& [address, object] : objects) {
    const auto type =
        types.emplace(std::pair(object.class_row, object.kind), laid.types.size()).first->second;
    if (type == laid.types.size()) {
      const bool is_class = object.kind == RecordKind::class_object;
      const bool is_instance = object.kind == RecordKind::instance;
      laid.types.push_back({.class_index = ClassIndex(object.class_row),
                            .class_object = laid.index.classes[object.class_row].object,
                            .kind = object.kind,
                            .base = is_class      ? 0
                                    : is_instance ? classes_[object.class_row].spec.instance_size
                                                  : kHeader,
                            .scale = is_instance                               ? 0U
                                     : object.kind == RecordKind::object_array ? 8U
                                                                               : 1U,
                            .align = 8});
      laid.index.types.push_back({ClassIndex(object.class_row), object.kind, 1});
    }
    laid.type_of.push_back(type);
    laid.shallow.push_back(
        laid.types[type].shallow(laid.types[type].has_length() ? object.length : 0));
    auto& references = laid.references.emplace_back();
    for (const auto target : object.references) {
      const auto found = laid.index.addresses.index_of(target);
      if (found.is_none()) {
        throw std::runtime_error("a reference leads nowhere");
      }
      references.push_back(found.value());
    }
  }
}

std::vector<bool> HeapFixture::reached_without(const Laid& laid, std::uint32_t removed) {
  std::vector<bool> reached(laid.type_of.size());
  std::vector<std::uint32_t> stack;
  const auto reach = [&](std::uint32_t object) {
    if (object != removed && !reached[object]) {
      reached[object] = true;
      stack.push_back(object);
    }
  };
  for (const auto root : laid.roots) {
    reach(root);
  }
  while (!stack.empty()) {
    const auto object = stack.back();
    stack.pop_back();
    reach(laid.types[laid.type_of[object]].class_object.value());
    for (const auto target : laid.references[object]) {
      reach(target);
    }
  }
  return reached;
}

/// u dominates v when v cannot be reached without u; the immediate one is that which most others
/// dominate.
void HeapFixture::find_dominators(Laid& laid) {
  const auto size = static_cast<std::uint32_t>(laid.type_of.size());
  const auto reachable = reached_without(laid, kNothing);
  std::vector<std::vector<std::uint32_t>> dominators(size);
  for (std::uint32_t removed = 0; removed < size; ++removed) {
    const auto reached = reached_without(laid, removed);
    for (std::uint32_t object = 0; object < size; ++object) {
      if (reachable[object] && !reached[object] && object != removed) {
        dominators[object].push_back(removed);
      }
    }
  }
  for (std::uint32_t object = 0; object < size; ++object) {
    const auto immediate = std::max_element(dominators[object].begin(), dominators[object].end(),
                                            [&](std::uint32_t a, std::uint32_t b) {
                                              return dominators[a].size() < dominators[b].size();
                                            });
    laid.dominators.push_back(!reachable[object]                      ? kUnreachable
                              : immediate == dominators[object].end() ? kVirtualRoot
                                                                      : *immediate);
  }
}

void HeapFixture::sum_retained(Laid& laid) {
  laid.retained.resize(laid.type_of.size());
  for (std::uint32_t object = 0; object < laid.type_of.size(); ++object) {
    if (laid.dominators[object] != kUnreachable) {
      for (auto at = object; at != kVirtualRoot; at = laid.dominators[at]) {
        laid.retained[at] += laid.shallow[object];
      }
    }
  }
}

std::vector<ClassTotal> HeapFixture::class_totals(const Laid& laid) {
  std::vector<ClassTotal> totals(laid.index.classes.size());
  const auto class_of = [&](std::uint32_t object) {
    return laid.types[laid.type_of[object]].class_index.value();
  };
  for (std::uint32_t row = 0; row < totals.size(); ++row) {
    const auto member = [&](std::uint32_t object) {
      return class_of(object) == row || object == laid.index.classes[row].object.value();
    };
    for (std::uint32_t object = 0; object < laid.type_of.size(); ++object) {
      auto& total = totals[row];
      const bool reachable = laid.dominators[object] != kUnreachable;
      if (class_of(object) == row) {
        (reachable ? total.reachable_instances : total.unreachable_instances) += 1;
        (reachable ? total.reachable_shallow : total.unreachable_shallow) += laid.shallow[object];
        total.largest_shallow =
            std::max(total.largest_shallow, reachable ? laid.shallow[object] : 0);
      }
      bool top = reachable && member(object);
      for (auto at = object; top && laid.dominators[at] != kVirtualRoot; at = laid.dominators[at]) {
        top = !member(laid.dominators[at]);
      }
      total.retained += top ? laid.retained[object] : 0;
    }
  }
  return totals;
}

DepthTotals HeapFixture::depth_totals(const Laid& laid) {
  std::vector<std::uint32_t> levels(laid.dominators.size());
  std::vector<std::uint32_t> way;
  DepthTotals out;
  for (std::uint32_t object = 0; object < levels.size(); ++object) {
    for (auto at = object; at < kVirtualRoot && levels[at] == 0; at = laid.dominators[at]) {
      way.push_back(at);
    }
    for (; !way.empty(); way.pop_back()) {
      const auto dominator = laid.dominators[way.back()];
      levels[way.back()] = dominator < kVirtualRoot    ? levels[dominator] + 1
                           : dominator == kVirtualRoot ? 1
                                                       : 0;
    }
    auto& row = out.rows.at(DepthTotals::row_of(levels[object]));
    row.objects += levels[object] == 0 ? 0 : 1;
    row.shallow += levels[object] == 0 ? 0 : laid.shallow[object];
  }
  std::erase(levels, 0U);
  std::sort(levels.begin(), levels.end());
  out.deepest = levels.empty() ? 0 : levels.back();
  out.p90 = levels.empty() ? 0 : levels[(levels.size() * 9 + 9) / 10 - 1];
  return out;
}

HeapFixture::Laid HeapFixture::lay_out() const {
  Laid laid;
  const auto all = objects();
  lay_out_index(laid, all);
  lay_out_objects(laid, all);
  find_dominators(laid);
  sum_retained(laid);
  return laid;
}

HeapFixture::Paths HeapFixture::write(const std::string& stem) const {
  const Paths paths{stem + ".index", stem + ".graph", stem + ".domtree"};
  const Laid laid = lay_out();
  const auto index = write_index(paths.index, provenance("hprof-index", {}), laid.index);

  GraphSummary summary{.objects = laid.type_of.size(),
                       .classes = laid.index.classes.size(),
                       .size_unit = 8,
                       .size_model = "mat",
                       .java_lang_class = laid.index.summary.java_lang_class,
                       .class_objects = {}};
  for (const auto& info : laid.index.classes) {
    summary.class_objects.push_back(info.object.value());
  }
  GraphWriter graph(paths.graph, provenance("hprof-graph", {{"index", index}}), summary, laid.types,
                    laid.roots);
  GraphTotals totals;
  RowEncoder row;
  const auto all = objects();
  auto object = all.begin();
  for (std::uint32_t i = 0; i < laid.type_of.size(); ++i, ++object) {
    row.begin(i, laid.types[laid.type_of[i]].kind == RecordKind::object_array);
    for (const auto target : laid.references[i]) {
      row.add(target);
    }
    totals.edges += row.count();
    totals.all_shallow += laid.shallow[i];
    graph.append(laid.type_of[i], object->second.length, row.bytes());
  }
  std::vector<ExcludedReference> excluded;
  for (const auto& [source, position] : excluded_) {
    excluded.push_back({laid.index.addresses.index_of(source).value(), position});
  }
  std::sort(excluded.begin(), excluded.end());
  const auto graph_identity = graph.commit(excluded, totals);

  DomtreeSummary tree{.objects = laid.type_of.size(), .size_unit = 8, .roots = laid.roots.size()};
  for (std::uint32_t i = 0; i < laid.type_of.size(); ++i) {
    const bool reachable = laid.dominators[i] != kUnreachable;
    (reachable ? tree.reachable_objects : tree.unreachable_objects) += 1;
    (reachable ? tree.reachable_shallow : tree.unreachable_shallow) += laid.shallow[i];
  }
  tree.depths = depth_totals(laid);
  DomtreeWriter domtree(paths.domtree, provenance("hprof-domtree", {{"graph", graph_identity}}),
                        tree, class_totals(laid));
  for (std::uint32_t i = 0; i < laid.type_of.size(); ++i) {
    domtree.append(laid.dominators[i], laid.retained[i]);
  }
  domtree.commit();
  return paths;
}

}  // namespace hprof::test
