// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which objects does every thread reach? Those with static storage that are
// written at run time: variables of a namespace or class, and those inside
// functions. Not thread_local ones, and not constants, unless they have a field
// that even a constant lets be written.

#ifndef LINESMAN_TIDY_ANALYSIS_ADDRESSES_STATICREACH_H
#define LINESMAN_TIDY_ANALYSIS_ADDRESSES_STATICREACH_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace linesman::tidy {

/// One copy for all threads, and not in read-only memory.
bool isSharedStatic(const clang::VarDecl &Variable);

/// isSharedStatic, and a single record (or an array of one, as C writes it):
/// what a pointer to "no object" points to. Arrays of records are tables.
bool isSharedStaticRecord(const clang::VarDecl &Variable);

/// The static object that an expression certainly names or points to:
/// "nil", "&nil", "NIL" for a constant pointer that was initialised with &nil,
/// "nil()" for a function that returns it. Nothing for everything else, also
/// for fields and elements of a static object.
const clang::VarDecl *certainStatic(const clang::Expr &E);

/// The variable itself: the first declaration of the pattern, so that a static
/// member of a class template is one object for reports.
const clang::VarDecl &patternOf(const clang::VarDecl &Variable);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ADDRESSES_STATICREACH_H
