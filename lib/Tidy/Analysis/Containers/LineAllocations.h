// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where does memory for types that are aligned to a line come from, and does
// the allocator keep that alignment?
//
//     calloc(1, sizeof(struct slot))          16 bytes, whatever the type says
//     calloc(1, sizeof(struct slot) + 64)     room to round up by hand: right
//     new Slot, std::make_shared<Slot>()      since C++17 right, before not

#ifndef LINESMAN_TIDY_ANALYSIS_CONTAINERS_LINEALLOCATIONS_H
#define LINESMAN_TIDY_ANALYSIS_CONTAINERS_LINEALLOCATIONS_H

#include "Analysis/Accesses/UnitAccesses.h"

namespace linesman::tidy {

/// std::make_shared<T>(...), std::make_unique<T>(...): T; otherwise nothing.
clang::QualType madeByLibrary(const clang::CallExpr &Call);

class LineAllocations {
public:
  /// \p Line is the size of a cache line in bytes.
  LineAllocations(const UnitAccesses &Accesses, const clang::ASTContext &Unit,
                  uint64_t Line)
      : Accesses(Accesses), Unit(Unit), Line(Line) {}

  /// One that gives less than the type asks for.
  struct Allocation {
    clang::SourceLocation Place;
    const clang::RecordDecl *Type = nullptr;
    /// Bytes that the type asks for.
    uint64_t Alignment = 0;
    /// The function's name, or "new".
    std::string Allocator;
    /// Inside of a function of the standard library.
    bool IsByLibrary = false;
    /// The function beside it that takes an alignment, if the allocator's own
    /// body is in another unit.
    std::string AligningSibling;
  };
  std::vector<Allocation> findTooWeak() const;

  /// Something that this unit makes of it starts on a line.
  bool isAllocatedAligned(const clang::RecordDecl &Record) const;

  struct Malloc {
    clang::SourceLocation Place;
    llvm::StringRef Name;
  };
  /// malloc and its kin for objects of the type.
  llvm::SmallVector<Malloc, 2> mallocsOf(const clang::RecordDecl &Record) const;

  /// What allocators promise by themselves, in bytes.
  uint64_t naturalAlignment() const;

private:
  template <typename Visitor>
  void forEachCast(const clang::RecordDecl &Record, Visitor Visit) const;
  bool hasRoomToAlign(const clang::CallExpr &Call) const;
  bool isGivenByAddress(const clang::RecordDecl &Record) const;
  uint64_t overAlignment(clang::QualType Type) const;

  const UnitAccesses &Accesses;
  const clang::ASTContext &Unit;
  const uint64_t Line;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CONTAINERS_LINEALLOCATIONS_H
