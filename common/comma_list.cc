#include "common/comma_list.h"

#include "common/utf8.h"

#include <algorithm>

namespace hprof {

std::vector<std::string> comma_list(std::string_view list) {
  constexpr std::string_view kBlank = " \t";
  std::vector<std::string> items;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const std::string_view item = list.substr(at, end - at);
    const std::size_t begin = item.find_first_not_of(kBlank);
    if (begin != std::string_view::npos) {
      const std::size_t last = item.find_last_not_of(kBlank);
      items.push_back(lower_case(std::string(item.substr(begin, last - begin + 1))));
    }
    at = end + 1;
  }
  return items;
}

}  // namespace hprof
