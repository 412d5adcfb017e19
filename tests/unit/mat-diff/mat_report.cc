// Our report of the sample heap, as it would be if MAT's export were ours.
#include "tests/unit/mat-diff/mat_pages.h"

namespace hprof::test {

nlohmann::json sample_report() {
  return nlohmann::json::parse(R"json({
 "schema_version": 2, "generated": "x", "complete": true,
 "overview": {
  "file_path": "/here/sample.hprof", "file_name": "sample.hprof", "file_size": 123456,
  "format": "JAVA PROFILE 1.0.2", "identifier_size_bits": 64, "compressed_oops": true,
  "dump_creation_ms": 1795987571911, "dump_number": 2, "total_objects": 1000, "total_shallow": 100000,
  "gc_roots": 7, "classes_loaded": 4, "classloaders_loaded": 2, "jvm_version": "java version \"17\"\nserver VM",
  "histogram": [
   {"class": "app.Cache", "class_address": "0x1000", "loader_address": "0x3000", "instances": 10, "shallow": 400, "retained": 60000},
   {"class": "byte[]", "class_address": "0x1010", "loader_address": "0x0", "instances": 700, "shallow": 50000, "retained": 50000},
   {"class": "app.Node", "class_address": "0x1020", "loader_address": "0x3000", "instances": 286, "shallow": 49500, "retained": 49500},
   {"class": "java.lang.Class", "class_address": "0x1030", "loader_address": "0x0", "instances": 4, "shallow": 100, "retained": 2000}],
  "system_properties": [{"key": "a", "value": "1"}, {"key": "line.separator", "value": "\n"}]},
 "threads": {"total": 2, "threads": [
  {"address": "0x5000", "class": "java.lang.Thread", "name": "main", "daemon": false, "priority": 5, "state": "WAITING",
   "state_value": 657, "context_class_loader": "app.Loader @ 0x3000", "shallow": 104, "retained": 2000},
  {"address": "0x5100", "class": "java.lang.VirtualThread", "shallow": 152, "retained": 1500}]},
 "leaks": {"threshold_bp": 1000, "suspects": [
  {"kind": "single", "class": "app.Cache", "address": "0x2000", "class_address": "0x1000", "loader_label": "app.Loader @ 0x3000",
   "instances": 1, "shallow": 40, "retained": 60000, "retained_bp": 6000,
   "accumulation_point": {"address": "0x2110", "class": "app.Node", "shallow": 24, "retained": 59000},
   "retained_classes": [{"class": "app.Node", "objects": 250, "shallow": 40000}, {"class": "byte[]", "objects": 20, "shallow": 19000},
    {"class": "app.Cache", "objects": 1, "shallow": 40}],
   "why_alive": {"left_out": 0, "only_weak": false, "steps": [
    {"address": "0x2200", "reference": "Thread", "shallow": 112, "retained": 500},
    {"address": "0x2000", "reference": "<Java Local>", "shallow": 40, "retained": 60000},
    {"address": "0x2110", "reference": "head", "shallow": 24, "retained": 59000}]},
   "thread": {"thread": {"address": "0x2200", "retained": 500}, "frames": [
    {"frame": "app.Main.run(Main.java:12)", "method": "app.Main.run()V", "locals": [{"address": "0x2000", "retained": 60000}]}]
}
, "keywords" : [ "app.Cache", "app.Main.run()V", "Main.java:12" ]
},
  {"kind": "group", "class": "byte[]", "class_address": "0x1010", "loader_label": "<system class loader>",
   "instances": 3, "shallow": 3048, "retained": 30000, "retained_bp": 3000,
   "accumulation_point": {"address": "0x2100", "class": "app.Node", "shallow": 24, "retained": 20000},
   "common_path": [{"address": "0x2200", "shallow": 112, "retained": 30000}, {"address": "0x2100", "shallow": 24, "retained": 20000}],
   "keywords": ["app.Cache"]},
  {"kind": "single", "class": "java.lang.Class", "address": "0x1020", "class_address": "0x1030", "loader_label": "app.Loader @ 0x3000",
   "instances": 1, "shallow": 8, "retained": 12345, "retained_bp": 1234,
   "accumulation_point": {"address": "0x1020", "class": "java.lang.Class", "shallow": 8, "retained": 12345},
   "why_alive": {"left_out": 0, "only_weak": false, "steps": [{"address": "0x1020", "reference": "JNI Global", "shallow": 8, "retained": 12345}]},
   "keywords": ["app.Cache"]}]
}
, "top" : {
  "threshold_bp": 100,
  "biggest_objects": [
   {"address": "0x2000", "class": "app.Cache", "label": "app.Cache @ 0x2000", "shallow": 40, "retained": 60000, "retained_bp": 6000, "above_threshold": true},
   {"address": "0x2010", "class": "byte[]", "label": "byte[1000] @ 0x2010", "shallow": 1016, "retained": 12345, "retained_bp": 1234, "above_threshold": true},
   {"address": "0x1020", "class": "java.lang.Class", "label": "class app.Node @ 0x1020", "shallow": 8, "retained": 5000, "retained_bp": 500, "above_threshold": true},
   {"address": "0x2050", "class": "app.Node", "label": "app.Node @ 0x2050", "shallow": 24, "retained": 900, "retained_bp": 90, "above_threshold": false}],
  "biggest_classes": [
   {"class": "app.Cache", "class_address": "0x1000", "instances": 1, "shallow": 40, "retained": 60000, "retained_bp": 6000, "above_threshold": true},
   {"class": "byte[]", "class_address": "0x1010", "instances": 3, "shallow": 3048, "retained": 12345, "retained_bp": 1234, "above_threshold": true},
   {"class": "java.lang.Class", "class_address": "0x1030", "instances": 4, "shallow": 32, "retained": 12345, "retained_bp": 1234, "above_threshold": true}],
  "biggest_class_loaders": [
   {"address": "0x3000", "label": "app.Loader @ 0x3000", "instances": 1, "shallow": 40, "retained": 60000, "retained_bp": 6000, "above_threshold": true},
   {"address": "0x0", "label": "<system class loader>", "instances": 7, "shallow": 3080, "retained": 40000, "retained_bp": 4000, "above_threshold": true}],
  "biggest_packages": {"name": "<all>", "instances": 8, "shallow": 3120, "retained": 100000, "retained_bp": 10000, "children": [
   {"name": "app", "instances": 2, "shallow": 48, "retained": 65000, "retained_bp": 6500, "children": [
    {"name": "Cache", "instances": 1, "shallow": 40, "retained": 60000, "retained_bp": 6000, "children": []},
    {"name": "Node", "instances": 1, "shallow": 8, "retained": 5000, "retained_bp": 500, "children": []}]},
   {"name": "java", "instances": 4, "shallow": 32, "retained": 12345, "retained_bp": 1234, "children": [
    {"name": "lang", "instances": 4, "shallow": 32, "retained": 12345, "retained_bp": 1234, "children": []}]}]}},
 "components": {"threshold_bp": 100, "components": [
  {"address": "0x3000", "label": "app.Loader @ 0x3000", "top_level_objects": 1, "retained": 60000, "retained_bp": 6000,
   "retained_set": {"objects": 940, "shallow": 65500, "classes": 3, "class_loaders": 1,
    "histogram": [
     {"class": "byte[]", "class_address": "0x1010", "instances": 600, "shallow": 40000},
     {"class": "app.Cache", "class_address": "0x1000", "instances": 10, "shallow": 400}],
    "top": {"threshold_bp": 100,
     "biggest_objects": [
      {"address": "0x2000", "class": "app.Cache", "label": "app.Cache @ 0x2000", "shallow": 40, "retained": 60000, "above_threshold": true},
      {"address": "0x9000", "class": "small", "label": "small @ 0x9000", "shallow": 16, "retained": 700, "above_threshold": true}],
     "biggest_classes": [
      {"class": "app.Cache", "class_address": "0x1000", "instances": 1, "shallow": 40, "retained": 60000, "retained_bp": 9160, "above_threshold": true}],
     "biggest_class_loaders": [
      {"address": "0x3000", "label": "app.Loader @ 0x3000", "instances": 1, "shallow": 40, "retained": 60000, "retained_bp": 9160, "above_threshold": true}],
     "biggest_packages": {"name": "<all>", "instances": 3, "shallow": 64, "retained": 65500, "retained_bp": 10000, "children": [
      {"name": "app", "instances": 1, "shallow": 40, "retained": 60000, "retained_bp": 9160, "children": []}]}},
    "arrays": [
     {"class": "byte[]", "class_address": "0x1010", "arrays": 600, "shallow": 40000, "zero_length": 10, "zero_length_shallow": 160},
     {"class": "app.Cache[]", "class_address": "0x1060", "arrays": 6, "shallow": 192, "zero_length": 1, "zero_length_shallow": 16,
      "fill": [
       {"most_bp": 0, "arrays": 1, "shallow": 24, "unused_bytes": 20},
       {"most_bp": 2000, "arrays": 1, "shallow": 40, "unused_bytes": 17, "at_end": {"arrays": 1, "shallow": 40}},
       {"most_bp": 6000, "arrays": 1, "shallow": 56, "unused_bytes": 16, "at_end": {"arrays": 1, "shallow": 56}},
       {"most_bp": 10000, "arrays": 2, "shallow": 56, "unused_bytes": 0, "own_class": {"arrays": 1, "shallow": 24}}]}],
    "soft_references": [{"class": "app.Soft", "class_address": "0x1050", "instances": 5, "shallow": 200}],
    "softly_referenced": [
     {"class": "app.Cache", "class_address": "0x1000", "instances": 3, "shallow": 120},
     {"class": "byte[]", "class_address": "0x1010", "instances": 1, "shallow": 16}],
    "weak_references": [],
    "weakly_referenced": [],
    "with_finalizer": [{"class": "app.Cache", "class_address": "0x1000", "instances": 2, "shallow": 80}]}},
  {"address": "0x0", "label": "<system class loader>", "retained": 40000, "retained_bp": 4000}]}
})json");
}

}  // namespace hprof::test
