#pragma once

#include "formats/export/stack_tree.h"
#include "formats/report/text_sink.h"

namespace hprof {

/// "frame;frame;frame BYTES", a line per stack that has bytes, as flamegraph.pl and its relatives
/// read it; a semicolon in a name becomes a colon, a control character a blank.
void write_folded(const StackTree& tree, TextSink& out);

/// The protobuf message perftools.profiles.Profile, not compressed: samples of objects/count and
/// space/bytes.
void write_pprof(const StackTree& tree, TextSink& out);

/// The JSON of https://www.speedscope.app/file-format-schema.json: one profile in bytes and one in
/// objects.
void write_speedscope(const StackTree& tree, TextSink& out);

}  // namespace hprof
