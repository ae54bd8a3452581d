// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels and runtimes ask the processor who they are:
//
//     unsigned self;
//     asm("movl %%gs:0, %0" : "=r"(self));
//
// A segment or a system register leads to what each thread or processor has
// for itself.

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_THREADREGISTERS_H
#define LINESMAN_TIDY_ANALYSIS_CODE_THREADREGISTERS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace linesman::tidy {

class ThreadRegisters {
public:
  /// \p Local is a number that inline assembly of its function, and nothing
  /// else, reads from there.
  bool areReadInto(const clang::VarDecl &Local);

private:
  using Statements = llvm::SmallVector<const clang::GCCAsmStmt *, 1>;

  /// Found once: a function is asked about for each of its locals.
  const Statements &assemblyIn(const clang::FunctionDecl &Function);

  llvm::DenseMap<const clang::FunctionDecl *, Statements> Known;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_THREADREGISTERS_H
