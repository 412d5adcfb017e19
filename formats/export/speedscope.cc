#include "common/options.h"
#include "formats/export/stack_formats.h"

#include <nlohmann/json.hpp>

namespace hprof {
namespace {

constexpr char kSchema[] = "https://www.speedscope.app/file-format-schema.json";

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

/// A JSON list written element by element, one on a line.
class ListWriter {
 public:
  ListWriter(TextSink& out, const std::string& name) : out_(out) { out_.write(name + ":["); }
  void add(const std::string& element) {
    out_.write((first_ ? "\n" : ",\n") + element);
    first_ = false;
  }
  void end() { out_.write("]"); }

 private:
  TextSink& out_;
  bool first_ = true;
};

std::string stack_text(std::span<const std::uint32_t> stack) {
  std::string text = "[";
  for (std::size_t i = 0; i < stack.size(); ++i) {
    text += (i == 0 ? "" : ",") + std::to_string(stack[i]);
  }
  return text + "]";
}

struct Measure {
  const char* name;
  const char* unit;
  std::uint64_t StackTree::Node::*value;
  std::uint64_t total;
};

void write_profile(const StackTree& tree, const Measure& measure, TextSink& out) {
  out.write(R"({"type":"sampled","name":)" + quoted(measure.name) + R"(,"unit":)" +
            quoted(measure.unit) + R"(,"startValue":0,"endValue":)" +
            std::to_string(measure.total) + ",");
  ListWriter samples(out, R"("samples")");
  for_each_stack(tree, [&](std::span<const std::uint32_t> stack, const StackTree::Node&) {
    samples.add(stack_text(stack));
  });
  samples.end();
  ListWriter weights(out, R"(,"weights")");
  for_each_stack(tree, [&](std::span<const std::uint32_t>, const StackTree::Node& node) {
    weights.add(std::to_string(node.*measure.value));
  });
  weights.end();
  out.write("}");
}

}  // namespace

void write_speedscope(const StackTree& tree, TextSink& out) {
  out.write(R"({"$schema":)" + quoted(kSchema) + R"(,"exporter":)" +
            quoted("hprof-report " + tool_version()) + R"(,"name":)" + quoted(tree.title) +
            R"(,"activeProfileIndex":0,"shared":{)");
  ListWriter frames(out, R"("frames")");
  for (const auto& frame : tree.frames) {
    frames.add(R"({"name":)" + quoted(frame) + "}");
  }
  frames.end();
  out.write(R"(},"profiles":[)");
  write_profile(tree, {"bytes", "bytes", &StackTree::Node::bytes, tree.total_bytes()}, out);
  out.write(",\n");
  write_profile(tree, {"objects", "none", &StackTree::Node::objects, tree.total_objects()}, out);
  out.write("]}\n");
}

}  // namespace hprof
