// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What facts say against a suspicion: a check sees that code writes an object,
// and optimised code knows whether it runs, how often, and on whose threads.

#ifndef LINESMAN_LAYOUT_CONTRADICT_H
#define LINESMAN_LAYOUT_CONTRADICT_H

#include "linesman/Layout/Accesses.h"

namespace linesman::layout {

/// Why threads do not fight over \p Object, as far as facts know all that is
/// done to it; empty where they may. Said only of objects that facts know
/// writes of: what they do not know, they do not contradict.
llvm::StringRef contradictSuspicion(const AccessTable &Table,
                                    const AccessedObject &Object);

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_CONTRADICT_H
