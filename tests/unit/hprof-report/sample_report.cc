#include "sample_report.h"

#include "sample_sections.h"

namespace hprof::test {
namespace {

using namespace std::string_literals;

constexpr std::uint64_t kHuge = 0xffffffffffffffffULL;

Overview sample_overview() {
  Overview out;
  out.file_path = "/dumps/" + hostile_name();
  out.file_name = hostile_name();
  out.file_size = 37859276;
  out.format = "JAVA PROFILE 1.0.2";
  out.identifier_size_bits = 64;
  out.compressed_oops = true;
  out.object_alignment = 8;
  out.dump_creation_ms = 1795989998670;
  out.dump_number = 2;
  out.dumps_in_file = 3;
  out.jvm_version = "17 | <b>bold</b>";
  out.jvm = JvmFacts{.vm_name = "OpenJDK 64-Bit Server VM",
                     .vm_version = "17.0.15+6",
                     .vm_vendor = hostile_name(),
                     .java_version = "17.0.15+6",
                     .command = "app.Main | <b>",
                     .arguments = std::vector<std::string>{"-Xmx1g", hostile_name()},
                     .collectors = std::vector<std::string>{"G1 Young Generation"},
                     .started_ms = 1795989900000,
                     .uptime_ms = 98670,
                     .process_id = 4711,
                     .processors = 8,
                     .max_direct_memory = kHuge};
  out.system_properties = {{"db.password", "***", true, std::nullopt},
                           {hostile_name(), hostile_name(), false, true},
                           {"user.timezone", "", false, std::nullopt}};
  out.total_objects = kHuge;
  out.total_shallow = 23282856;
  out.gc_roots = 893;
  out.classes_loaded = 875;
  out.classloaders_loaded = 4;
  out.unreachable_count = 388;
  out.unreachable_shallow = 15224;
  out.all_objects = 538088;
  out.all_shallow = 23298080;
  out.size_model = "mat";
  out.heap_layout = HeapLayout{.compact_headers = false,
                               .header = 12,
                               .class_pointer = 4,
                               .reference = 4,
                               .alignment = 8,
                               .array_base = 16,
                               .field_packing = "filled",
                               .confidence = "high",
                               .given = true,
                               .classes_equal = 833,
                               .classes_larger = 4,
                               .classes_smaller = 1};
  out.used_heap_mat = 23282856;
  out.used_heap_hotspot = 25000000;
  out.native_bytes = 4096;
  out.android_heaps = {{hostile_name(), 10, 240, 1, 8}, {"zygote", 3, 24, 0, 0}};
  out.mapping = NameMapping{.file = hostile_name(), .classes = 2, .fields_named = 1};
  out.root_policy = "fallback";
  out.roots_left_out = 12;
  out.dangling_references = 1;
  out.dangling_roots = 2;
  out.lost_locals = 3;
  out.duplicate_ids = 4;
  out.fake_classes = 5;
  out.gc_roots_by_type = {{"JNI Global, System Class", 800, 1000}, {"Thread", 93, 7}};
  out.held_by_several_roots = 23281849;
  out.heap_composition = {{"instances", 10, 240}, {"class objects", 3, 24}};
  out.record_census = {{"UTF8", 1, false, 20, 400},
                       {"INSTANCE_DUMP", 0x21, true, 10, std::nullopt}};
  out.histogram = {
      {"twice.Loaded", {16}, {0x700}, "app.Loader @ 0x700", 7, 168, 900, 24, std::nullopt},
      {"twice.Loaded", {24}, {0x800}, "app.Loader @ 0x800", 1, 24, 300, 24, 4096},
      {hostile_name(), {32}, {0}, "<system class loader>", 0, 0, 16, 0, std::nullopt}};
  out.unreachable_histogram = {{"byte[]", {0xffe005b0}, 79, 3592}};
  out.class_loaders = {{{0x700},
                        "app.Loader @ 0x700",
                        "app.Loader",
                        hostile_name(),
                        Address{0},
                        hostile_name(),
                        2,
                        1,
                        7,
                        168,
                        900,
                        1},
                       {{0}, "<system class loader>", "java.lang.ClassLoader", {}, {}, {}, 1}};
  out.duplicate_class_names = 7;
  out.duplicate_classes = {
      {hostile_name(), 12, 8, 192, {{{0x700}, "app.Loader @ 0x700"}, {{0x800}, hostile_name()}}}};
  return out;
}

/// Everything that is told of a suspect beside its figures.
void add_details(Suspect& suspect) {
  suspect.common_path_left_out = 4;
  suspect.why_alive = sample_path();
  suspect.holder = sample_holder(HolderKind::field);
  suspect.anchor = sample_holder(HolderKind::thread_local_value);
  suspect.largest_static = sample_holder(HolderKind::static_field);
  const ObjectRef local{{0x40}, "a.D", hostile_name(), 16, 17};
  suspect.held_together = HeldTogether{{{hostile_name(), {0x50}, 5, 6, 7}},
                                       {{sample_holder(HolderKind::static_field), local},
                                        {sample_holder(HolderKind::local), local}}};
  suspect.thread =
      SuspectThread{local, hostile_name(), {{"a.B.run(B.java:1)", "a.B.run()V", {local}}}, 3};
  suspect.retained_classes = {{hostile_name(), {0x50}, 5, 6, std::nullopt}};
  suspect.accumulated = Accumulated{2, 3, 4, {{"byte[]", {0x60}, 5, 6, 7}}, {local}};
  const DominatedObject leaf{{0x70}, hostile_name(), 1, 2, {}};
  suspect.tree = DominatedObject{{0x80}, "a.E @ 0x80", 3, kHuge, {leaf, leaf}};
  suspect.keywords = {hostile_name(), "a.F"};
}

Leaks sample_leaks() {
  Suspect single;
  single.class_name = "java.lang.Class";
  single.address = Address{0xe09ea020};
  single.label = "class " + hostile_name() + " @ 0xe09ea020";
  single.class_address = {0xffe00958};
  single.loader_label = "app.Loader @ 0x700";
  single.instances = 1;
  single.shallow = 16;
  single.retained = 21520208;
  single.retained_bp = 9242;
  single.root_types = {"System Class"};
  single.accumulation_point = ObjectRef{
      {0xf6a19240}, "java.lang.Object[]", "java.lang.Object[31618] @ 0xf6a19240", 126488, 21517192};
  Suspect group;
  group.kind = SuspectKind::group;
  group.class_name = hostile_name();
  group.label = group.class_name;
  group.class_address = {0x20};
  group.loader_label = "<system class loader>";
  group.instances = 2000;
  group.shallow = 32000;
  group.retained = 2400000;
  group.retained_bp = 1030;
  group.root_types = {"Thread", "JNI Global"};
  group.common_path = sample_path().steps;
  add_details(group);
  return {.threshold_bp = 1000, .threshold = 2328285, .suspects = {single, group}};
}

ThreadRow sample_thread() {
  const ObjectRef local{{0x920}, "byte[]", "byte[9] @ 0x920", 32, kHuge};
  ThreadRow row;
  row.address = {0x900};
  row.class_name = "app.Worker";
  row.name = hostile_name();
  row.daemon = true;
  row.priority = 5;
  row.state = "TIMED_WAITING";
  row.state_detail = "parked";
  row.state_value = 0x2a1;
  row.context_class_loader = hostile_name();
  row.out_of_memory = OutOfMemorySign::thrown;
  row.shallow = 112;
  row.retained = 5000;
  row.retained_bp = 2;
  row.locals = 2;
  row.locals_retained = 4000;
  row.largest_local = local;
  row.depth = 3;
  row.stack = 0;
  row.largest_local_elsewhere = true;
  row.frames = {{0, "Java Local", 1, 3000, 3000}, {std::nullopt, "JNI Local", 2, 1500, 1000}};
  row.largest_locals = {{0, "Java Local", true, local}, {std::nullopt, "JNI Local", false, local}};
  return row;
}

Threads sample_threads() {
  ThreadRow idle;
  idle.address = {0x950};
  idle.class_name = "java.lang.VirtualThread";
  idle.kind = ThreadKind::virtual_thread;
  idle.carrier = Address{0x900};
  idle.stack = 0;
  Threads out;
  out.total = 5;
  out.virtual_threads = 4;
  out.mounted = 1;
  out.unmounted = UnmountedSums{.threads = 3, .retained = 4000, .stack_bytes = 9600};
  out.without_stack = 2;
  out.virtual_without_stack = 1;
  out.missing_objects = 1;
  out.retained = 6000;
  out.retained_bp = 2;
  out.left_out = 3;
  out.distinct_stacks = 2;
  out.threads = {sample_thread(), idle};
  out.stacks = {{4,
                 3,
                 5100,
                 3,
                 {{hostile_name(), hostile_name(), "()V", hostile_name(), 17, false},
                  {"", "", "", "", std::nullopt, true}}}};
  return out;
}

}  // namespace

std::string hostile_name() {
  return "a|b`c``d\n# e\r\n<script>alert('1')</script>&amp;\"\\|*_[x](y)$z$"
         "\0\x1f\x7f"
         "\u202e\u2028é😀"s;
}

Report sample_report() {
  Report report;
  report.generated = "2026-11-29T22:32:06Z";
  report.generator = "hprof-report 0.1.0";
  report.complete = false;
  report.detail = "default";
  report.overview = sample_overview();
  report.leaks = sample_leaks();
  report.top = sample_top();
  report.triage = Triage{5,
                         31,
                         9242,
                         9500,
                         1,
                         {{"shape",
                           Severity::warning,
                           "Shape",
                           "Ninety | <b>" + hostile_name(),
                           {{hostile_name()}},
                           "top"}}};
  report.triage->leading_rule = "loader-leak";
  report.dominators = sample_dominators();
  report.threads = sample_threads();
  report.components = sample_components();
  report.arrays = sample_arrays();
  report.collections = sample_collections();
  report.strings = sample_strings();
  report.references = sample_references();
  report.unreachable = sample_unreachable();
  report.allocation_sites = sample_sites();
  return report;
}

}  // namespace hprof::test
