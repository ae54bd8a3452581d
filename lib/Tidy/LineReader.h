// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a check of cache lines knows of a unit. A check that looks at lines has
// a reader, made for the unit and gone with it: nothing that points into a unit
// is a member of the check.
//
//   class ThreadSlotCheck::UnitReader : LineReader { ... };
//   void ThreadSlotCheck::checkUnit(ASTContext &Unit) {
//     UnitReader(*this, Unit).read();
//   }

#ifndef LINESMAN_TIDY_LINEREADER_H
#define LINESMAN_TIDY_LINEREADER_H

#include "Analysis/Accesses/HotAccesses.h"
#include "LinesmanCheck.h"

namespace linesman::tidy {

class LinesmanCheck::LineReader {
protected:
  LineReader(LinesmanCheck &Check, clang::ASTContext &Unit)
      : Unit(Unit), Kinds(Check.typeKinds()), Accesses(Check.accesses(Unit)),
        Hot(Accesses, Kinds), Line(Check.common().CacheLineSize) {}

  clang::ASTContext &Unit;
  const TypeKinds Kinds;
  const UnitAccesses &Accesses;
  /// Keeps its answers, and is asked by readers that change nothing.
  mutable HotAccesses Hot;
  /// In bytes.
  const uint64_t Line;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_LINEREADER_H
