// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations by the names of functions: the builtins' and
// <stdatomic.h>'s own, the systems', and what projects call theirs
// ("myAtomicIncr").

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_ATOMICNAMES_H
#define LINESMAN_TIDY_ANALYSIS_CODE_ATOMICNAMES_H

#include "Analysis/Names/TypeKinds.h"

namespace linesman::tidy {

/// By the name of std::atomic's member, of a builtin or of <stdatomic.h>'s
/// function: what follows the prefix is the same word everywhere.
AtomicOperation operationOfName(llvm::StringRef Name);

/// By the name of a method of a project's own atomic class: std::atomic's, or
/// words that mean the same ("fetchAdd", "getAndSet", "incrementAndGet").
AtomicOperation operationOfMethod(llvm::StringRef Name);

/// By the name of a plain function whose first parameter is the word: a
/// builtin, a function of a system ("InterlockedIncrement64"), or one that says
/// "atomic" and what it does.
AtomicOperation operationOfFunction(const clang::FunctionDecl &Callee);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_ATOMICNAMES_H
