// Records: NumPy's structured dtypes. Fields by name at byte offsets; equal ones are one object, so that a
// pointer is the type.
#pragma once
#include <string>
#include <vector>

#include "frontend/element_type.h"

namespace lanewise::frontend {

struct RecordField {
  std::string name;
  ElementType type;
  std::vector<int64_t> shape;  // of a sub-array, C order
  uint32_t offset = 0;         // bytes

  bool operator==(const RecordField&) const = default;
  int64_t count() const {
    int64_t product = 1;
    for (int64_t extent : shape) product *= extent;
    return product;
  }
};

struct RecordType {
  std::vector<RecordField> fields;
  uint32_t size = 0;  // bytes from one element to the next

  bool operator==(const RecordType&) const = default;
  const RecordField* find(std::string_view name) const;
  // What every address of such a record can be trusted to be a multiple of: the largest alignment of a field
  // that divides the size. Fields that want more, or stand at odd offsets, are read byte by byte.
  unsigned alignment() const;
};

// Puts the fields one after another, as NumPy does: at multiples of their alignment (align=True) or without
// gaps. False where the record gets too large.
bool arrange(RecordType& type, bool aligned);

// The one object for records like this; lives as long as the process.
const RecordType* intern(RecordType type);

// A power of two that divides both; `alignment` of an address moved by `offset` bytes.
unsigned alignment_at(unsigned alignment, int64_t offset);

}  // namespace lanewise::frontend
