// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small functions of the binary that do nothing but sleep:
//
//     void thread_sleep(unsigned long microseconds) {
//       usleep(microseconds);
//     }
//
// A loop that calls one in each turn is as slow as one that calls usleep.

#ifndef LINESMAN_LIB_INPUT_SLEEPERS_H
#define LINESMAN_LIB_INPUT_SLEEPERS_H

#include "CodeMap.h"
#include "MachineStep.h"

namespace linesman::input {

/// The addresses where they begin.
llvm::DenseSet<uint64_t> findSleepers(const CodeFunctions &Functions,
                                      const Architecture &Arch,
                                      const CodeMap &Map);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_SLEEPERS_H
