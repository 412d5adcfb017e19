#include "formats/index_tables.h"

#include "common/error.h"
#include "common/varint.h"
#include "formats/frame_file.h"

#include <algorithm>
#include <cstring>

namespace hprof {
namespace {

constexpr std::uint32_t kSparsePage = 4096;

void require(bool condition, const char* what) {
  if (!condition) {
    throw_unplaced(what);
  }
}

/// Copies one column: `get` turns a row into the column's value.
template <typename List, typename Rows, typename Get>
void fill(List list, const Rows& rows, Get get) {
  for (unsigned i = 0; i < rows.size(); ++i) {
    list.set(i, get(rows[i]));
  }
}

template <typename Rows, typename Get>
std::vector<std::uint8_t> byte_column(const Rows& rows, Get get) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(rows.size());
  for (const auto& row : rows) {
    bytes.push_back(get(row));
  }
  return bytes;
}

unsigned length(std::size_t size) {
  return static_cast<unsigned>(size);
}

}  // namespace

void write_names(schema::NameChunk::Builder out, const NameTable& names, std::size_t first,
                 std::size_t count) {
  out.setFirstRow(first);
  auto ends = out.initEnds(length(count));
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < count; ++i) {
    const auto text = names[NameIndex(static_cast<std::uint32_t>(first + i))];
    bytes.insert(bytes.end(), text.begin(), text.end());
    ends.set(length(i), static_cast<std::uint32_t>(bytes.size()));
  }
  out.setBytes(as_data(bytes));
}

void read_names(schema::NameChunk::Reader in, NameTable& names) {
  const auto bytes = as_span(in.getBytes());
  require(in.getFirstRow() == names.size(), "names are out of order");
  std::uint32_t start = 0;
  for (const std::uint32_t end : in.getEnds()) {
    require(start <= end && end <= bytes.size(), "a name reaches beyond its chunk");
    names.add({reinterpret_cast<const char*>(bytes.data()) + start, end - start});
    start = end;
  }
}

void write_classes(schema::ClassChunk::Builder out, std::span<const ClassInfo> rows,
                   std::size_t first) {
  out.setFirstRow(first);
  auto list = out.initRows(length(rows.size()));
  for (unsigned i = 0; i < rows.size(); ++i) {
    const ClassInfo& row = rows[i];
    auto to = list[i];
    to.setAddress(row.address);
    to.setName(row.name.value());
    to.setSuperClass(row.super_class.value());
    to.setLoaderObject(row.loader.value());
    to.setLoaderAddress(row.loader_address);
    to.setObject(row.object.value());
    to.setInstanceSize(row.instance_size);
    to.setStackTrace(row.stack_trace);
    to.setFaked(row.faked);
    to.setOwnsObject(row.owns_object);
    to.setSigners(row.signers);
    to.setDomain(row.protection_domain);
    fill(to.initFieldNames(length(row.fields.size())), row.fields,
         [](const Field& f) { return f.name.value(); });
    to.setFieldTypes(as_data(byte_column(row.fields, [](const Field& f) { return f.type; })));
    fill(to.initStaticNames(length(row.statics.size())), row.statics,
         [](const StaticField& f) { return f.name.value(); });
    to.setStaticTypes(
        as_data(byte_column(row.statics, [](const StaticField& f) { return f.type; })));
    fill(to.initStaticValues(length(row.statics.size())), row.statics,
         [](const StaticField& f) { return f.value; });
  }
}

void read_classes(schema::ClassChunk::Reader in, std::vector<ClassInfo>& rows) {
  require(in.getFirstRow() == rows.size(), "classes are out of order");
  for (const auto from : in.getRows()) {
    ClassInfo row{.address = from.getAddress(),
                  .name = NameIndex(from.getName()),
                  .super_class = ClassIndex(from.getSuperClass()),
                  .loader_address = from.getLoaderAddress(),
                  .loader = ObjectIndex(from.getLoaderObject()),
                  .object = ObjectIndex(from.getObject()),
                  .instance_size = from.getInstanceSize(),
                  .stack_trace = from.getStackTrace(),
                  .faked = from.getFaked(),
                  .owns_object = from.getOwnsObject(),
                  .signers = from.getSigners(),
                  .protection_domain = from.getDomain(),
                  .fields = {},
                  .statics = {}};
    const auto field_names = from.getFieldNames();
    const auto field_types = from.getFieldTypes();
    require(field_names.size() == field_types.size(), "uneven field columns");
    for (unsigned i = 0; i < field_names.size(); ++i) {
      row.fields.push_back({.name = NameIndex(field_names[i]), .type = field_types[i]});
    }
    const auto static_names = from.getStaticNames();
    const auto static_types = from.getStaticTypes();
    const auto static_values = from.getStaticValues();
    require(
        static_names.size() == static_types.size() && static_names.size() == static_values.size(),
        "uneven static columns");
    for (unsigned i = 0; i < static_names.size(); ++i) {
      row.statics.push_back(
          {.name = NameIndex(static_names[i]), .type = static_types[i], .value = static_values[i]});
    }
    rows.push_back(std::move(row));
  }
}

void write_types(schema::TypeChunk::Builder out, std::span<const TypeInfo> rows,
                 std::size_t first) {
  out.setFirstRow(first);
  fill(out.initClassIndex(length(rows.size())), rows,
       [](const TypeInfo& t) { return t.class_index.value(); });
  out.setKind(as_data(
      byte_column(rows, [](const TypeInfo& t) { return static_cast<std::uint8_t>(t.kind); })));
  fill(out.initRecords(length(rows.size())), rows, [](const TypeInfo& t) { return t.records; });
}

void read_types(schema::TypeChunk::Reader in, std::vector<TypeInfo>& rows) {
  const auto class_indices = in.getClassIndex();
  const auto records = in.getRecords();
  const auto kinds = in.getKind();
  require(in.getFirstRow() == rows.size() && class_indices.size() == kinds.size() &&
              records.size() == kinds.size(),
          "uneven type columns");
  for (unsigned i = 0; i < kinds.size(); ++i) {
    rows.push_back({.class_index = ClassIndex(class_indices[i]),
                    .kind = static_cast<RecordKind>(kinds[i]),
                    .records = records[i]});
  }
}

void write_addresses(schema::AddressChunk::Builder out, const AddressSet& addresses,
                     std::size_t first, std::size_t count) {
  out.setGranuleShift(static_cast<std::uint8_t>(addresses.granule_shift()));
  auto pages = out.initPages(length(count));
  auto counts = out.initCounts(length(count));
  std::vector<std::uint8_t> bits;
  for (std::size_t i = 0; i < count; ++i) {
    const auto page = addresses.page(first + i);
    pages.set(length(i), page.number);
    counts.set(length(i), page.objects);
    if (page.objects >= kSparsePage) {
      const auto raw = std::as_bytes(page.words);
      const auto* begin = reinterpret_cast<const std::uint8_t*>(raw.data());
      bits.insert(bits.end(), begin, begin + raw.size());
    } else {
      page.for_each([&](std::uint32_t granule) {
        bits.push_back(static_cast<std::uint8_t>(granule));
        bits.push_back(static_cast<std::uint8_t>(granule >> 8U));
      });
    }
  }
  out.setBits(as_data(bits));
}

void read_addresses(schema::AddressChunk::Reader in, AddressSet& addresses) {
  const auto counts = in.getCounts();
  const auto pages = in.getPages();
  auto bits = as_span(in.getBits());
  require(pages.size() == counts.size() && in.getGranuleShift() == addresses.granule_shift(),
          "uneven address columns");
  for (unsigned i = 0; i < pages.size(); ++i) {
    const std::uint32_t objects = counts[i];
    const std::size_t size =
        objects >= kSparsePage ? AddressSet::kPageWords * sizeof(std::uint64_t) : objects * 2UL;
    require(size <= bits.size(), "a page of addresses is cut");
    require(addresses.begin_page(pages[i]), "pages of addresses are out of range or order");
    if (objects >= kSparsePage) {
      std::memcpy(addresses.page_words().data(), bits.data(), size);
    } else {
      for (std::size_t at = 0; at < size; at += 2) {
        addresses.add_granule(static_cast<std::uint16_t>(bits[at] | bits[at + 1] << 8U));
      }
    }
    bits = bits.subspan(size);
  }
}

void write_roots(schema::RootChunk::Builder out, std::span<const RootInfo> rows) {
  fill(out.initObject(length(rows.size())), rows,
       [](const RootInfo& r) { return r.object.value(); });
  out.setKind(as_data(byte_column(rows, [](const RootInfo& r) { return r.kind; })));
  fill(out.initThread(length(rows.size())), rows,
       [](const RootInfo& r) { return r.thread.value(); });
  fill(out.initFrame(length(rows.size())), rows, [](const RootInfo& r) { return r.frame; });
}

void read_roots(schema::RootChunk::Reader in, std::vector<RootInfo>& rows) {
  const auto frames = in.getFrame();
  const auto objects = in.getObject();
  const auto threads = in.getThread();
  const auto kinds = in.getKind();
  require(objects.size() == kinds.size() && threads.size() == kinds.size() &&
              frames.size() == kinds.size(),
          "uneven root columns");
  for (unsigned i = 0; i < kinds.size(); ++i) {
    rows.push_back({.object = ObjectIndex(objects[i]),
                    .kind = kinds[i],
                    .thread = ObjectIndex(threads[i]),
                    .frame = frames[i]});
  }
}

void write_threads(schema::ThreadChunk::Builder out, std::span<const ThreadInfo> rows) {
  fill(out.initSerial(length(rows.size())), rows, [](const ThreadInfo& t) { return t.serial; });
  fill(out.initObject(length(rows.size())), rows,
       [](const ThreadInfo& t) { return t.object.value(); });
  fill(out.initTraceSerial(length(rows.size())), rows,
       [](const ThreadInfo& t) { return t.trace_serial; });
}

void read_threads(schema::ThreadChunk::Reader in, std::vector<ThreadInfo>& rows) {
  const auto objects = in.getObject();
  const auto serials = in.getSerial();
  const auto trace_serials = in.getTraceSerial();
  const unsigned count = serials.size();
  require(objects.size() == count && trace_serials.size() == count, "uneven thread columns");
  for (unsigned i = 0; i < count; ++i) {
    rows.push_back({.serial = serials[i],
                    .object = ObjectIndex(objects[i]),
                    .trace_serial = trace_serials[i]});
  }
}

void write_frames(schema::StackFrameChunk::Builder out, std::span<const StackFrame> rows) {
  fill(out.initId(length(rows.size())), rows, [](const StackFrame& f) { return f.id; });
  fill(out.initMethodName(length(rows.size())), rows,
       [](const StackFrame& f) { return f.method.value(); });
  fill(out.initSignature(length(rows.size())), rows,
       [](const StackFrame& f) { return f.signature.value(); });
  fill(out.initSourceFile(length(rows.size())), rows,
       [](const StackFrame& f) { return f.source_file.value(); });
  fill(out.initClassName(length(rows.size())), rows,
       [](const StackFrame& f) { return f.class_name.value(); });
  fill(out.initLine(length(rows.size())), rows, [](const StackFrame& f) { return f.line; });
}

void read_frames(schema::StackFrameChunk::Reader in, std::vector<StackFrame>& rows) {
  const auto class_names = in.getClassName();
  const auto ids = in.getId();
  const auto lines = in.getLine();
  const auto method_names = in.getMethodName();
  const auto signatures = in.getSignature();
  const auto source_files = in.getSourceFile();
  const unsigned count = ids.size();
  require(method_names.size() == count && signatures.size() == count &&
              source_files.size() == count && class_names.size() == count && lines.size() == count,
          "uneven stack frame columns");
  for (unsigned i = 0; i < count; ++i) {
    rows.push_back({.id = ids[i],
                    .method = NameIndex(method_names[i]),
                    .signature = NameIndex(signatures[i]),
                    .source_file = NameIndex(source_files[i]),
                    .class_name = NameIndex(class_names[i]),
                    .line = lines[i]});
  }
}

void write_traces(schema::StackTraceChunk::Builder out, std::span<const StackTrace> rows) {
  fill(out.initSerial(length(rows.size())), rows, [](const StackTrace& t) { return t.serial; });
  fill(out.initThreadSerial(length(rows.size())), rows,
       [](const StackTrace& t) { return t.thread_serial; });
  std::vector<std::uint64_t> ids;
  auto ends = out.initFrameEnds(length(rows.size()));
  for (unsigned i = 0; i < rows.size(); ++i) {
    ids.insert(ids.end(), rows[i].frame_ids.begin(), rows[i].frame_ids.end());
    ends.set(i, static_cast<std::uint32_t>(ids.size()));
  }
  fill(out.initFrameIds(length(ids.size())), ids, [](std::uint64_t id) { return id; });
}

void read_traces(schema::StackTraceChunk::Reader in, std::vector<StackTrace>& rows) {
  const auto frame_ends = in.getFrameEnds();
  const auto serials = in.getSerial();
  const auto thread_serials = in.getThreadSerial();
  const unsigned count = serials.size();
  require(thread_serials.size() == count && frame_ends.size() == count,
          "uneven stack trace columns");
  const auto ids = in.getFrameIds();
  std::uint32_t start = 0;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t end = frame_ends[i];
    require(start <= end && end <= ids.size(), "a stack trace reaches beyond its chunk");
    StackTrace row{.serial = serials[i], .thread_serial = thread_serials[i], .frame_ids = {}};
    for (; start < end; ++start) {
      row.frame_ids.push_back(ids[start]);
    }
    rows.push_back(std::move(row));
  }
}

void write_census(schema::CensusChunk::Builder out, const HeapIndex& index) {
  const auto tag_of = [](const TagCount& row) { return row.tag; };
  const auto count_of = [](const TagCount& row) { return row.count; };
  out.setTags(as_data(byte_column(index.records, tag_of)));
  fill(out.initCounts(length(index.records.size())), index.records, count_of);
  fill(out.initBytes(length(index.records.size())), index.records,
       [](const TagCount& row) { return row.bytes; });
  out.setSubTags(as_data(byte_column(index.sub_records, tag_of)));
  fill(out.initSubCounts(length(index.sub_records.size())), index.sub_records, count_of);
}

void read_census(schema::CensusChunk::Reader in, HeapIndex& index) {
  const auto bytes = in.getBytes();
  const auto counts = in.getCounts();
  const auto sub_counts = in.getSubCounts();
  const auto tags = in.getTags();
  const auto sub_tags = in.getSubTags();
  require(counts.size() == tags.size() && bytes.size() == tags.size() &&
              sub_counts.size() == sub_tags.size(),
          "uneven census columns");
  for (unsigned i = 0; i < tags.size(); ++i) {
    index.records.push_back({.tag = tags[i], .count = counts[i], .bytes = bytes[i]});
  }
  for (unsigned i = 0; i < sub_tags.size(); ++i) {
    index.sub_records.push_back({.tag = sub_tags[i], .count = sub_counts[i], .bytes = 0});
  }
}

}  // namespace hprof
