#pragma once

#include "formats/heap_index.h"
#include "index.capnp.h"

#include <span>
#include <vector>

namespace hprof {

// One writer and one reader per table of X.index; index_file.cc calls them chunk by chunk.
// Readers append and throw Error(bad_data) for uneven columns.

void write_names(schema::NameChunk::Builder out, const NameTable& names, std::size_t first,
                 std::size_t count);
void read_names(schema::NameChunk::Reader in, NameTable& names);

void write_classes(schema::ClassChunk::Builder out, std::span<const ClassInfo> rows,
                   std::size_t first);
void read_classes(schema::ClassChunk::Reader in, std::vector<ClassInfo>& rows);

void write_types(schema::TypeChunk::Builder out, std::span<const TypeInfo> rows, std::size_t first);
void read_types(schema::TypeChunk::Reader in, std::vector<TypeInfo>& rows);

void write_spacings(schema::SpacingChunk::Builder out, std::span<const Spacing> rows);
void read_spacings(schema::SpacingChunk::Reader in, std::vector<Spacing>& rows);

void write_heaps(schema::HeapChunk::Builder out, std::span<const HeapInfo> rows);
void read_heaps(schema::HeapChunk::Reader in, std::vector<HeapInfo>& rows);

void write_addresses(schema::AddressChunk::Builder out, const AddressSet& addresses,
                     std::size_t first, std::size_t count);
void read_addresses(schema::AddressChunk::Reader in, AddressSet& addresses);

void write_roots(schema::RootChunk::Builder out, std::span<const RootInfo> rows);
void read_roots(schema::RootChunk::Reader in, std::vector<RootInfo>& rows);

void write_threads(schema::ThreadChunk::Builder out, std::span<const ThreadInfo> rows);
void read_threads(schema::ThreadChunk::Reader in, std::vector<ThreadInfo>& rows);

void write_frames(schema::StackFrameChunk::Builder out, std::span<const StackFrame> rows);
void read_frames(schema::StackFrameChunk::Reader in, std::vector<StackFrame>& rows);

void write_traces(schema::StackTraceChunk::Builder out, std::span<const StackTrace> rows);
void read_traces(schema::StackTraceChunk::Reader in, std::vector<StackTrace>& rows);

void write_damage(schema::DamageChunk::Builder out, const DumpDamage& damage);
/// Error(bad_data) unless rows and lengths ascend.
void read_damage(schema::DamageChunk::Reader in, DumpDamage& damage);
void write_census(schema::CensusChunk::Builder out, const HeapIndex& index);
void read_census(schema::CensusChunk::Reader in, HeapIndex& index);

/// What is wrong with the row numbers of an index that was read, nullptr if nothing is.
const char* out_of_range(const HeapIndex& index);

}  // namespace hprof
