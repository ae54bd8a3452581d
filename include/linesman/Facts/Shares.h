// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often code runs, relative to what its place in loops and branches
// suggests, where what it does says more. For weights without a profile; the
// same in compiler facts and in machine code.

#ifndef LINESMAN_FACTS_SHARES_H
#define LINESMAN_FACTS_SHARES_H

namespace linesman::facts {

/// A loop that waits for some time in each turn: rarer than all that works, and
/// often enough that a thread which polls is not lost.
inline constexpr double PacedShare = 1.0 / 1024;

/// A store behind a test that finds another value there: it is only done when
/// the value changes. Threads that change it in turn still fight for it.
inline constexpr double ChangeShare = 1.0 / 8;

/// What is only done where an allocation failed. Programs mostly end there.
inline constexpr double FailedShare = 1.0 / 1024;

/// What waits for a lock that was not there at once. Its word was asked for
/// right before, and that counts.
inline constexpr double ContendedShare = 1.0 / 1024;

/// In a loop that never ends, of which one turn counts, who asks again and
/// again whether there is work by now (`while (empty) wait`) waits once a turn.
inline constexpr double WaitsPerTurn = 1;

/// What says on the standard error output what went wrong. Of compiler facts
/// LLVM does the same: it marks such calls as cold, and takes a 16th.
inline constexpr double ErrorShare = 1.0 / 16;

} // namespace linesman::facts

#endif // LINESMAN_FACTS_SHARES_H
