#include "tools/hprof-report/paths/keywords.h"

#include <algorithm>

namespace hprof {
namespace {

class Keywords {
 public:
  explicit Keywords(const Heap& heap) : heap_(heap) {}

  void add(const std::string& word) {
    if (std::find(words_.begin(), words_.end(), word) == words_.end()) {
      words_.push_back(word);
    }
  }

  void add_class(ClassIndex class_index) {
    add(heap_.class_name(class_index));
    const auto label = heap_.loader_label(heap_.index().classes[class_index.value()].loader);
    if (const auto at = label.find(" @ "); at != std::string::npos) {
      add(label.substr(0, at));
    }
  }

  void add_object(const HeapObject& object) {
    const auto stands_for = heap_.represented(object);
    const auto own = heap_.class_of(object);
    if (stands_for.is_none() && heap_.is_loader_class(own)) {
      add(heap_.class_name(own));
    } else {
      add_class(stands_for.is_none() ? own : stands_for);
    }
  }

  std::vector<std::string> take() { return std::move(words_); }

 private:
  const Heap& heap_;
  std::vector<std::string> words_;
};

/// "Main.java:12" of "demo.Main.run(Main.java:12)".
std::string place_of(const std::string& frame) {
  const auto open = frame.find('(');
  return open == std::string::npos ? "" : frame.substr(open + 1, frame.size() - open - 2);
}

}  // namespace

std::vector<std::string> keywords_of(const Heap& heap, const Suspicion& suspicion,
                                     const PathDescriber& describer, const Suspect& suspect) {
  Keywords words(heap);
  const bool single = suspicion.kind == SuspectKind::single;
  if (!single) {
    words.add_class(suspicion.class_index);
  } else if (!describer.stacks().is_thread(suspicion.object.index)) {
    words.add_object(suspicion.object);
  }
  if (suspicion.accumulation) {
    words.add_object(describer.objects().at(*suspicion.accumulation));
  }
  if (suspect.thread) {
    for (const auto& frame : suspect.thread->frames) {
      if (!frame.locals.empty() && !is_platform_class(frame.method)) {
        words.add(frame.method);
        words.add(place_of(frame.frame));
      }
    }
  }
  return words.take();
}

}  // namespace hprof
