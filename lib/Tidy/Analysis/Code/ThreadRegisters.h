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

namespace linesman::tidy {

/// \p Local is a number that inline assembly of its function, and nothing else,
/// reads from there.
bool isReadFromThreadRegister(const clang::VarDecl &Local);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_THREADREGISTERS_H
