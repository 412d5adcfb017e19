// A generated name is a stem that tells what it was made for, and a tail that tells nothing. Each
// rule finds where the tail begins; nothing else of a name is touched.
#include "tools/hprof-report/joined_names.h"

#include "formats/report/path_line.h"

#include <algorithm>
#include <array>
#include <optional>

namespace hprof {
namespace {

constexpr std::string_view kArrow = " → ";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

template <typename Test>
bool all_of(std::string_view text, Test test) {
  return !text.empty() && std::all_of(text.begin(), text.end(), test);
}

/// "a.B/0x7f00", "a.B+0x7f00", "a.B.0x7f00", "a.B/1234567": hidden and anonymous classes.
std::optional<std::string_view> hidden_stem(std::string_view name) {
  const auto at = name.find_last_of("/+.");
  if (at == std::string_view::npos || at == 0) {
    return std::nullopt;
  }
  const auto tail = name.substr(at + 1);
  const bool address = tail.starts_with("0x") && all_of(tail.substr(2), is_hex);
  return address || all_of(tail, is_digit) ? std::optional(name.substr(0, at)) : std::nullopt;
}

std::string_view without_tail(std::string_view name, bool (*belongs)(char)) {
  while (!name.empty() && belongs(name.back())) {
    name.remove_suffix(1);
  }
  return name;
}

/// Names that end in a number after one of these.
constexpr std::array<std::string_view, 5> kNumbered{
    ".$Proxy", "GeneratedMethodAccessor", "GeneratedConstructorAccessor",
    "GeneratedSerializationConstructorAccessor", "$Lambda$"};

bool is_numbered(std::string_view stem) {
  return stem == "$Proxy" || stem == "Script" ||
         std::any_of(kNumbered.begin(), kNumbered.end(),
                     [&](std::string_view end) { return stem.ends_with(end); });
}

/// Libraries that make classes at run time put one of these before a random word.
constexpr std::array<std::string_view, 8> kRandomWord{"$ByteBuddy$",
                                                      "$MockitoMock$",
                                                      "$HibernateProxy$",
                                                      "$HibernateInstantiator$",
                                                      "$HibernateAccessOptimizer$",
                                                      "$auxiliary$",
                                                      "_$$_jvst",
                                                      "_$$_javassist_"};

std::optional<std::string_view> random_word_stem(std::string_view name) {
  for (const auto marker : kRandomWord) {
    const auto at = name.rfind(marker);
    if (at != std::string_view::npos && at != 0 &&
        all_of(name.substr(at + marker.size()), is_word)) {
      return name.substr(0, at + marker.size());
    }
  }
  return std::nullopt;
}

/// "a.B$$EnhancerByCGLIB$$1a2b3c", "a.B$$FastClassBySpringCGLIB$$1a2b", "a.B$$SpringCGLIB$$0"
std::optional<std::string_view> enhancer_stem(std::string_view name) {
  const auto stem = without_tail(name, is_hex);
  if (stem.size() == name.size() || !stem.ends_with("$$")) {
    return std::nullopt;
  }
  const auto word = without_tail(stem.substr(0, stem.size() - 2), is_word);
  return word.ends_with("$$") && word.size() > 2 ? std::optional(stem) : std::nullopt;
}

/// "jdk.proxy2.$Proxy7" has a number in its package, too.
std::string joined_package(std::string_view stem) {
  constexpr std::string_view kPackage = "jdk.proxy";
  const auto dot = stem.find('.', kPackage.size());
  if (stem.starts_with(kPackage) && dot != std::string_view::npos &&
      all_of(stem.substr(kPackage.size(), dot - kPackage.size()), is_digit)) {
    return std::string(kPackage) + "*" + std::string(stem.substr(dot));
  }
  return std::string(stem);
}

/// A lambda may have a number, an address, or both.
std::string lambda_name(std::string_view stem) {
  const auto plain = without_tail(stem, is_digit);
  return std::string(plain.ends_with("$Lambda$") ? plain.substr(0, plain.size() - 1) : stem) + "/*";
}

std::string joined_element_name(std::string_view name) {
  if (const auto stem = hidden_stem(name)) {
    return lambda_name(*stem);
  }
  const auto plain = without_tail(name, is_digit);
  if (plain.size() < name.size() && is_numbered(plain)) {
    return plain.ends_with("$Lambda$") ? lambda_name(name) : joined_package(plain) + "*";
  }
  if (const auto stem = random_word_stem(name)) {
    return std::string(*stem) + "*";
  }
  if (const auto stem = enhancer_stem(name)) {
    return std::string(*stem) + "*";
  }
  return std::string(name);
}

/// Whether the digits behind text[0, at) are part of an address or a version.
bool belongs_to_address(std::string_view text, std::size_t at) {
  return at != 0 && (text[at - 1] == '.' || text[at - 1] == ':');
}

std::size_t digits_before(std::string_view text, std::size_t end) {
  std::size_t at = end;
  while (at != 0 && is_digit(text[at - 1])) {
    --at;
  }
  return at;
}

/// Numbers at the end, several where only dashes are between them, and one in brackets anywhere.
std::string without_trailing_numbers(std::string_view name) {
  std::string tail;
  std::size_t end = name.size();
  for (;;) {
    const std::size_t at = digits_before(name, end);
    if (at == end || at == 0 || belongs_to_address(name, at)) {
      break;
    }
    tail.insert(0, "*");
    end = at;
    if (name[at - 1] != '-') {
      break;
    }
    if (digits_before(name, at - 1) == at - 1) {
      break;
    }
    tail.insert(0, "-");
    end = at - 1;
  }
  if (tail.starts_with("-")) {
    tail.erase(0, 1);
    ++end;
  }
  return std::string(name.substr(0, end)) + tail;
}

/// "RMI TCP Connection(12)-10.0.0.7"
std::string without_bracketed_number(const std::string& name) {
  const auto open = name.find('(');
  const auto close = open == std::string::npos ? open : name.find(')', open);
  if (close == std::string::npos ||
      !all_of(std::string_view(name).substr(open + 1, close - open - 1), is_digit)) {
    return name;
  }
  return name.substr(0, open + 1) + "*" + name.substr(close);
}

/// Pools that are numbered themselves.
std::string without_pool_number(const std::string& name) {
  for (const std::string_view pool : {"pool-", "ForkJoinPool-"}) {
    if (name.starts_with(pool)) {
      auto end = pool.size();
      while (end < name.size() && is_digit(name[end])) {
        ++end;
      }
      if (end != pool.size() && end < name.size() && name[end] == '-') {
        return std::string(pool) + "*" + name.substr(end);
      }
    }
  }
  return name;
}

bool links_within_collection(const PathStep& step) {
  constexpr std::array<std::string_view, 7> kLinks{"next",   "prev",   "left", "right",
                                                   "parent", "before", "after"};
  return step.via == Via::field && step.declared_by.value_or("").starts_with("java.util.") &&
         std::find(kLinks.begin(), kLinks.end(), step.reference) != kLinks.end();
}

/// "a.B.run(B.java)" for "a.B.run(B.java:12)": the line moves while the method runs.
std::string without_line(const std::string& frame) {
  const auto colon = frame.rfind(':');
  const bool has_line =
      colon != std::string::npos && frame.ends_with(")") &&
      all_of(std::string_view(frame).substr(colon + 1, frame.size() - colon - 2), is_digit);
  return has_line ? frame.substr(0, colon) + ")" : frame;
}

std::string joined_reference(const PathStep& step, bool raw) {
  if (step.via == Via::element) {
    return "[*]";
  }
  PathStep joined = step;
  if (joined.declared_by && !raw) {
    joined.declared_by = joined_class_name(*joined.declared_by);
  }
  if (joined.frame) {
    joined.frame = without_line(*joined.frame);
  }
  return reference_text(joined);
}

/// A thread is told by its name; other roots by their class.
std::string joined_root(const PathStep& root, bool raw) {
  const std::string label = without_address(root.label);
  if (label.size() > root.class_name.size() + 1 && label.starts_with(root.class_name + " ")) {
    return root.class_name + " " + joined_thread_name(label.substr(root.class_name.size() + 1));
  }
  return joined_object(label, root.class_name, raw);
}

}  // namespace

std::string joined_class_name(std::string_view name) {
  std::size_t end = name.size();
  while (end >= 2 && name.substr(end - 2, 2) == "[]") {
    end -= 2;
  }
  return joined_element_name(name.substr(0, end)) + std::string(name.substr(end));
}

std::string joined_thread_name(std::string_view name) {
  return without_pool_number(without_bracketed_number(without_trailing_numbers(name)));
}

std::string without_address(std::string_view label) {
  const auto at = label.find(" @ 0x");
  if (at == std::string_view::npos) {
    return std::string(label);
  }
  auto end = at + 5;
  while (end < label.size() && is_hex(label[end])) {
    ++end;
  }
  return std::string(label.substr(0, at)) + std::string(label.substr(end));
}

std::string joined_label(std::string_view label, bool raw) {
  std::string plain = without_address(label);
  if (raw) {
    return plain;
  }
  constexpr std::string_view kClass = "class ";
  return plain.starts_with(kClass)
             ? std::string(kClass) +
                   joined_class_name(std::string_view(plain).substr(kClass.size()))
             : joined_class_name(plain);
}

std::string joined_object(std::string_view label, std::string_view class_name, bool raw) {
  if (class_name == "java.lang.Class") {
    return joined_label(label, raw);
  }
  return raw ? std::string(class_name) : joined_class_name(class_name);
}

std::string package_of(std::string_view class_name) {
  const auto element = class_name.substr(0, class_name.find("[]"));
  constexpr std::array<std::string_view, 8> kPrimitives{"boolean", "byte", "char",  "short",
                                                        "int",     "long", "float", "double"};
  if (std::find(kPrimitives.begin(), kPrimitives.end(), element) != kPrimitives.end()) {
    return "(primitive arrays)";
  }
  const auto slash = std::min(element.find('/'), element.size());
  const auto dot = element.substr(0, slash).rfind('.');
  return dot == std::string_view::npos ? "(default package)" : std::string(element.substr(0, dot));
}

std::string joined_path(const std::vector<PathStep>& steps, bool raw) {
  std::string out;
  std::string last;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool static_next = i == 0 && steps.size() > 1 && steps[1].via == Via::static_field;
    if (static_next || links_within_collection(steps[i])) {
      continue;
    }
    const std::string text = i == 0 ? joined_root(steps[i], raw) : joined_reference(steps[i], raw);
    if (text != last) {
      out += (out.empty() ? std::string() : std::string(kArrow)) + text;
      last = text;
    }
  }
  return steps.size() > 1 ? out + std::string(kArrow) +
                                joined_object(steps.back().label, steps.back().class_name, raw)
                          : out;
}

}  // namespace hprof
