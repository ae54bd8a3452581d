// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record types of a module, as far as the IR still knows them.
//
//     tbaa       !{!"_ZTS1S", !long, i64 0, !int, i64 8}     members, no size
//     GEPs       getelementptr %struct.S, ptr %p, i64 %i     size
//     debug info !DICompositeType(name: "S", size: 128)      size, alignment
//
// Pointers have no types any more, so each source speaks for some places only;
// equal names are one type.

#ifndef LINESMAN_LIB_FACTSPASS_RECORDTYPES_H
#define LINESMAN_LIB_FACTSPASS_RECORDTYPES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/StringSaver.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace llvm {
class DataLayout;
class DIType;
class MDNode;
class StructType;
} // namespace llvm

namespace linesman::facts {

/// A type while the module is looked at.
struct KnownType {
  llvm::StringRef Name;
  /// Bytes; 0 when it is not known.
  uint64_t Size = 0;
  uint64_t Alignment = 1;
  /// The members as TBAA has them; null where that does not know the type.
  const llvm::MDNode *Node = nullptr;
  /// Where the last member that TBAA knows begins, and where it may end.
  uint64_t LastMember = 0;
  uint64_t MayEnd = UINT64_MAX;
  /// A library's: nobody who reads a report can change it.
  bool IsLibrarys = false;
  /// A lambda's captures: debug information has no name to find them by.
  bool IsClosure = false;

  /// Whether an access can be of an object of this type.
  bool covers(int64_t Offset, uint64_t Bytes) const {
    uint64_t End = Size ? Size : MayEnd;
    return Offset >= 0 && uint64_t(Offset) < End &&
           Bytes <= End - uint64_t(Offset);
  }
  uint64_t extent() const { return Size ? Size : LastMember + 1; }
};

/// Position of a type in a module's list.
using TypeNumber = uint32_t;

class RecordTypes {
public:
  /// The type that a struct-path tag is about, and the offset in it.
  struct Tagged {
    TypeNumber Type;
    uint64_t Offset;
  };
  std::optional<Tagged> ofTag(const llvm::MDNode *Tag);
  /// The same, of the innermost record that the tag's member is one of: who
  /// uses that record by itself names the place so.
  std::optional<Tagged> ofInnermost(const llvm::MDNode *Tag);
  /// The type that a pointer of this tag points to. Clang tells pointers apart
  /// since LLVM 20.
  std::optional<TypeNumber> ofPointerTag(const llvm::MDNode *Tag);
  /// Nothing for types without a name.
  std::optional<TypeNumber> ofStruct(const llvm::StructType *Ty,
                                     const llvm::DataLayout &DL);
  /// The record behind a pointer, reference or name of one.
  std::optional<TypeNumber> ofPointee(const llvm::DIType *Pointer);
  /// A lock of a library.
  TypeNumber ofLock(llvm::StringRef Name, uint64_t Size) {
    TypeNumber Number = intern(Name);
    Types[Number].Size = Size;
    return Number;
  }

  /// Whether \p Outer has an \p Inner at this offset, as far as TBAA knows.
  bool contains(TypeNumber Outer, TypeNumber Inner, int64_t Offset) const;

  KnownType &operator[](TypeNumber Number) { return Types[Number]; }
  const KnownType &operator[](TypeNumber Number) const { return Types[Number]; }

private:
  TypeNumber intern(llvm::StringRef Name);
  std::optional<TypeNumber> ofNode(const llvm::MDNode *Node);

  std::vector<KnownType> Types;
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Strings{Memory};
  llvm::StringMap<TypeNumber> ByName;
  llvm::DenseMap<const void *, std::optional<TypeNumber>> Seen;
};

/// A number for the offsets of a type's members; 0 without them.
uint16_t fingerprintOf(const KnownType &Type);

} // namespace linesman::facts

#endif // LINESMAN_LIB_FACTSPASS_RECORDTYPES_H
