#include "tests/fuzz/fuzzed_heap.h"

#include <algorithm>
#include <array>
#include <string>

namespace hprof::test {
namespace {

constexpr std::uint32_t kMostObjects = 60;
constexpr std::uint32_t kMostDamage = 8;
constexpr std::array<const char*, 8> kSupers{"java.lang.Object",
                                             "java.lang.ref.WeakReference",
                                             "java.lang.ref.SoftReference",
                                             "java.util.HashMap",
                                             "java.util.ArrayList",
                                             "java.lang.ClassLoader",
                                             "java.lang.Thread",
                                             "java.lang.ThreadLocal$ThreadLocalMap$Entry"};
constexpr std::array<Root, 5> kRoots{Root::jni_global, Root::sticky_class, Root::java_frame,
                                     Root::thread_object, Root::jni_local};
constexpr std::array<Type, 4> kPrimitives{Type::int8, Type::character, Type::int32, Type::int64};

/// What has been made so far, to choose from.
class HeapMaker {
 public:
  HeapMaker(HeapBuilder& heap, Decisions& decisions) : heap_(heap), decisions_(decisions) {}

  void add_class() {
    ClassSpec spec{.name = "fuzz.C" + std::to_string(classes_.size()),
                   .super = heap_.class_named(kSupers[decisions_.byte() % kSupers.size()])};
    for (auto count = decisions_.byte() % 4; count != 0; --count) {
      static constexpr std::array<const char*, 6> kNames{"next",  "value",       "referent",
                                                         "table", "elementData", "size"};
      spec.fields.push_back({kNames[decisions_.byte() % kNames.size()],
                             decisions_.byte() % 3 == 0 ? Type::int32 : Type::object});
    }
    for (auto count = decisions_.byte() % 2; count != 0; --count) {
      spec.statics.push_back({"CACHE", Type::object, any_object()});
    }
    spec.loader = decisions_.byte() % 4 == 0 ? any_object() : 0;
    classes_.push_back({heap_.add_class(spec), spec.fields});
  }

  void add_object() {
    if (classes_.empty()) {
      return add_class();
    }
    const auto& chosen = classes_[decisions_.byte() % classes_.size()];
    const auto& fields = chosen.second;
    FieldValues values;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const bool again = std::any_of(values.begin(), values.end(),
                                     [&](const auto& v) { return v.first == fields[i].name; });
      if (!again && fields[i].type == Type::object) {
        values.emplace_back(fields[i].name, any_object());
      }
    }
    objects_.push_back(heap_.add_object(chosen.first, values));
  }

  void add_array() {
    std::vector<Id> elements;
    for (auto count = decisions_.byte() % 9; count != 0; --count) {
      elements.push_back(any_object());
    }
    objects_.push_back(heap_.add_array("java.lang.Object[]", elements));
  }

  void add_content() {
    if (decisions_.byte() % 2 == 0) {
      objects_.push_back(heap_.add_string(std::string(decisions_.byte() % 40, 'x')));
    } else {
      objects_.push_back(heap_.add_zeros(kPrimitives[decisions_.byte() % kPrimitives.size()],
                                         decisions_.below(3000)));
    }
  }

  void add_root() {
    heap_.root(kRoots[decisions_.byte() % kRoots.size()], any_object(), decisions_.byte() % 4,
               decisions_.byte() % 3);
  }

  void add_thread() {
    const auto thread = heap_.add_thread({.name = "t", .frames = {{}, {}}});
    heap_.local(thread, any_object(), decisions_.byte() % 3);
    objects_.push_back(thread.object);
  }

 private:
  /// One that is there, one that comes later, null or nonsense.
  Id any_object() {
    const auto choice = decisions_.byte();
    if (choice == 0 || objects_.empty()) {
      return 0;
    }
    return choice == 1 ? 0xdeadbee8 : objects_[choice % objects_.size()];
  }

  HeapBuilder& heap_;
  Decisions& decisions_;
  std::vector<std::pair<Id, std::vector<FieldSpec>>> classes_;
  std::vector<Id> objects_;
};

HeapOptions options_of(std::uint8_t choice) {
  HeapOptions options;
  options.format.id_size = (choice & 1U) != 0 ? 4 : 8;
  options.segment = (choice & 2U) != 0 ? Record::heap_dump : Record::heap_dump_segment;
  options.core = (choice & 4U) != 0 ? CoreClasses::unrooted : CoreClasses::rooted;
  options.strings = (choice & 8U) != 0 ? StringLayout::chars : StringLayout::compact;
  options.reference_size = options.format.id_size == 8 && (choice & 16U) != 0 ? 4 : 0;
  return options;
}

}  // namespace

Bytes fuzzed_heap(Decisions& decisions) {
  HeapBuilder heap(options_of(decisions.byte()));
  HeapMaker maker(heap, decisions);
  for (auto left = decisions.byte() % kMostObjects; left != 0; --left) {
    switch (decisions.byte() % 8) {
      case 0:
        maker.add_class();
        break;
      case 1:
        maker.add_root();
        break;
      case 2:
        maker.add_array();
        break;
      case 3:
        maker.add_content();
        break;
      case 4:
        maker.add_thread();
        break;
      default:
        maker.add_object();
    }
  }
  heap.finish();
  return heap.bytes();
}

void damage(Bytes& bytes, Decisions& decisions) {
  for (auto left = decisions.byte() % kMostDamage; left != 0 && !bytes.empty(); --left) {
    const auto size = static_cast<std::uint32_t>(bytes.size());
    const auto at = (decisions.below(0x10000) << 8U | decisions.byte()) % size;
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    const auto length =
        static_cast<std::ptrdiff_t>(std::min<std::uint32_t>(decisions.byte(), size - at));
    switch (decisions.byte() % 8) {
      case 0:
        bytes.erase(place, bytes.end());
        break;
      case 1:
        bytes.erase(place, place + length);
        break;
      case 2: {
        const Bytes again(place, place + length);
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), again.begin(), again.end());
        break;
      }
      default:
        *place = decisions.byte();
    }
  }
}

}  // namespace hprof::test
