#pragma once

#include "formats/report/collections.h"
#include "formats/report/components.h"
#include "formats/report/dominators.h"
#include "formats/report/overview.h"
#include "formats/report/references.h"
#include "formats/report/threads.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

// What several formats tell of the model in the same words, or sum up in the same way.

/// "2 d 3 h", the largest two units that say something; seconds below a minute.
std::string uptime_text(std::uint64_t milliseconds);

/// "0", "2 – 4", "100,001 or more".
std::string range_text(std::uint64_t least, std::uint64_t most);

/// The share of slots in use that a row stands for: "nothing", "up to 20 %", "100 %". A full one
/// may be a row of its own.
std::string fill_text(std::uint64_t most_bp, bool full_is_apart);

/// Levels 1 to 8 one by one, then up to each power of two.
std::vector<DepthRow> merged_levels(const std::vector<DepthRow>& rows);

/// Collections of all classes by size; views and parts of others are left out.
std::vector<CollectionSizeRow> sizes_of_all(const std::vector<CollectionClass>& classes);

/// What is to be said where classes of collections add up to more than there are; "" if they do
/// not.
std::string uncounted_text(const std::vector<CollectionClass>& classes);

/// Object arrays of all classes of a component by how much of them is used.
std::vector<ComponentFill> fill_of_arrays(const std::vector<ComponentArrays>& arrays);

/// Collections of all classes by how full their storage is.
std::vector<CollectionFillRow> fill_of_all(const std::vector<CollectionClass>& classes);

/// How a thread is named: by its name, else by class and address.
std::string thread_name(const ThreadRow& row);

/// "demo.Main.run(Main.java:12)"
std::string frame_text(const StackFrameRow& frame);

/// The first frame that is not the JDK's own; the top where there is none.
const StackFrameRow& telling_frame(const StackRow& stack);

/// "1 object retains", "3 objects, the largest retains", to be followed by largest_retained(); or
/// how many where the report does not say what the largest retains.
std::string frame_locals_text(const FrameLocals& locals);
std::optional<std::uint64_t> largest_retained(const FrameLocals& locals);

/// Why sizes may be wrong, where references are of another size by how the objects lie than by the
/// rule that the sizes follow; nothing where the two agree.
std::optional<std::string> sizes_in_doubt(const Overview& overview);

/// Whether soft, weak, final and phantom references were left out of the dominator tree.
bool follows_strong_only(const Overview& overview);
/// Which references were followed, where not all were.
std::string followed_text(const std::string& reference_policy);
/// What that means for the figures, a sentence.
inline constexpr const char* kStrongOnlyNote =
    "Only strong references were followed; what soft, weak, final and phantom references alone "
    "hold counts as unreachable.";

/// What the column of that name means, a sentence.
inline constexpr const char* kComponentHeapNote =
    "Component heap: what the top-level objects that belong to a loader retain, added up; all "
    "loaders together have the used heap. What would be freed if a loader went away is another "
    "figure.";

/// "strongly", "only softly", …
const char* held_words(Strength strength);

}  // namespace hprof
