// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that end with a look at what their last call came to. As in the pass's
// FailedCalls.h, in machine code.
//
//     if (pthread_mutex_lock(&m))      call pthread_mutex_lock
//       return -1;                     test eax, eax
//                                      jne  .failed

#ifndef LINESMAN_LIB_INPUT_CALLOUTCOMES_H
#define LINESMAN_LIB_INPUT_CALLOUTCOMES_H

#include "ControlFlow.h"

namespace linesman::input {

/// Whether the branch at the end of \p Steps, those of a block, is taken where
/// a library call in the block failed, or where it did not; no value where it
/// asks for something else.
std::optional<bool> isTakenIfFailed(llvm::ArrayRef<Step> Steps,
                                    const CodeMap &Map);

/// The same of a call that a signal interrupted: it gave EINTR, or left it in
/// errno.
std::optional<bool> isTakenIfInterrupted(llvm::ArrayRef<Step> Steps,
                                         const CodeMap &Map);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_CALLOUTCOMES_H
