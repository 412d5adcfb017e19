#pragma once

#include "formats/graph_file.h"
#include "formats/heap_index.h"
#include "formats/jvm_layout.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hprof {

/// Where shallow sizes come from (semantics: §5).
enum class SizeModel {
  mat,      ///< Eclipse MAT's formulas
  dumped,   ///< what the dump's records say, the truth on Android
  hotspot,  ///< what the JVM itself would say, by the layout of its objects
};

std::string to_string(SizeModel model);

/// Shallow sizes of a dump's objects under one model.
class ShallowSizes {
 public:
  virtual ~ShallowSizes() = default;

  /// What gives the shallow size of the objects of a type.
  GraphType describe(const TypeInfo& type) const;
  /// Bytes of a class's static fields; the "length" of its class object.
  virtual std::uint64_t static_bytes(const ClassInfo& info) const = 0;
  /// Every shallow size is a multiple of this.
  virtual std::uint32_t unit() const = 0;

 protected:
  explicit ShallowSizes(const HeapIndex& index) : index_(index) {}

  const HeapIndex& index() const { return index_; }

 private:
  virtual ShallowRule rule(const TypeInfo& type) const = 0;

  const HeapIndex& index_;
};

/// `layout` is that of the JVM, for SizeModel::hotspot.
std::unique_ptr<ShallowSizes> make_sizes(const HeapIndex& index, SizeModel model,
                                         const JvmLayout& layout = {});

}  // namespace hprof
