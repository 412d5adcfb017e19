#include "tests/unit/hprof-domtree/heap_model.h"

#include "common/varint.h"

namespace hprof::test {
namespace {

using Frame = schema::GraphFrame;
using Writer = FrameWriter<Frame>;

constexpr std::uint32_t kFixedSize = 24;

std::vector<std::uint8_t> coded_row(const HeapModel& heap, std::uint32_t object) {
  const auto& targets = heap.references.targets(object);
  const auto& marks = heap.excluded[object];
  const bool has_excluded = std::find(marks.begin(), marks.end(), true) != marks.end();
  const bool chained = !has_excluded && object % 2 == 1;
  std::vector<std::uint8_t> out;
  std::int64_t base = object;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const std::uint64_t delta = zigzag(targets[i] - base);
    append_varint(out, i == 0 ? delta * 2 + (chained ? 1 : 0) : delta);
    base = chained ? targets[i] : base;
  }
  return out;
}

void write_front(Writer& out, const HeapModel& heap) {
  out.append(1024, [&](Frame::Builder frame) {
    auto summary = frame.initSummary();
    summary.setObjects(heap.size());
    summary.setClasses(heap.class_objects.size());
    summary.setSizeUnit(HeapModel::kSizeUnit);
    summary.setSizeModel("mat");
    summary.setJavaLangClass(0);
    auto objects = summary.initClassObjects(static_cast<unsigned>(heap.class_objects.size()));
    for (unsigned i = 0; i < objects.size(); ++i) {
      objects.set(i, heap.class_objects[i]);
    }
  });
  out.append(1024, [&](Frame::Builder frame) {
    auto types = frame.initTypes();
    const auto count = static_cast<unsigned>(heap.types.size());
    auto classes = types.initClassIndex(count);
    auto objects = types.initClassObject(count);
    auto kinds = types.initKind(count);
    auto bases = types.initBase(count);
    auto scales = types.initScale(count);
    auto aligns = types.initAlign(count);
    for (unsigned i = 0; i < count; ++i) {
      classes.set(i, heap.types[i].class_index.value());
      objects.set(i, heap.types[i].class_object.value());
      kinds[i] = static_cast<std::uint8_t>(heap.types[i].kind);
      bases.set(i, heap.types[i].base);
      scales.set(i, heap.types[i].scale);
      aligns.set(i, heap.types[i].align);
    }
  });
  out.append(1024, [&](Frame::Builder frame) {
    const auto roots = heap.references.roots();
    auto list = frame.initRoots().initObjects(static_cast<unsigned>(roots.size()));
    for (unsigned i = 0; i < list.size(); ++i) {
      list.set(i, roots[i]);
    }
  });
}

void write_chunk(Writer& out, const HeapModel& heap, std::uint32_t first, std::uint32_t rows) {
  std::vector<std::uint8_t> types;
  std::vector<std::uint8_t> lengths;
  std::vector<std::uint8_t> row_bytes;
  std::vector<std::uint8_t> bytes;
  for (std::uint32_t object = first; object < first + rows; ++object) {
    append_varint(types, heap.type_of[object]);
    if (heap.type(object).has_length()) {
      append_varint(lengths, heap.length_of[object]);
    }
    const auto row = coded_row(heap, object);
    if (row.size() >= 255) {
      append_varint(bytes, row.size());
    }
    row_bytes.push_back(static_cast<std::uint8_t>(std::min<std::size_t>(row.size(), 255)));
    bytes.insert(bytes.end(), row.begin(), row.end());
  }
  out.append(types.size() + lengths.size(), [&](Frame::Builder frame) {
    auto chunk = frame.initObjects();
    chunk.setFirstRow(first);
    chunk.setRows(rows);
    chunk.setTypes(as_data(types));
    chunk.setLengths(as_data(lengths));
  });
  out.append(row_bytes.size() + bytes.size(), [&](Frame::Builder frame) {
    auto chunk = frame.initEdges();
    chunk.setFirstRow(first);
    chunk.setRows(rows);
    chunk.setLengths(as_data(row_bytes));
    chunk.setBytes(as_data(bytes));
  });
}

void write_excluded(Writer& out, const HeapModel& heap) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> marks;
  for (std::uint32_t object = 0; object < heap.size(); ++object) {
    for (std::uint32_t i = 0; i < heap.excluded[object].size(); ++i) {
      if (heap.excluded[object][i]) {
        marks.emplace_back(object, i);
      }
    }
  }
  out.append(marks.size() * 8, [&](Frame::Builder frame) {
    auto chunk = frame.initExcluded();
    auto sources = chunk.initSources(static_cast<unsigned>(marks.size()));
    auto ordinals = chunk.initOrdinals(static_cast<unsigned>(marks.size()));
    for (unsigned i = 0; i < marks.size(); ++i) {
      sources.set(i, marks[i].first);
      ordinals.set(i, marks[i].second);
    }
  });
}

void add_types(HeapModel& heap, std::uint32_t classes) {
  for (std::uint32_t i = 0; i < classes; ++i) {
    heap.class_objects.push_back(i * heap.size() / classes);
  }
  const auto add = [&](std::uint32_t class_index, RecordKind kind, std::uint64_t base,
                       std::uint32_t scale) {
    heap.types.push_back({.class_index = ClassIndex(class_index),
                          .class_object = ObjectIndex(heap.class_objects[class_index]),
                          .kind = kind,
                          .base = base,
                          .scale = scale,
                          .align = HeapModel::kSizeUnit});
  };
  add(0, RecordKind::class_object, 0, 1);
  for (std::uint32_t i = 0; i < classes; ++i) {
    add(i, RecordKind::instance, kFixedSize + std::uint64_t{8} * i, 0);
    add(i, RecordKind::object_array, 16, 4);
  }
}

}  // namespace

Provenance made_by(const char* tool) {
  Provenance provenance;
  provenance.tool = tool;
  provenance.dump.name = "model.hprof";
  return provenance;
}

std::vector<std::uint64_t> HeapModel::shallow_sizes() const {
  std::vector<std::uint64_t> sizes;
  for (std::uint32_t object = 0; object < size(); ++object) {
    const auto& info = type(object);
    sizes.push_back(info.has_length() ? info.shallow(length_of[object]) : info.base);
  }
  return sizes;
}

AdjacencyGraph HeapModel::graph(bool with_excluded) const {
  AdjacencyGraph out(size());
  for (std::uint32_t object = 0; object < size(); ++object) {
    out.add_edge(object, type(object).class_object.value());
    const auto& targets = references.targets(object);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (with_excluded || !excluded[object][i]) {
        out.add_edge(object, targets[i]);
      }
    }
  }
  out.set_roots({references.roots().begin(), references.roots().end()});
  return out;
}

void HeapModel::write(const std::string& path, std::uint32_t chunk_rows) const {
  Writer out(path, kGraphFile, made_by("hprof-graph"));
  write_front(out, *this);
  for (std::uint32_t first = 0; first < size(); first += chunk_rows) {
    write_chunk(out, *this, first, std::min(chunk_rows, size() - first));
  }
  write_excluded(out, *this);
  out.append(128, [&](Frame::Builder frame) {
    auto totals = frame.initTotals();
    std::uint64_t sum = 0;
    for (const auto bytes : shallow_sizes()) {
      sum += bytes;
    }
    totals.setAllShallow(sum);
  });
  out.commit();
}

HeapModel random_heap(unsigned shape, std::uint32_t seed) {
  auto references = random_graph(shape, seed);
  std::mt19937 random(seed);
  HeapModel heap(references.size());
  heap.references = references;
  add_types(heap, 1 + static_cast<std::uint32_t>(random() % std::min(5U, heap.size())));
  for (std::uint32_t object = 0; object < heap.size(); ++object) {
    heap.type_of[object] = 1 + static_cast<std::uint32_t>(random() % (heap.types.size() - 1));
  }
  for (const auto object : heap.class_objects) {
    heap.type_of[object] = 0;
  }
  for (std::uint32_t object = 0; object < heap.size(); ++object) {
    heap.length_of[object] = heap.type(object).has_length() ? random() % 40 : 0;
    std::vector<bool> marks;
    for (std::size_t i = 0; i < references.targets(object).size(); ++i) {
      marks.push_back(random() % 6 == 0);
    }
    heap.excluded.push_back(marks);
  }
  return heap;
}

}  // namespace hprof::test
