// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which member of an object has which bytes: fields, array elements, and what
// is nested in them, named as the source does.
//
//     struct Stats { long hits; struct { int key, level; } last; } stats[4];
//
//     bytes 0 to 7     stats[0].hits
//     bytes 8 to 11    stats[0].last.key
//     bytes 8 to 15    stats[0].last
//     bytes 8 to 23    stats[0].last, stats[1].hits

#ifndef LINESMAN_LAYOUT_MEMBERS_H
#define LINESMAN_LAYOUT_MEMBERS_H

#include "linesman/Layout/Address.h"
#include "linesman/Layout/Definition.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <string>
#include <vector>

namespace linesman::layout {

/// Index into ObjectTypes::Types.
using TypeIndex = uint32_t;

enum class TypeKind : uint8_t {
  /// Without members: numbers, pointers, and what is not known.
  Scalar,
  Record,
  /// Its fields have the same bytes.
  Union,
  Array,
};

struct Field {
  /// Empty for a base class and an anonymous member: their fields are named as
  /// if they were the record's own.
  std::string Name;
  TypeIndex Type = 0;
  /// From the start of the record, in bits.
  uint64_t FirstBit = 0;
  /// Of a bit-field; 0 for all others.
  uint64_t Bits = 0;
};

/// A type as far as its bytes are concerned.
struct Type {
  TypeKind Kind = TypeKind::Scalar;
  /// In bytes.
  uint64_t Size = 0;
  /// Of a record or union.
  std::vector<Field> Fields;
  /// Of an array; 0 elements are as many as the object has room for.
  TypeIndex Element = 0;
  uint64_t Elements = 0;
  /// Bytes from one element to the next.
  uint64_t Stride = 0;
};

/// What is known about the types of objects. Types do not contain themselves.
struct ObjectTypes {
  struct Object {
    /// The variable's own name, without scopes.
    std::string Name;
    TypeIndex Type = 0;
    /// Where the object begins in its type: the optimizer may have left only a
    /// part of a variable.
    uint64_t Offset = 0;
    Definition Source = {};
  };
  std::vector<Type> Types;
  /// By link-time address.
  llvm::DenseMap<uint64_t, Object> Objects;
};

/// Bytes of an object, from its start.
struct ByteRange {
  uint64_t Begin = 0, End = 0;
};

struct Member {
  /// "back", "a.b", "buffer[8..15]"; of an array "locks[3].state", where locks
  /// is the object's own name.
  std::string Path;
  ByteRange Bytes;
  /// Of a bit-field: the first bit from Bytes.Begin, and how many; 0 for all
  /// others.
  uint64_t FirstBit = 0, Bits = 0;
  /// Elements of an array that are one here, as in "buffer[8..15]".
  uint64_t Elements = 1;
};

/// An array with bytes in a range.
struct MemberArray {
  std::string Path;
  uint64_t Elements = 0;
  uint64_t Stride = 0;
};

/// The members of an object that some bytes belong to.
class ObjectMembers {
public:
  /// The object at \p Object of \p Size bytes. Without a type it has no
  /// members.
  ObjectMembers(const ObjectTypes &Types, LinkAddress Object, uint64_t Size);

  /// Whether the object has a type with members.
  bool hasMembers() const;

  /// The fewest members that have the bytes of \p Range: one whose bytes are
  /// all in it, or has no members, stands for itself, and neighbours in an
  /// array are one. Empty for all of the object, and for holes.
  std::vector<Member> membersIn(ByteRange Range) const;

  /// The innermost members of \p Range: as above, but a record or array is
  /// always looked into. By offset.
  std::vector<Member> partsIn(ByteRange Range) const;

  /// The smallest member that has all bytes of \p Range; empty for the object
  /// itself.
  std::string memberAround(ByteRange Range) const;

  /// The outermost arrays of which \p Range has a part, by offset; of one with
  /// several dimensions the last.
  std::vector<MemberArray> arraysIn(ByteRange Range) const;

private:
  const ObjectTypes *Types = nullptr;
  std::optional<ObjectTypes::Object> Whole;
  uint64_t Size;
};

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_MEMBERS_H
