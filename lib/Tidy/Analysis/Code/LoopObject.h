// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a loop wait for one object, or try one after the other?
//
//     while (lock.exchange(true)) ;              one
//     while (ring[i++ & 7].busy.exchange(true)) ;   another one on each turn

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_LOOPOBJECT_H
#define LINESMAN_TIDY_ANALYSIS_CODE_LOOPOBJECT_H

#include "clang/AST/Expr.h"

namespace linesman::tidy {

/// As far as names tell, \p Object (what operatedObject() gives) is the same
/// one on every turn of \p Loop, which it is evaluated in. What a function
/// returns may be another object each time, unless it is an accessor of a
/// static one; operators and const methods give the same for the same
/// arguments.
bool isSameOnEveryTurn(const clang::Expr &Object, const clang::Stmt &Loop);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_LOOPOBJECT_H
