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

/// Why hardly any function of \p Binary was read, so that nobody can tell who
/// touches what; empty where most were.
std::string whyUnread(const input::Binary &Binary);

/// How the reason goes on where a gate can not see.
constexpr char NothingToJudge[] = ", so --fail-on has nothing to judge";

/// Why no gate can judge what is found in \p Binary, and the way out: what a
/// report carries to the commands that read it. Empty where one can.
std::string whyBlind(const input::Binary &Binary, Judged Subject);

/// That a finding of \p Binary can stand on.
layout::Rung highestRung(const input::Binary &Binary, Judged Subject);

/// Fails, with the reason, where no finding on \p Least or above could come
/// from \p Binary, which was read from \p Path.
llvm::Error checkGate(llvm::StringRef Path, const input::Binary &Binary,
                      Judged Subject, layout::Rung Least);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_LAYOUTGATE_H
