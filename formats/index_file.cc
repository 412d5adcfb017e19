// The index is written table by table; big tables are cut into chunks so that no frame grows with
// the heap. Reading checks every row number once, so that users of HeapIndex need not.
#include "formats/index_file.h"

#include "common/text.h"
#include "formats/frame_file.h"
#include "formats/index_tables.h"
#include "index.capnp.h"

#include <algorithm>

namespace hprof {
namespace {

using Frame = schema::IndexFrame;

constexpr std::size_t kChunkBytes = 8U << 20U;

/// Calls `write(first, count, bytes)` for stretches of rows that are about kChunkBytes large by
/// `bytes_of(row)`.
template <typename BytesOf, typename Write>
void in_chunks(std::size_t rows, BytesOf&& bytes_of, Write&& write) {
  std::size_t first = 0;
  std::size_t bytes = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t more = bytes_of(row);
    if (row > first && bytes + more > kChunkBytes) {
      write(first, row - first, bytes);
      first = row;
      bytes = 0;
    }
    bytes += more;
  }
  if (first < rows) {
    write(first, rows - first, bytes);
  }
}

/// For tables whose rows all take the same room.
auto bytes_each(std::size_t bytes) {
  return [bytes](std::size_t) { return bytes; };
}

/// Writes a flat table: `init` makes the frame's chunk, `write` fills it from a stretch of rows.
template <typename Row, typename Init, typename Write>
void write_flat(FrameWriter<schema::IndexFrame>& writer, const std::vector<Row>& rows,
                std::size_t row_bytes, Init init, Write write) {
  in_chunks(rows.size(), bytes_each(row_bytes),
            [&](std::size_t first, std::size_t count, std::size_t bytes) {
              writer.append(bytes, [&](schema::IndexFrame::Builder frame) {
                write(init(frame), std::span(rows).subspan(first, count));
              });
            });
}

void write_pages(FrameWriter<schema::IndexFrame>& writer, const AddressSet& addresses) {
  constexpr std::uint32_t kBitmapGranules = 4096;  // as many as a bitmap has room for as numbers
  const auto page_bytes = [&](std::size_t row) {
    return 12 + std::size_t{2} * std::min(addresses.page(row).objects, kBitmapGranules);
  };
  in_chunks(addresses.page_count(), page_bytes,
            [&](std::size_t first, std::size_t count, std::size_t bytes) {
              writer.append(bytes, [&](Frame::Builder frame) {
                write_addresses(frame.initObjects(), addresses, first, count);
              });
            });
}

void write_summary(schema::IndexSummary::Builder out, const HeapIndex& index) {
  const auto& summary = index.summary;
  out.setFormat(summary.format);
  out.setIdentifierSize(summary.identifier_size);
  out.setReferenceSize(summary.reference_size);
  out.setObjectAlignment(summary.object_alignment);
  out.setObjects(index.addresses.size());
  out.setDuplicateIds(summary.duplicate_ids);
  out.setShadowedClassDumps(summary.shadowed_class_dumps);
  out.setDanglingRoots(summary.dangling_roots);
  out.setLostLocals(summary.lost_locals);
  out.setFakeClasses(summary.fake_classes);
  out.setDumpsInFile(summary.dumps_in_file);
  out.setDumpMicros(summary.dump_micros);
  out.setAddressesAscend(summary.addresses_ascend);
  out.setRootFallback(summary.root_fallback);
  out.setStrictRoots(summary.strict_roots);
  out.setRootsLeftOut(summary.roots_left_out);
  out.setJavaLangClass(summary.java_lang_class.value());
  out.setClassLoaderClass(summary.class_loader_class.value());
  out.setStringClass(summary.string_class.value());
  out.setStringValueField(summary.string_value_offset);
}

IndexSummary read_summary(schema::IndexSummary::Reader in) {
  return {.format = in.getFormat(),
          .identifier_size = in.getIdentifierSize(),
          .reference_size = in.getReferenceSize(),
          .object_alignment = in.getObjectAlignment(),
          .duplicate_ids = in.getDuplicateIds(),
          .shadowed_class_dumps = in.getShadowedClassDumps(),
          .dangling_roots = in.getDanglingRoots(),
          .lost_locals = in.getLostLocals(),
          .fake_classes = in.getFakeClasses(),
          .dumps_in_file = in.getDumpsInFile(),
          .dump_micros = in.getDumpMicros(),
          .addresses_ascend = in.getAddressesAscend(),
          .root_fallback = in.getRootFallback(),
          .strict_roots = in.getStrictRoots(),
          .roots_left_out = in.getRootsLeftOut(),
          .java_lang_class = ClassIndex(in.getJavaLangClass()),
          .class_loader_class = ClassIndex(in.getClassLoaderClass()),
          .string_class = ClassIndex(in.getStringClass()),
          .string_value_offset = in.getStringValueField()};
}

std::size_t class_bytes(const ClassInfo& row) {
  return 160 + row.fields.size() * 8 + row.statics.size() * 16;
}

void check_rows(const HeapIndex& index, std::uint64_t objects, const std::string& path) {
  const auto bad = [&](const char* what) {
    fail(ExitCode::bad_data, printable(path), ": ", what, "; run hprof-index with --force again");
  };
  if (index.addresses.size() != objects) {
    bad("the object count differs from its summary");
  }
  for (std::size_t i = 1; i < index.classes.size(); ++i) {
    if (index.classes[i - 1].address >= index.classes[i].address) {
      bad("classes are out of order");
    }
  }
  if (const char* what = out_of_range(index); what != nullptr) {
    bad(what);
  }
}

using Writer = FrameWriter<Frame>;

void write_all_names(Writer& writer, const HeapIndex& index) {
  const auto name_bytes = [&](std::size_t row) {
    return index.names[NameIndex(static_cast<std::uint32_t>(row))].size() + 4;
  };
  in_chunks(index.names.size(), name_bytes,
            [&](std::size_t first, std::size_t count, std::size_t bytes) {
              writer.append(bytes, [&](Frame::Builder frame) {
                write_names(frame.initNames(), index.names, first, count);
              });
            });
}

void write_class_rows(Writer& writer, const HeapIndex& index) {
  const auto row_bytes = [&](std::size_t row) { return class_bytes(index.classes[row]); };
  in_chunks(index.classes.size(), row_bytes,
            [&](std::size_t first, std::size_t count, std::size_t bytes) {
              writer.append(bytes, [&](Frame::Builder frame) {
                write_classes(frame.initClasses(), std::span(index.classes).subspan(first, count),
                              first);
              });
            });
}

void write_type_rows(Writer& writer, const HeapIndex& index) {
  std::size_t first_type = 0;
  write_flat(
      writer, index.types, 16, [](Frame::Builder frame) { return frame.initTypes(); },
      [&](schema::TypeChunk::Builder out, std::span<const TypeInfo> rows) {
        write_types(out, rows, first_type);
        first_type += rows.size();
      });
}

void write_trace_rows(Writer& writer, const HeapIndex& index) {
  const auto trace_bytes = [&](std::size_t row) {
    return 12 + index.traces[row].frame_ids.size() * 8;
  };
  in_chunks(index.traces.size(), trace_bytes,
            [&](std::size_t first, std::size_t count, std::size_t bytes) {
              writer.append(bytes, [&](Frame::Builder frame) {
                write_traces(frame.initTraces(), std::span(index.traces).subspan(first, count));
              });
            });
}

void write_threads_and_roots(Writer& writer, const HeapIndex& index) {
  write_flat(
      writer, index.roots, 13, [](Frame::Builder frame) { return frame.initRoots(); }, write_roots);
  write_flat(
      writer, index.threads, 12, [](Frame::Builder frame) { return frame.initThreads(); },
      write_threads);
  write_flat(
      writer, index.frames, 28, [](Frame::Builder frame) { return frame.initFrames(); },
      write_frames);
  write_trace_rows(writer, index);
}

void write_what_was_seen(Writer& writer, const HeapIndex& index) {
  writer.append(4096, [&](Frame::Builder frame) { write_census(frame.initCensus(), index); });
  if (index.damage.any() || !index.damage.lengths.empty()) {
    writer.append(4096 + index.damage.rows.size() * 128,
                  [&](Frame::Builder frame) { write_damage(frame.initDamage(), index.damage); });
  }
}

}  // namespace

FileIdentity write_index(const std::string& path, const Provenance& provenance,
                         const HeapIndex& index) {
  Writer writer(path, kIndexFile, provenance);
  writer.append(512, [&](Frame::Builder frame) { write_summary(frame.initSummary(), index); });
  write_all_names(writer, index);
  write_class_rows(writer, index);
  write_type_rows(writer, index);
  write_flat(
      writer, index.spacings, 22, [](Frame::Builder frame) { return frame.initSpacing(); },
      write_spacings);
  write_flat(
      writer, index.heaps, 8, [](Frame::Builder frame) { return frame.initHeaps(); }, write_heaps);
  write_pages(writer, index.addresses);
  write_threads_and_roots(writer, index);
  write_what_was_seen(writer, index);
  return writer.commit();
}

IndexFile read_index(const std::string& path) {
  FrameReader<Frame> reader(path, kIndexFile);
  IndexFile file;
  file.provenance = reader.provenance();
  HeapIndex& index = file.index;
  std::uint64_t objects = 0;
  bool addresses_begun = false;
  file.identity = reader.for_each([&](Frame::Reader frame) {
    switch (frame.which()) {
      case Frame::SUMMARY:
        index.summary = read_summary(frame.getSummary());
        objects = frame.getSummary().getObjects();
        break;
      case Frame::NAMES:
        return read_names(frame.getNames(), index.names);
      case Frame::CLASSES:
        return read_classes(frame.getClasses(), index.classes);
      case Frame::TYPES:
        return read_types(frame.getTypes(), index.types);
      case Frame::SPACING:
        return read_spacings(frame.getSpacing(), index.spacings);
      case Frame::HEAPS:
        return read_heaps(frame.getHeaps(), index.heaps);
      case Frame::OBJECTS:
        if (!addresses_begun) {
          if (!index.addresses.begin(frame.getObjects().getGranuleShift())) {
            throw_unplaced("no granule of addresses");
          }
          addresses_begun = true;
        }
        return read_addresses(frame.getObjects(), index.addresses);
      case Frame::ROOTS:
        return read_roots(frame.getRoots(), index.roots);
      case Frame::THREADS:
        return read_threads(frame.getThreads(), index.threads);
      case Frame::FRAMES:
        return read_frames(frame.getFrames(), index.frames);
      case Frame::TRACES:
        return read_traces(frame.getTraces(), index.traces);
      case Frame::CENSUS:
        return read_census(frame.getCensus(), index);
      case Frame::DAMAGE:
        return read_damage(frame.getDamage(), index.damage);
      default:
        break;
    }
  });
  index.addresses.freeze();
  check_rows(index, objects, path);
  return file;
}

}  // namespace hprof
