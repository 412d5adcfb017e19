// Many classes of many loaders, and arrays of 300000 references: one over each run of that many
// instances, in random order, and one over the runs that came before.
#include "tests/bench/heap.h"
#include "tests/bench/profiles.h"

#include <algorithm>
#include <utility>

namespace hprof::bench {
namespace {

constexpr std::uint64_t kMostClasses = 60'000;
constexpr std::uint64_t kObjectsPerClass = 50;
constexpr std::uint64_t kClassesPerLoader = 100;
constexpr std::size_t kRun = 300'000;

class Wide {
 public:
  explicit Wide(const Request& request)
      : heap_(request.path, request.seed), random_(heap_.random()), wanted_(request.objects) {
    define_classes(std::clamp<std::uint64_t>(wanted_ / kObjectsPerClass, 1, kMostClasses));
    heap_.begin();
  }

  void write() {
    write_loaders();
    for (const auto& plugin : plugins_) {
      write_instance(plugin, plugin.singleton);
    }
    while (heap_.objects() < wanted_) {
      write_run();
    }
    heap_.finish({heap_.out().references(heap_.jdk().objects_array, arrays_)});
  }

 private:
  struct Plugin {
    Layout layout;
    std::uint32_t references;
    Address singleton;
  };

  /// Fields of a class: up to four references in front, so that the record begins with them.
  static FieldList fields(std::uint32_t references, bool with_number) {
    FieldList list;
    for (std::uint32_t i = 0; i < references; ++i) {
      list.push_back("part" + std::to_string(i) + ":L");
    }
    if (with_number) {
      list.emplace_back("number:J");
    }
    return list;
  }

  void define_classes(std::uint64_t classes) {
    loader_ = heap_.define({.name = "bench/PluginLoader",
                            .super = "java/lang/ClassLoader",
                            .fields = {"id:J"},
                            .loader = heap_.app_loader()});
    for (std::uint64_t i = 0; i < classes; ++i) {
      const std::uint64_t package = i / kClassesPerLoader;
      if (package == loaders_.size()) {
        loaders_.push_back(heap_.reserve(loader_));
      }
      const auto references = static_cast<std::uint32_t>(random_.below(5));
      const Address singleton = heap_.out().next();
      const std::uint64_t room = 12 + 4 * references + 8;
      heap_.out().take((room + 7) / 8 * 8);
      const Layout layout = heap_.define({.name = "bench/plugin" + std::to_string(package) +
                                                  "/Part" + std::to_string(i % kClassesPerLoader),
                                          .fields = fields(references, random_.chance(1, 2)),
                                          .statics = {{"INSTANCE", singleton}},
                                          .loader = loaders_.back()});
      plugins_.push_back({layout, references, singleton});
    }
  }

  void write_loaders() {
    for (std::size_t i = 0; i < loaders_.size(); ++i) {
      heap_.out().instance_at(loaders_[i], loader_);
      heap_.out().u8(i);
      heap_.loader_fields(0);
    }
  }

  Address part() {
    return run_.empty() || random_.chance(1, 4) ? 0 : run_[random_.below(run_.size())];
  }

  Address write_instance(const Plugin& plugin, Address address) {
    HeapStream& out = heap_.out();
    out.instance_at(address, plugin.layout);
    for (std::uint32_t i = 0; i < plugin.references; ++i) {
      out.u8(part());
    }
    if (plugin.layout.file_bytes > 8 * plugin.references) {
      out.u8(random_.next());
    }
    return address;
  }

  void write_run() {
    run_.clear();
    const auto left = wanted_ - heap_.objects();
    for (auto more = std::min<std::uint64_t>(left, kRun); more != 0; --more) {
      const Plugin& plugin = plugins_[random_.below(plugins_.size())];
      run_.push_back(write_instance(plugin, heap_.out().take(plugin.layout.heap_bytes)));
    }
    for (std::size_t i = run_.size(); i > 1; --i) {
      std::swap(run_[i - 1], run_[random_.below(i)]);
    }
    arrays_.push_back(heap_.out().references(heap_.jdk().objects_array, run_));
    earlier_.resize(std::max(earlier_.size(), run_.size()));
    for (auto& place : earlier_) {
      if (place == 0 || random_.chance(1, 4)) {
        place = run_[random_.below(run_.size())];
      }
    }
    arrays_.push_back(heap_.out().references(heap_.jdk().objects_array, earlier_));
  }

  Heap heap_;
  Random& random_;
  std::uint64_t wanted_;
  Layout loader_;
  std::vector<Address> loaders_;
  std::vector<Plugin> plugins_;
  std::vector<Address> run_;
  std::vector<Address> earlier_;
  std::vector<Address> arrays_;
};

}  // namespace

void write_wide(const Request& request) {
  Wide(request).write();
}

}  // namespace hprof::bench
