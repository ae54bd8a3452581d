// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that runs while a flag is zero, and sets it:
//
//     if (!table)              cmp  qword [table], 0
//       table = build();       jne  .done
//                              ...                      only while table is 0
//                              mov  [table], rax
//
// And calls that wait until another thread sets a flag:
//
//     while (!started)
//       pthread_cond_wait(...);

#ifndef LINESMAN_LIB_INPUT_ONCECODE_H
#define LINESMAN_LIB_INPUT_ONCECODE_H

#include "RegisterFlow.h"

namespace linesman::input {

/// Fills in FoundAccess::OnceFlag and FoundCall::OnceFlag.
void markOnceCode(const ControlFlow &Flow, llvm::ArrayRef<Step> Steps,
                  FoundFacts &Found);

/// From a block to a successor.
using Edge = std::pair<uint32_t, uint32_t>;

/// Blocks that are reached from the function's roots, without some edges.
std::vector<bool> reachWithout(const ControlFlow &Flow,
                               llvm::ArrayRef<Edge> Cut);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_ONCECODE_H
