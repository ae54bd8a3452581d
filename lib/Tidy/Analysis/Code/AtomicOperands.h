// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a write writes, for assignments, operators, members of std::atomic,
// functions and builtins alike:
//
//     x = v, x.store(v), __atomic_store_n(&x, v, order)     v
//     x.compare_exchange_weak(e, v)                         e, v

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_ATOMICOPERANDS_H
#define LINESMAN_TIDY_ANALYSIS_CODE_ATOMICOPERANDS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace linesman::tidy {

/// The arguments after the object's, as they are written.
llvm::SmallVector<const clang::Expr *, 4>
atomicOperands(const clang::Expr &Site);

/// A value that is the same on every call. Zero for a null pointer.
std::optional<uint64_t> constantOf(const clang::Expr *E,
                                   const clang::ASTContext &Unit);

/// The variable that an operand is, or is the address of.
const clang::VarDecl *namedVariable(const clang::Expr &Operand);

/// Adds 0, or'es nothing, and's everything: a read-modify-write that reads.
bool isNeutralUpdate(const clang::Expr &Site, const clang::ASTContext &Unit);

/// compare_exchange(seen, seen), compare_and_swap(p, 0, 0): a compare-exchange
/// that reads.
bool expectsWhatItStores(const clang::Expr &Site,
                         const clang::ASTContext &Unit);

/// ++, +=, fetch_add, an increment of a library's.
bool countsUp(const clang::Expr &Site);

/// --, -=, fetch_sub, a decrement of a library's.
bool countsDown(const clang::Expr &Site);

/// |= and &=: nothing happens when the bits are as they should be.
bool setsBits(const clang::Expr &Site);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_ATOMICOPERANDS_H
