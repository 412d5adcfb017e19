#pragma once

#include "common/byte_source.h"
#include "formats/dump_damage.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hprof {

/// Where a part of a dump lies, or the dump itself if nothing follows its name.
std::string path_of_part(const std::string& path, const std::string& suffix);

/// The files `path`.p0, `path`.p1 … that lie beside a dump, as far as they are there, in order: a
/// JVM from 22 on writes each thread's share of the heap into one of them, then appends them to the
/// dump and deletes them; they are left over when it is stopped before that. They, and the dump,
/// may be packed (.gz); of a part that is there twice the plain one counts.
std::vector<std::string> parts_beside(const std::string& path);

/// What of a dump and of the parts beside it is whole, record by record. Error(usage) when there
/// are no parts, Error(bad_data) when the dump itself is no dump or finished.
std::vector<DumpPart> measure_parts(const std::string& path);

/// The parts in a few words, as one of the options that a result depends on.
std::string parts_option(const std::vector<DumpPart>& parts);

/// Bytes of a dump's files on the disk.
std::uint64_t bytes_of_files(const std::string& path, const std::vector<DumpPart>& parts);

/// What is said of parts in the list of damage: the dump is not finished, and what is not used at
/// the ends of its files.
std::vector<Damage> unfinished_rows(const std::string& path, const std::vector<DumpPart>& parts);

/// A dump in one file, or with its parts, to be read as far as it is whole.
std::unique_ptr<ByteSource> open_dump(const std::string& path, const std::vector<DumpPart>& parts);

/// The whole records of a dump and its parts as one dump. Error(no_input) when a part is missing or
/// shorter than it was.
std::unique_ptr<ByteSource> open_parts(const std::string& path, const std::vector<DumpPart>& parts);

/// The bytes of a dump in which `known` was found: damaged packing ends them instead of failing.
std::unique_ptr<ByteSource> open_damaged_source(const std::string& path, const DumpDamage& known);

/// Whether one of the files was written, replaced or renamed after `output`: the identity of a dump
/// does not cover all that it holds.
bool changed_since(const std::string& path, const std::vector<DumpPart>& parts,
                   const std::string& output);

}  // namespace hprof
