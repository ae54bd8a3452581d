// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations written in assembly:
//
//     asm volatile("lock; incl %0" : "+m"(count->value));

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_ATOMICASSEMBLY_H
#define LINESMAN_TIDY_ANALYSIS_CODE_ATOMICASSEMBLY_H

#include "Analysis/Names/TypeKinds.h"
#include "clang/AST/Stmt.h"

namespace linesman::tidy {

struct AtomicAssembly {
  AtomicOperation Operation = AtomicOperation::None;
  /// The word, as an lvalue.
  const clang::Expr *Word = nullptr;
};

/// What an x86 instruction with a lock prefix, an exchange, or a pair of
/// load-linked and store-conditional does to its memory operand; None for
/// anything else.
AtomicAssembly readAtomicAssembly(const clang::GCCAsmStmt &Assembly,
                                  const clang::ASTContext &Unit);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_ATOMICASSEMBLY_H
