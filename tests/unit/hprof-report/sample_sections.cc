#include "sample_sections.h"

#include "sample_report.h"

namespace hprof::test {

using namespace std::string_literals;

namespace {

constexpr std::uint64_t kHuge = 0xffffffffffffffffULL;

}  // namespace

ReferencePath sample_path() {
  ReferencePath out;
  out.steps = {{Via::root,
                "System Class",
                std::nullopt,
                std::nullopt,
                {0x10},
                "java.lang.Class",
                "class a.B @ 0x10",
                8,
                kHuge,
                std::nullopt},
               {Via::static_field,
                hostile_name(),
                "a.B",
                std::nullopt,
                {0x20},
                hostile_name(),
                "x @ 0x20",
                16,
                24,
                std::nullopt},
               {Via::local,
                "<Java Local>",
                "a.B",
                "a.B.run(B.java:1)",
                {0x30},
                "a.C",
                "a.C @ 0x30",
                16,
                24,
                7}};
  out.left_out = 90;
  out.left_out_after = 2;
  out.only_weak = true;
  out.line = "class a.B." + hostile_name() + " → x";
  return out;
}

Holder sample_holder(HolderKind kind) {
  return {kind, hostile_name(), "field", hostile_name() + ".field", {0x10}};
}

TopConsumers sample_top() {
  TopConsumers out;
  out.threshold_bp = 100;
  out.threshold = 232828;
  out.top_level_objects = 5628;
  out.biggest_objects = {{{1},
                          "a.B",
                          hostile_name(),
                          16,
                          21520208,
                          9242,
                          true,
                          sample_path(),
                          sample_holder(HolderKind::local)},
                         {{8}, "byte[]", "byte[3]", 24, 24, 0, false}};
  out.biggest_classes = {{hostile_name(), {8}, 837, 13816, 22014688, 9455, true}};
  out.biggest_class_loaders = {{{0}, "<system class loader>", 5621, 185608, 1734040, 744, true}};
  const PackageNode leaf{hostile_name(), 1, 2, 3, 4, {}};
  out.biggest_packages = {"<all>",  5628,  185720,
                          23282856, 10000, {{"java", 4787, 9, 1478672, 635, {leaf}}, leaf}};
  out.size_distribution = {{0, 0, 1, 0}, {16, 31, 5600, 100000}};
  return out;
}

References sample_references() {
  References out;
  const std::vector<HeldClass> shares{{hostile_name(), {0x30}, 3, 72, 900},
                                      {"byte[]", {0x38}, 2, 48, std::nullopt}};
  for (const auto strength :
       {Strength::strong, Strength::soft, Strength::weak, Strength::final, Strength::phantom}) {
    out.reachability.push_back({strength, 10, 240, 5000, {}});
    if (strength != Strength::strong) {
      out.reachability.back().classes = shares;
      out.kinds.push_back({strength, 7, 2, 5, 120, 950, 2, shares});
    }
  }
  out.classes = {{hostile_name(), {0x40}, Strength::weak, 7, 336, 2}};
  out.self_held = SelfHeldReferents{
      2, 900, {{{0x700}, hostile_name(), 400, {0x708}, "java.util.WeakHashMap$Entry"}}};
  out.finalizers = Finalizers{5, 2, 2, 2, 48, 900, shares};
  out.direct_buffers = DirectBuffers{3,
                                     4096,
                                     1,
                                     8192,
                                     1,
                                     2,
                                     1,
                                     77,
                                     3,
                                     4096,
                                     8192,
                                     kHuge,
                                     {{{0x800}, hostile_name(), 4096, {kHuge}, true}}};
  ThreadLocals locals{5, 1, 900, 500, 1, {}, {}};
  locals.threads = {{{0x900}, hostile_name(), 5, 1, 900, 500}};
  locals.largest = {{{0x908}, {0x900}, true, std::nullopt, Address{0x910}, hostile_name(), 500},
                    {{0x918}, {0}, false, hostile_name(), std::nullopt, std::nullopt, 24}};
  out.thread_locals = locals;
  return out;
}

Unreachable sample_unreachable() {
  Garbage garbage;
  garbage.roots = 20;
  garbage.cycles = 3;
  garbage.largest = {{{0x20}, "a.B", hostile_name(), true, 16, 200, 9000}};
  garbage.root_class_count = 2;
  garbage.root_classes = {{hostile_name(), {0x28}, 19, 380, 15000}};
  garbage.filler_objects = 4;
  garbage.filler_shallow = 4000;
  garbage.lone_int_arrays = 1;
  garbage.lone_int_arrays_shallow = 24;
  garbage.lone_objects = 2;
  garbage.lone_objects_shallow = 32;
  return {388, 15224, {{"instances", 388, 15224}}, garbage};
}

AllocationSites sample_sites() {
  AllocationSites out{true, 100, 2400, 90, 2160, 2, {}};
  out.sites = {{300017,
                60,
                1440,
                50,
                1200,
                1234,
                2,
                {{hostile_name(), 40, 960, 30, 720}},
                {"demo.Main." + hostile_name() + "(Main.java:12)", "demo.Main.main(Main.java:3)"}}};
  return out;
}

Dominators sample_dominators() {
  Dominators out;
  out.drop_threshold = 232828;
  out.big_drops = {
      {{0x900},
       "a.B",
       hostile_name(),
       16,
       21520208,
       9242,
       3,
       ObjectRef{{0x908}, "a.C", hostile_name(), 8, 20},
       21520188,
       9241},
      {{0x910}, "byte[]", "byte[300000] @ 0x910", 300016, 300016, 128, 0, {}, 300016, 128}};
  out.further_drops = 2;
  out.skipped_classes = "java.*|" + hostile_name();
  out.dominated_classes = {
      {"byte[]",
       {8},
       30,
       3000,
       1,
       {{hostile_name(), Address{16}, 3, true, 20, 2000}, {"<ROOT>", {}, 0, false, 8, 900}},
       1,
       2,
       100}};
  out.depth_p90 = 4;
  out.depth_max = 70;
  out.depths = {{1, 1, 10, 160}, {9, 9, 5, 80}, {10, 10, 2, 32}, {65, 128, 1, 16}};
  out.concentration = {{1, 21520208, 9242}, {10, 22000000, 9449}};
  out.objects_over_one_percent = 2;
  return out;
}

Components sample_components() {
  Component big;
  big.address = {0x700};
  big.label = hostile_name();
  big.top_level_objects = 3;
  big.objects = 30;
  big.retained = 22000000;
  big.retained_bp = 9449;
  big.top_classes = {{hostile_name(), {8}, 1, 16, 21520208, 9781}};
  const ComponentClass references{hostile_name(), {0x710}, 2, 48};
  const ComponentFill fill{4000, 2, 464, 96, {{1, 232}}, {{1, 232}}};
  big.retained_set = RetainedSet{.objects = 31,
                                 .shallow = 22000100,
                                 .shallow_bp = 9449,
                                 .classes = 4,
                                 .class_loaders = 2,
                                 .histogram = {{hostile_name(), {8}, 5, 80}},
                                 .top = sample_top(),
                                 .top_class_objects = {1, 16, 40},
                                 .primitive_class_first = true,
                                 .arrays = {{{hostile_name(), {0x720}, 3, 480, 1, 16, {{fill}}}}},
                                 .soft_references = {{references}},
                                 .softly_referenced = {{references}},
                                 .weak_references = {{references}},
                                 .weakly_referenced = {{references}},
                                 .with_finalizer = {{references}}};
  Component small;
  small.label = "<system class loader>";
  small.retained = 8;
  return {.threshold_bp = 100,
          .threshold = 232828,
          .components = {big, small},
          .others = 2,
          .others_objects = 9,
          .others_retained = 1282848,
          .others_retained_bp = 550,
          .loader_classes = {{hostile_name(), 3, 30, 22000000, 9449}}};
}

Arrays sample_arrays() {
  const ArrayRow row{{0x10}, "byte[]", "byte[7] @ 0x10", 7, 24, 24};
  Arrays out;
  out.object_arrays = 3;
  out.object_shallow = 96;
  out.primitive_arrays = 2;
  out.primitive_shallow = 40;
  out.zero_length = 1;
  out.zero_length_shallow = 16;
  out.lengths = {{0, 0, 1, 16, 0, 0}, {4, 7, 2, 80, 2, 40}};
  out.zero_length_classes = {{hostile_name() + "[]", {0x20}, 1, 16}};
  out.biggest = {row};
  out.fill = {
      {0, 0, 1, 4, 0, 32, 16}, {8001, 9999, 1, 7, 6, 48, 4}, {10000, 10000, 1, 1, 1, 24, 0}};
  out.constant = {{"byte[]", 1, 24, 1, 24}};
  out.biggest_constant = {row};
  return out;
}

Collections sample_collections() {
  Collections out;
  out.collections = 12;
  out.empty = 3;
  out.elements = 345;
  out.shallow = 6789;
  out.savings = {1234, 17, 2, 160, 4, 1074};
  out.classes = {{hostile_name(),
                  {0x30},
                  "map",
                  12,
                  3,
                  1,
                  345,
                  kHuge,
                  480,
                  {{0, 0, 3}, {100'001, 0xffffffffU, 8}},
                  9,
                  6309,
                  1500,
                  {{0, 0, 2}, {1, 2000, 7}},
                  345,
                  300,
                  1304,
                  2,
                  160,
                  4,
                  1074},
                 {"a.View", {0x38}, "view", 1,  1,  0, 0, 0, 24, {{0, 0, 1}}, 0, 0,
                  0,        {},     {},     {}, {}, 0, 0, 0, 0}};
  out.entries = {{hostile_name() + "$Node", {0x40}, 345, 11040}};
  out.biggest = {
      {{0x50},
       hostile_name(),
       hostile_name() + " @ 0x50",
       "map",
       300,
       48,
       90000,
       99,
       {hostile_name() + "#cache", Address{0x60}, true}},
      {{0x58}, "a.Set", "a.Set @ 0x58", "set", {}, 16, 80, 0, {"(GC root: Thread)", {}, false}}};
  out.by_field = {{hostile_name() + "#cache",
                   2,
                   1,
                   300,
                   90000,
                   99,
                   128,
                   {{hostile_name(), 299, 7176, 9999}, {"byte[]", 1, 24, 0}}}};
  return out;
}

Strings sample_strings() {
  const std::vector<TextHolder> holders{{hostile_name() + "#field", 7, 6, 500}, {"a.B[]", 2, 0, 0}};
  Strings out;
  out.instances = 9;
  out.shallow = 216;
  out.arrays = 8;
  out.array_shallow = 300;
  out.without_array = 1;
  out.sharing_array = 2;
  out.lengths = {{0, 0, 1, 1, 16}, {4, 7, kHuge, 7, 284}};
  out.longest = {{{0x800}, {0x900}, 7, 24}};
  out.loose_arrays = {{"char[]", 3, 72}};
  out.headers = {{"instances", 10, 12, 120, 40}};
  out.savings = DuplicateSavings{1, 2, 3, 4, 10, 5};
  out.duplicates = StringDuplicates{5,
                                    2,
                                    4,
                                    96,
                                    3,
                                    72,
                                    {{{0x800}, "0x1234", 7, 3, 2, 24, 72, hostile_name(), holders},
                                     {{kHuge}, "0x77", 0, 2, 1, 0, 24, std::nullopt, {}}}};
  out.holders = holders;
  out.slices = SlicedArrays{2, 64, {{{0xa00}, 40, 3, 8, 64}}};
  out.array_duplicates = ArrayDuplicates{{{"byte[]", 12, 400, 9, 2, 3, 72}},
                                         1,
                                         24,
                                         5,
                                         6,
                                         7,
                                         8,
                                         {{{0xb00}, "int[]", "0x9", 4, 2, 32, holders}}};
  out.boxes = {{"java.lang.Integer", 9, 144, 5, 4, 64, 2, 3, 48}};
  return out;
}

}  // namespace hprof::test
