// Of the protobuf encoding a profile needs numbers and nested messages only: two of its rules. So
// it is written here, and protoc checks it in the tests.
#include "common/options.h"
#include "formats/export/stack_formats.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace hprof {
namespace {

/// Field numbers of perftools.profiles.Profile and of the messages in it.
namespace field {
constexpr unsigned kSampleType = 1;
constexpr unsigned kSample = 2;
constexpr unsigned kLocation = 4;
constexpr unsigned kFunction = 5;
constexpr unsigned kStringTable = 6;
constexpr unsigned kTimeNanos = 9;
constexpr unsigned kComment = 13;
constexpr unsigned kDefaultSampleType = 14;

constexpr unsigned kValueTypeType = 1;
constexpr unsigned kValueTypeUnit = 2;
constexpr unsigned kSampleLocationId = 1;
constexpr unsigned kSampleValue = 2;
constexpr unsigned kLocationId = 1;
constexpr unsigned kLocationLine = 4;
constexpr unsigned kLineFunctionId = 1;
constexpr unsigned kFunctionId = 1;
constexpr unsigned kFunctionName = 2;
}  // namespace field

void append(std::string& out, std::uint64_t value) {
  for (; value >= 0x80U; value >>= 7U) {
    out += static_cast<char>(0x80U | (value & 0x7fU));
  }
  out += static_cast<char>(value);
}

/// One message's bytes.
class Message {
 public:
  void number(unsigned number, std::uint64_t value) {
    append(bytes_, std::uint64_t{number} << 3U);
    append(bytes_, value);
  }
  void text(unsigned number, const std::string& value) {
    append(bytes_, std::uint64_t{number} << 3U | 2U);
    append(bytes_, value.size());
    bytes_ += value;
  }
  void message(unsigned number, const Message& value) { text(number, value.bytes_); }
  void numbers(unsigned number, const std::vector<std::uint64_t>& values) {
    std::string packed;
    for (const auto value : values) {
      append(packed, value);
    }
    text(number, packed);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Each text once, by its place; the first is "" as the format demands.
class StringTable {
 public:
  std::uint64_t add(const std::string& text) {
    const auto [entry, is_new] = places_.try_emplace(text, texts_.size());
    if (is_new) {
      texts_.push_back(text);
    }
    return entry->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::map<std::string, std::uint64_t> places_{{"", 0}};
  std::vector<std::string> texts_{""};
};

void write_field(TextSink& out, unsigned number, const Message& message) {
  Message outer;
  outer.message(number, message);
  out.write(outer.bytes());
}

Message value_type(StringTable& strings, const std::string& type, const std::string& unit) {
  Message message;
  message.number(field::kValueTypeType, strings.add(type));
  message.number(field::kValueTypeUnit, strings.add(unit));
  return message;
}

/// Locations and functions are numbered alike, from 1: a class is one place.
void write_frame(TextSink& out, StringTable& strings, std::uint64_t id, const std::string& name) {
  Message function;
  function.number(field::kFunctionId, id);
  function.number(field::kFunctionName, strings.add(name));
  write_field(out, field::kFunction, function);
  Message line;
  line.number(field::kLineFunctionId, id);
  Message location;
  location.number(field::kLocationId, id);
  location.message(field::kLocationLine, line);
  write_field(out, field::kLocation, location);
}

void write_samples(const StackTree& tree, TextSink& out) {
  for_each_stack(tree, [&](std::span<const std::uint32_t> stack, const StackTree::Node& node) {
    std::vector<std::uint64_t> locations;
    std::transform(stack.rbegin(), stack.rend(), std::back_inserter(locations),
                   [](std::uint32_t frame) { return std::uint64_t{frame} + 1; });
    Message sample;
    sample.numbers(field::kSampleLocationId, locations);
    sample.numbers(field::kSampleValue, {node.objects, node.bytes});
    write_field(out, field::kSample, sample);
  });
}

}  // namespace

void write_pprof(const StackTree& tree, TextSink& out) {
  StringTable strings;
  write_field(out, field::kSampleType, value_type(strings, "objects", "count"));
  write_field(out, field::kSampleType, value_type(strings, "space", "bytes"));
  write_samples(tree, out);
  for (std::uint32_t frame = 0; frame < tree.frames.size(); ++frame) {
    write_frame(out, strings, std::uint64_t{frame} + 1, tree.frames[frame]);
  }
  Message rest;
  rest.number(field::kTimeNanos, tree.time_ms * 1'000'000);
  rest.number(field::kComment, strings.add(tree.title + ", hprof-report " + tool_version()));
  rest.number(field::kDefaultSampleType, strings.add("space"));
  for (const auto& text : strings.texts()) {
    rest.text(field::kStringTable, text);
  }
  out.write(rest.bytes());
}

}  // namespace hprof
