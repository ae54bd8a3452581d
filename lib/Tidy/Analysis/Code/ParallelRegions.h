// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a directive of OpenMP says of the code under it: who runs it, and which
// variables each thread has to itself.
//
//     #pragma omp parallel private(n) reduction(+ : sum)
//     { ... }        each thread runs it, with its own n and sum

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_PARALLELREGIONS_H
#define LINESMAN_TIDY_ANALYSIS_CODE_PARALLELREGIONS_H

#include "clang/AST/Decl.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/DenseSet.h"

namespace linesman::tidy {

/// The code under a directive is a child of the statement that captures it, but
/// not among children(). Gives the code, or \p S itself.
inline const clang::Stmt *withoutCapture(const clang::Stmt *S) {
  while (const auto *Captured =
             llvm::dyn_cast_if_present<clang::CapturedStmt>(S))
    S = Captured->getCapturedStmt();
  return S;
}

/// Where the locals of one thread are declared, if the directive starts
/// threads.
const clang::DeclContext *
threadsOwnContext(const clang::OMPExecutableDirective &Directive);

/// `parallel for num_threads(n)` over 0 to n, or over 0 to what is named like a
/// number of threads: each thread has one turn, whose number is its own. Gives
/// the loop, or nothing.
const clang::ForStmt *
oneTurnEach(const clang::OMPExecutableDirective &Directive);

/// What such a loop counts.
const clang::VarDecl *counterOf(const clang::ForStmt &Loop);

/// `critical` around `sum += x` and nothing else, of a variable or field: an
/// atomic update by other means, and as much traffic.
bool isCountAlone(const clang::OMPCriticalDirective &Critical);

/// Variables of which the directive gives each thread a copy.
void addPrivates(const clang::OMPExecutableDirective &Directive,
                 llvm::DenseSet<const clang::VarDecl *> &Privates);

/// Of its own in each thread: thread_local, __thread, threadprivate.
bool isPerThread(const clang::VarDecl &Variable);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_PARALLELREGIONS_H
