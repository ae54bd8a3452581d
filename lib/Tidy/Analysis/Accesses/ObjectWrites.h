// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a statement write, and through which pointer?
//
//     target->links.back = this;      base "target", fields links, back
//     __atomic_fetch_add(&o->n, 1)    base "o", field n, read-modify-write

#ifndef LINESMAN_TIDY_ANALYSIS_ACCESSES_OBJECTWRITES_H
#define LINESMAN_TIDY_ANALYSIS_ACCESSES_OBJECTWRITES_H

#include "Analysis/Names/TypeKinds.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace linesman::tidy {

/// The object that an lvalue is part of.
struct WrittenPart {
  /// The pointer or reference that leads to the object, or the object's name.
  const clang::Expr *Base = nullptr;
  /// The object is what Base points to (p->f, *p); otherwise Base names it.
  bool IsPointedTo = false;
  /// From the object to the part; empty for the object as a whole.
  llvm::SmallVector<const clang::FieldDecl *, 2> Fields;
};

struct ObjectWrite {
  enum Kind { Store, ReadModifyWrite, Call } Way = Store;
  WrittenPart Part;
  /// The assignment or call.
  const clang::Expr *Site = nullptr;
};

/// Nothing for a statement that writes no object: also for a call of a
/// function, whose own statements are looked at where they are.
std::optional<ObjectWrite> writeOf(const clang::Stmt &Statement,
                                   const TypeKinds &Kinds);

/// \p Target is the lvalue, or for atomic functions the address of it.
WrittenPart writtenPart(const clang::Expr &Target);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ACCESSES_OBJECTWRITES_H
