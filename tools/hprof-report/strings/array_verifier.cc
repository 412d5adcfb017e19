#include "tools/hprof-report/strings/array_verifier.h"

#include "common/bring_near.h"

#include <algorithm>

namespace hprof {

/// Most dumps have their objects in the order of addresses, so that it is known what comes next.
void ArrayVerifier::look_ahead(std::uint64_t array) {
  if (array + 2 * kAhead >= groups_.arrays()) {
    return;
  }
  if (const auto far = groups_.of(array + 2 * kAhead); far != ContentGroups::kNone) {
    bring_near(&groups_.rows()[far]);
    if (far < proofs_.size()) {
      bring_near(&proofs_[far]);
    }
  }
  if (const auto near = groups_.of(array + kAhead);
      near < proofs_.size() && proofs_[near].kind == Proof::Kind::bytes) {
    bring_near(arena_.data() + proofs_[near].place);
  }
}

/// An array that is like no other, but has several Strings.
void ArrayVerifier::describe(ContentGroup& group, const ObjectRecord& record) {
  group.type = record.type();
  group.length = static_cast<std::uint32_t>(record.elements());
}

void ArrayVerifier::on_array(const ObjectRecord& record) {
  open_ = false;
  const std::uint32_t object = record.object();
  std::uint32_t group = ContentGroups::kNone;
  if (arrays_.test(object)) {
    const std::uint64_t array = arrays_.rank(object);
    look_ahead(array);
    group = groups_.of(array);
  }
  if (group == ContentGroups::kNone) {
    return;
  }
  open_ = groups_.rows()[group].members > 1;
  if (!open_) {
    describe(groups_.rows()[group], record);
  } else {
    const auto kind = record.kind();
    current_ = {.object = object,
                .type = record.type(),
                .kind = kind,
                .length = static_cast<std::uint32_t>(record.elements()),
                .bytes = record.elements() * primitive_width(static_cast<std::uint8_t>(kind)),
                .whole = {},
                .digest = {}};
  }
}

void ArrayVerifier::on_elements(std::span<const std::uint8_t> elements) {
  if (!open_) {
    return;
  }
  if (elements.size() == current_.bytes) {
    current_.whole = elements;
    settle();
    return;
  }
  if (current_.whole.data() == nullptr) {
    current_.whole = elements.first(0);
    current_.digest = DigestTaker(current_.kind, current_.length);
  }
  current_.digest.add(elements);
}

void ArrayVerifier::on_array_end() {
  if (open_) {
    settle();
  }
}

void ArrayVerifier::settle() {
  open_ = false;
  const std::uint32_t group = groups_.of(arrays_.rank(current_.object));
  if (proof(group).kind == Proof::Kind::none) {
    adopt(group);
  } else if (equals(group)) {
    count(group);
  } else {
    part_from(group);
  }
}

ArrayVerifier::Proof& ArrayVerifier::proof(std::uint32_t group) {
  if (proofs_.size() <= group) {
    proofs_.resize(groups_.rows().size());
  }
  return proofs_[group];
}

ContentDigest ArrayVerifier::digest() const {
  if (!is_whole()) {
    return current_.digest.value();
  }
  DigestTaker taker(current_.kind, current_.length);
  taker.add(current_.whole);
  return taker.value();
}

/// Makes the current array the one with which others of the group are compared.
void ArrayVerifier::adopt(std::uint32_t group) {
  auto& row = groups_.rows()[group];
  row.type = current_.type;
  row.length = current_.length;
  row.first_array = current_.object;
  if (is_whole() && current_.bytes <= byte_budget_ - arena_.size()) {
    proof(group) = {.kind = Proof::Kind::bytes, .place = static_cast<std::uint32_t>(arena_.size())};
    arena_.insert(arena_.end(), current_.whole.begin(), current_.whole.end());
  } else {
    proof(group) = {.kind = Proof::Kind::digest,
                    .place = static_cast<std::uint32_t>(digests_.size())};
    digests_.push_back(digest());
  }
}

void ArrayVerifier::count(std::uint32_t group) {
  auto& row = groups_.rows()[group];
  row.first_array = std::min(row.first_array, current_.object);
  ++(proof(group).kind == Proof::Kind::bytes ? by_bytes_ : by_digest_);
}

bool ArrayVerifier::equals(std::uint32_t group) {
  const auto& row = groups_.rows()[group];
  const Proof& known = proof(group);
  if (row.type != current_.type || row.length != current_.length) {
    return false;
  }
  if (known.kind == Proof::Kind::digest) {
    return digests_[known.place] == digest();
  }
  return is_whole() && std::equal(current_.whole.begin(), current_.whole.end(),
                                  arena_.begin() + static_cast<std::ptrdiff_t>(known.place));
}

/// Finds or makes the group of an array whose hash has misled.
void ArrayVerifier::part_from(std::uint32_t group) {
  ++collisions_;
  const std::uint64_t array = arrays_.rank(current_.object);
  const auto key = std::pair(group, digest());
  const auto found = parted_.find(key);
  if (found != parted_.end() && equals(found->second)) {
    groups_.reassign(array, found->second);
    count(found->second);
    return;
  }
  const std::uint32_t own = groups_.split(array);
  parted_.emplace(key, own);
  adopt(own);
}

}  // namespace hprof
