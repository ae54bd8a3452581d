// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gate that can not see must not say that all is well.

#ifndef LINESMAN_DRIVE_LAYOUTGATE_H
#define LINESMAN_DRIVE_LAYOUTGATE_H

#include "linesman/Input/ReadBinary.h"
#include "linesman/Layout/Finding.h"

namespace linesman::drive {

enum class Judged : uint8_t { Lines, Types };

/// Empty where its units were optimised, or no compiler tells of them.
std::string whyFactsSayLittle(const input::Binary &Binary);

/// Fails, with the reason, where no finding on \p Least or above could come
/// from \p Binary, which was read from \p Path.
llvm::Error checkGate(llvm::StringRef Path, const input::Binary &Binary,
                      Judged Subject, layout::Rung Least);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_LAYOUTGATE_H
