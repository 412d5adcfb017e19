#include "formats/report/derived.h"
#include "formats/report/markdown.h"
#include "formats/report/sections.h"

namespace hprof {
namespace {

constexpr char kTerms[] =
    "- **Shallow heap**: the bytes of an object itself, headers and padding included.\n"
    "- **Retained heap**: the bytes that would be freed if the object went away: its own and those "
    "of everything it "
    "dominates.\n"
    "- **Dominates**: A dominates B when every path from a GC root to B leads through A.\n"
    "- **Top-level object**: an object that no other object dominates.\n"
    "- **GC root**: an object that the JVM keeps alive by itself: threads, system classes, JNI "
    "references, monitors.\n"
    "- **Accumulation point**: going down from a suspect to the child that retains most, the last "
    "object before the "
    "memory spreads out.\n"
    "- **By class**: what a suspect or component retains is summed up by the class of the objects; "
    "a class object counts with the class that it stands for.\n"
    "- **Why alive**: the shortest chain of references from a GC root; soft, weak, phantom and "
    "final "
    "references are followed only where nothing else leads there.\n"
    "- **Kept alive by**: the field nearest to the object on that chain that a class outside the "
    "JDK "
    "declares; without one, the nearest static field or local variable.\n"
    "- **Locals**: what lies on a thread's stack. A thread's locals retain what would be freed if "
    "none of them were there: nothing that its fields, another thread or anything else hold, too. "
    "The thread itself and what dominates it are no locals here; an object that several frames "
    "hold "
    "counts in each.\n"
    "- **Virtual thread**: a thread of the Java runtime; it is mounted while a platform thread, "
    "its "
    "carrier, runs it.\n"
    "- **Held strongly, only softly, …**: the weakest reference on the strongest path from a GC "
    "root "
    "to the object; strong paths are those without a referent, then soft, weak, final and phantom "
    "referents are added in this order. Each reachable object is counted once, exactly.\n"
    "- **Referent**: what a java.lang.ref.Reference leads to by its referent field; a cleared "
    "reference has none.\n"
    "- **Stale ThreadLocal entry**: its key is cleared, so nothing can ask for its value again, "
    "but "
    "the thread still holds it.\n"
    "- **Garbage root**: an unreachable object that no other unreachable one references, or one "
    "object for a cycle that nothing else references.\n"
    "- **Reached first**: what is reached from a garbage root and not from one at a lower address; "
    "cycles come last.\n"
    "- **Big drop**: an object that retains over 1 % of the used heap more than the largest object "
    "that it immediately dominates does.\n"
    "- **Held by**: of an object, the nearest object that dominates it and whose class is neither "
    "skipped (the JDK's are by default) nor an array class; `class X` is the class itself with its "
    "static fields, `<ROOT>` says that there is no single one.\n"
    "- **Level**: top-level objects lie at level 1 of the dominator tree, what they immediately "
    "dominate at level 2.\n"
    "- **Component**: the top-level objects that belong to a class loader, and all that they "
    "dominate one by one; a class belongs to the loader that defined it, a loader to itself, any "
    "other object to the loader of its class. Components add up to the used heap. What a whole "
    "component would take along is more where "
    "several of its top-level objects share something or only soft, weak, phantom or finalizer "
    "references lead there otherwise; such sets may overlap.\n"
    "- **Collision**: an element that shares its slot of a hash table with one before it.\n"
    "- **Over capacity**: the bytes by which the array of a collection is larger than one that "
    "just "
    "holds its elements, "
    "with the same load factor and growth steps.\n"
    "- **Used heap**: the shallow heap of all reachable objects.\n";

constexpr char kStringTerms[] =
    "- **Surplus**: of equal objects all but one; an array that several Strings share is "
    "counted "
    "once.\n"
    "- **Deduplication** lets equal Strings share one array (`-XX:+UseStringDeduplication`); "
    "**interning** keeps one String of each text.\n"
    "- **Held alone**: a String that only one object references; its retained heap is counted "
    "with "
    "that field.\n"
    "- **Bypass cache**: boxed numbers made with `new`, where `valueOf()` would have taken the "
    "JVM's cached object.\n"
    "- **Object header**: what the size model counts of an object before its fields or "
    "elements.\n";

constexpr char kReachable[] =
    "- Counted are reachable objects only; unreachable ones have a section of their own.\n";
constexpr char kAllReferences[] =
    "- References are followed whether they are strong, soft, weak or phantom";
constexpr char kStrongReferences[] =
    "- Only strong references are followed, no soft, weak, final or phantom ones";
constexpr char kMethod[] =
    "; an object also references its class, a "
    "class its super class, its loader and its static fields, a thread its local variables.\n"
    "- Where two objects tie, the lower address comes first.\n"
    "- The retained heap of a class counts the class object and its instances, without those that "
    "another of them "
    "retains already.\n"
    "- Bytes are shown in units of 1024 with one decimal, shares are rounded down; the JSON has "
    "the exact numbers.\n";

constexpr char kDumpedSizes[] =
    "- Shallow sizes are those that the dump states: no headers, no padding.\n";
constexpr char kMatSizes[] =
    "- Shallow sizes are worked out from the fields of each class, the size of a reference and the "
    "object alignment.\n";
constexpr char kHotspotSizes[] =
    "- Shallow sizes are those of the JVM, worked out from the layout of its objects that the dump "
    "bears out; those of `jdk.internal.vm.StackChunk` lack the stack.\n";
constexpr char kFallbackRoots[] =
    " names no system class as a GC root; so all classes that seem to be the boot loader's were "
    "taken as roots.\n";

const char* sizes_note(const std::string& model) {
  return model == "dumped" ? kDumpedSizes : model == "hotspot" ? kHotspotSizes : kMatSizes;
}

}  // namespace

std::string md_glossary(const Report& report, MarkdownStyle /*style*/) {
  const bool fallback = report.overview.root_policy == "fallback";
  return std::string(kTerms) + (shows_section(report, "strings") ? kStringTerms : "") +
         "\n### How the Numbers Were Made\n\n" + kReachable +
         (follows_strong_only(report.overview) ? kStrongReferences : kAllReferences) + kMethod +
         sizes_note(report.overview.size_model) +
         (fallback ? (report.complete ? "- The dump" : "- What was read of the dump") +
                         std::string(kFallbackRoots)
                   : "");
}

}  // namespace hprof
