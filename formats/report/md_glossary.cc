#include "formats/report/markdown.h"

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
    "- **Why alive**: the shortest chain of references from a GC root; soft, weak, phantom and "
    "final "
    "references are followed only where nothing else leads there.\n"
    "- **Kept alive by**: the field nearest to the object on that chain that a class outside the "
    "JDK "
    "declares; without one, the nearest static field or local variable.\n"
    "- **Locals**: what lies on a thread's stack. A frame's locals retain what would be freed if "
    "none of them were there; the thread itself and what dominates it are no locals here. An "
    "object "
    "that several frames hold counts in each.\n"
    "- **Virtual thread**: a thread of the Java runtime; it is mounted while a platform thread, "
    "its "
    "carrier, runs it.\n"
    "- **Used heap**: the shallow heap of all reachable objects.\n"
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
    "cycles come last.\n";

constexpr char kMethod[] =
    "- Counted are reachable objects only; unreachable ones have a section of their own.\n"
    "- References are followed whether they are strong, soft, weak or phantom; an object also "
    "references its class, a "
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
constexpr char kFallbackRoots[] =
    "- The dump names no system class as a GC root; so all classes of the boot loader were taken "
    "as roots.\n";

}  // namespace

std::string md_glossary(const Report& report, MarkdownStyle /*style*/) {
  const bool dumped = report.overview.size_model == "dumped";
  const bool fallback = report.overview.root_policy == "fallback";
  return std::string(kTerms) + "\n### How the Numbers Were Made\n\n" + kMethod +
         (dumped ? kDumpedSizes : kMatSizes) + (fallback ? kFallbackRoots : "");
}

}  // namespace hprof
