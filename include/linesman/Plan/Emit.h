// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan in forms that people keep in their own build.

#ifndef LINESMAN_PLAN_EMIT_H
#define LINESMAN_PLAN_EMIT_H

#include "linesman/Layout/Members.h"
#include "linesman/Plan/Plan.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace linesman::plan {

/// A linker-script overlay (-T FILE) for ld.lld and GNU ld. Objects need
/// -fdata-sections.
void emitLinkerScript(const Plan &Planned, llvm::raw_ostream &OS);

/// An ordering file for ld.lld (--symbol-ordering-file), with the assembly of
/// its fences in its comments:
///   sed -n 's/^#s //p' FILE > fences.s
void emitOrder(const Plan &Planned, llvm::raw_ostream &OS);

/// What debug information says of a symbol of a plan; null for nothing.
using FindObject =
    llvm::function_ref<const layout::ObjectTypes::Object *(const SymbolRef &)>;

/// What to write in the source: C for an object that a .c file defines, and C++
/// for all others.
void emitSource(const Plan &Planned, FindObject Find, llvm::raw_ostream &OS);

} // namespace linesman::plan

#endif // LINESMAN_PLAN_EMIT_H
