// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A flag that each operation sets, until somebody looks and puts it back:
//
//     work():  ...; dirty = true; ...
//     clean(): if (!dirty) return; ...; dirty = false;
//
// It is a state: most of the time it is set already. A flag that wakes its
// reader is an event, and one that its reader waits for a handshake.

#ifndef LINESMAN_TIDY_ANALYSIS_WRITES_SETAGAIN_H
#define LINESMAN_TIDY_ANALYSIS_WRITES_SETAGAIN_H

#include "Analysis/Accesses/HotAccesses.h"

namespace linesman::tidy {

/// An atomic store of a constant other than 0 to such a flag.
bool setsAgain(const Access &Use, HotAccesses &Hot,
               const clang::ASTContext &Unit);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_WRITES_SETAGAIN_H
