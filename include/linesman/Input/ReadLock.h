// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a layout lock.

#ifndef LINESMAN_INPUT_READLOCK_H
#define LINESMAN_INPUT_READLOCK_H

#include "linesman/Layout/Lock.h"
#include "llvm/Support/Error.h"

namespace linesman::input {

/// Fails with the file's name, the place in it and what was expected there.
llvm::Expected<layout::Lock> readLock(llvm::StringRef Path);

} // namespace linesman::input

#endif // LINESMAN_INPUT_READLOCK_H
