#include "tools/hprof-report/paths/path_book.h"

#include <algorithm>

namespace hprof {
namespace {

std::uint64_t length_of(const ShortestPaths& paths, std::uint32_t target) {
  std::uint64_t objects = 1;
  for (std::uint32_t at = target; !paths.is_start(at); at = paths.parent(at)) {
    ++objects;
  }
  return objects;
}

}  // namespace

ObjectPath path_to(const ShortestPaths& paths, std::uint32_t target, std::size_t most) {
  const std::uint64_t length = length_of(paths, target);
  const std::uint64_t head = length <= most ? length : (most + 1) / 2;
  const std::uint64_t tail = length <= most ? 0 : most / 2;
  ObjectPath out;
  std::uint64_t place = length;
  for (std::uint32_t at = target; place-- > 0; at = paths.parent(at)) {
    if (place < head || place >= length - tail) {
      out.objects.push_back(at);
    } else if (place == length - tail - 1) {
      out.last_left_out = at;
    }
  }
  std::reverse(out.objects.begin(), out.objects.end());
  out.left_out = length - head - tail;
  out.left_out_after = out.left_out == 0 ? 0 : head;
  return out;
}

ObjectPath shortened(const std::vector<std::uint32_t>& objects, std::size_t most) {
  ObjectPath out;
  if (objects.size() <= most) {
    out.objects = objects;
    return out;
  }
  const std::size_t head = (most + 1) / 2;
  const std::size_t tail = most / 2;
  out.objects.assign(objects.begin(), objects.begin() + static_cast<std::ptrdiff_t>(head));
  out.objects.insert(out.objects.end(), objects.end() - static_cast<std::ptrdiff_t>(tail),
                     objects.end());
  out.left_out = objects.size() - head - tail;
  out.left_out_after = head;
  out.last_left_out = objects[objects.size() - tail - 1];
  return out;
}

void PathBook::want(std::uint32_t target) {
  const auto place = std::lower_bound(missing_.begin(), missing_.end(), target);
  if (place == missing_.end() || *place != target) {
    missing_.insert(place, target);
  }
}

void PathBook::take(const ShortestPaths& paths, bool only_weak) {
  std::erase_if(missing_, [&](std::uint32_t target) {
    if (!paths.reached(target)) {
      return false;
    }
    auto& path = paths_[target];
    path = path_to(paths, target, most_);
    path.only_weak = only_weak;
    return true;
  });
}

const ObjectPath* PathBook::find(std::uint32_t target) const {
  const auto found = paths_.find(target);
  return found == paths_.end() ? nullptr : &found->second;
}

}  // namespace hprof
