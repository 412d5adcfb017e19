#include "tools/hprof-graph/record_queue.h"

#include <cstring>

namespace hprof {

void RecordQueue::append(std::span<const std::uint8_t> bytes) {
  if (!bytes.empty()) {
    std::memcpy(data_.data() + data_bytes_, bytes.data(), bytes.size());
    data_bytes_ += static_cast<std::uint32_t>(bytes.size());
  }
}

void RecordQueue::flush() {
  const auto each = [&](auto&& visit) {
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      visit(records_[i], std::span(data_).subspan(begin, records_[i].data_end - begin));
      begin = records_[i].data_end;
    }
  };
  each([&](const Record& record, std::span<const std::uint8_t> data) { expect(record, data); });
  each([&](const Record& record, std::span<const std::uint8_t> data) { hand_on(record, data); });
  count_ = 0;
  data_bytes_ = 0;
}

void RecordQueue::expect(const Record& record, std::span<const std::uint8_t> data) const {
  if (record.kind == Kind::instance) {
    pass_.expect_fields(record.class_id, data);
  } else {
    pass_.expect_elements(data);
  }
}

void RecordQueue::hand_on(const Record& record, std::span<const std::uint8_t> data) {
  if (record.kind == Kind::instance) {
    pass_.on_instance(record.id, record.class_id, 0, record.size, data.data());
  } else if (record.kind == Kind::object_array) {
    pass_.on_object_array(record.id, record.class_id, 0, record.size);
    pass_.on_elements(data);
    pass_.on_object_array_end();
  } else {
    pass_.on_primitive_array(record.id, static_cast<std::uint8_t>(record.class_id), 0, record.size);
  }
}

}  // namespace hprof
