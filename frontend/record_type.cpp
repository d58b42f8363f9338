// The records there are, and what follows from their fields.
#include "frontend/record_type.h"

#include <algorithm>
#include <deque>
#include <mutex>

namespace lanewise::frontend {

const RecordField* RecordType::find(std::string_view name) const {
  auto found = std::ranges::find(fields, name, &RecordField::name);
  return found == fields.end() ? nullptr : &*found;
}

unsigned alignment_at(unsigned alignment, int64_t offset) {
  if (offset == 0) return alignment;
  uint64_t lowest = static_cast<uint64_t>(offset) & (~static_cast<uint64_t>(offset) + 1);
  return static_cast<unsigned>(std::min<uint64_t>(alignment, lowest));
}

unsigned RecordType::alignment() const {
  unsigned wanted = 1;
  for (const RecordField& field : fields) wanted = std::max(wanted, field.type.alignment());
  return alignment_at(wanted, size);
}

bool arrange(RecordType& type, bool aligned) {
  uint64_t at = 0, widest = 1;
  auto round_up = [](uint64_t value, uint64_t to) { return (value + to - 1) / to * to; };
  for (RecordField& field : type.fields) {
    // A record inside is as aligned as its own fields ask for, whatever its size.
    uint64_t alignment = aligned ? field.type.alignment() : 1;
    widest = std::max(widest, alignment);
    at = round_up(at, alignment);
    field.offset = static_cast<uint32_t>(at);
    auto size = static_cast<uint64_t>(field.count()) * field.type.size();
    at += size;
    if (size > INT32_MAX || at > INT32_MAX) return false;
  }
  type.size = static_cast<uint32_t>(round_up(at, widest));
  return type.size > 0;
}

const RecordType* intern(RecordType type) {
  static std::mutex mutex;
  static std::deque<RecordType>& known = *new std::deque<RecordType>();  // outlives static destructors
  std::scoped_lock lock(mutex);
  auto found = std::ranges::find(known, type);
  if (found != known.end()) return &*found;
  return &known.emplace_back(std::move(type));
}

unsigned ElementType::size() const {
  switch (kind) {
    case Kind::Record: return record->size;
    case Kind::Text: return characters * scalar.element_size();
    case Kind::Scalar:
    case Kind::Complex:
    case Kind::Vector:
    case Kind::Time: break;
  }
  return lanes * scalar.element_size();
}

unsigned ElementType::alignment() const { return is_record() ? record->alignment() : scalar.element_size(); }

}  // namespace lanewise::frontend
