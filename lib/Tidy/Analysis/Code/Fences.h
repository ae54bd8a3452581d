// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that orders its plain reads and writes against another thread's.

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_FENCES_H
#define LINESMAN_TIDY_ANALYSIS_CODE_FENCES_H

#include "clang/AST/Decl.h"

namespace linesman::tidy {

/// A barrier of the compiler or of the processor: a builtin, an empty assembly
/// statement that clobbers memory, a function that is named like one
/// ("smp_wmb", "store_fence"), itself or one call away.
bool hasFence(const clang::FunctionDecl &Function);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_FENCES_H
