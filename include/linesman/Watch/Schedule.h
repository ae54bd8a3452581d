// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ranges are watched next: the words of all lines in turn, and between
// two turns the parts of words that turned out to be shared. Both halves of a
// range are watched in one step: an access that is met at one of them and not
// at the other does not touch the other.
//
//     line 0: 8-15 40-47 | 0-7 56-63 | ...   line 1: ...
//     word 0: 0-3 4-7 | 0-1 2-3 | 4-5 6-7 | 0 1 | 2 3 | 4 5 | 6 7
//
// The order of words is another one in each turn: in a fixed one, a program
// whose period fits that of the turns would always do the same when a word is
// watched.

#ifndef LINESMAN_WATCH_SCHEDULE_H
#define LINESMAN_WATCH_SCHEDULE_H

#include "linesman/Layout/Address.h"
#include "linesman/Process/Address.h"
#include "linesman/Watch/Instrument.h"
#include <deque>
#include <map>
#include <random>

namespace linesman::watch {

/// Bytes that are watched as one line; two lines where pairs of them matter.
inline constexpr unsigned OneLine = layout::LineSize().Bytes,
                          LinePair = 2 * OneLine;

/// A line to watch.
struct Line {
  /// A multiple of Size.
  process::RunAddress Address;
  /// OneLine or LinePair.
  unsigned Size = OneLine;
};

class Schedule {
public:
  Schedule(llvm::ArrayRef<Line> Lines, uint32_t Seed);

  /// The next \p Count aims at most, of one line. Never empty.
  std::vector<Aim> next(unsigned Count);

  /// Puts the parts of \p Word of line \p LineIndex first in the queue, unless
  /// that has been done \p Tries times.
  void refine(unsigned LineIndex, ByteRange Word, unsigned Tries);

  /// From the next turn on, line \p LineIndex is watched only if \p IsWanted;
  /// where no line is, all are.
  void want(unsigned LineIndex, bool IsWanted) { Wanted[LineIndex] = IsWanted; }

  /// How often refine() has put this word in the queue.
  unsigned refinements(unsigned LineIndex, ByteRange Word) const;

  /// How often every wanted word has been watched.
  unsigned turns() const { return Turns; }

private:
  void startTurn();

  std::vector<Line> Lines;
  std::vector<bool> Wanted;
  std::minstd_rand Random;
  std::deque<Aim> Queue;
  std::map<std::pair<unsigned, uint32_t>, unsigned> Refined;
  unsigned Turns = 0;
};

} // namespace linesman::watch

#endif // LINESMAN_WATCH_SCHEDULE_H
