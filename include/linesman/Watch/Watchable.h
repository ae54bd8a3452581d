// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cannot be watched, and why.

#ifndef LINESMAN_WATCH_WATCHABLE_H
#define LINESMAN_WATCH_WATCHABLE_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Ids.h"
#include "llvm/Support/Error.h"

namespace linesman::watch {

/// Fails with a message that says what is wrong when \p Process cannot be
/// watched: there is none, it has exited, it is stopped, or another user owns
/// it and this one may not look into it.
llvm::Error checkWatchable(process::ProcessId Process);

/// Fails with a message that says why when the \p Size bytes at \p Address
/// cannot be watched in \p Process: not mapped, not accessible, or the
/// kernel's.
llvm::Error checkAddress(process::ProcessId Process,
                         process::RunAddress Address, uint64_t Size);

} // namespace linesman::watch

#endif // LINESMAN_WATCH_WATCHABLE_H
