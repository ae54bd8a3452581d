// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether what was not seen may count as not done: a probability.
//
// A *cell* is a thread at one word. Its evidence is the time for which that
// thread ran while that word was armed for it, one *window* a step:
//
//     steps         | word 0 1 |  3 6  |  5 2  | ...
//     thread runs     ###   ##   ####     -  #          -: waits
//     windows       w1 = 5       w2 = 4   w3 = 1        in ms of run time
//
// Assume that the thread touches the word at least once in every G of its time.
// A window of length w, at a random phase, sees one of these accesses with a
// probability of at least min(w / G, 1), so all windows miss them with at most
//
//     p(G) = prod (1 - min(w / G, 1)) <= exp(-sum min(w / G, 1))
//
// The bound holds for periodic and for irregular accesses. Each window counts 1
// at most, so that no single phase of a program decides: p < 0.001 takes 7.
// Steps have random lengths and their words a random order, so that a program
// with a period does not escape by it. Windows count *run* time: a thread that
// waited for a processor, slept, or was stopped has shown nothing.
//
// A thread that sleeps for most of its time is rarely met, and touches rarely
// as well. So G is in a thread's *own time*, which is what it runs and what it
// sleeps, without its waiting for a processor: its windows are stretched by own
// time / run time.

#ifndef LINESMAN_WATCH_EVIDENCE_H
#define LINESMAN_WATCH_EVIDENCE_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Ids.h"
#include "linesman/Process/State.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace linesman::watch {

/// What an absence is of. Stores are a part of all accesses.
enum class Absence : uint8_t { Stores, Accesses };

/// An 8-byte word of line number Line of the session.
struct LineWord {
  unsigned Line = 0;
  unsigned Word = 0;
  friend auto operator<=>(const LineWord &, const LineWord &) = default;
};

/// What one thread's windows say.
struct ThreadEvidence {
  process::ThreadId Thread;
  enum class Part : uint8_t {
    /// It ran, and counts by its windows.
    Watched,
    /// It did not run at all.
    Slept,
    /// It ran so little that it can do no harm: LightSlices, LightShare.
    HardlyRan
  } Part = Part::Watched;
  /// Nanoseconds for which it ran while the process was watched.
  uint64_t Ran = 0;
  /// Of the word that was watched least: nanoseconds of run time while it was
  /// armed, how many windows they are in, and p(StatedGap).
  uint64_t Armed = 0;
  unsigned Windows = 0;
  double Missed = 1;
};

/// The answer for one line.
struct Certainty {
  /// Of what the absence is claimed.
  Absence Claimed = Absence::Accesses;
  /// The largest p(StatedGap) of all threads and words.
  double Missed = 1;
  /// The largest of Gaps, in nanoseconds, with p < Significance for all threads
  /// and words; 0 when there is none.
  uint64_t RarestGap = 0;
  /// The thread with the largest p, unless nobody had to be watched.
  std::optional<process::ThreadId> Weakest;
  std::vector<ThreadEvidence> Threads;
  /// Nanoseconds for which threads ran that nobody met: they began and ended
  /// between two looks.
  uint64_t Unmet = 0;
  /// Unmet is more than clocks can be wrong.
  bool HasStrangers = false;

  /// What was not seen is not done, as far as StatedGap goes.
  bool suffices() const;
};

class Evidence {
public:
  /// Below this probability what was not seen counts as not done.
  static constexpr double Significance = 0.001;
  /// The rarest access that a refutation must have excluded, in nanoseconds of
  /// a thread's own time: 100 a second, which cost no more than 10 µs or so.
  static constexpr uint64_t StatedGap = 10'000'000;
  /// What the kind of a shared line stands on is about busy threads, which were
  /// seen on it already: less is at stake, and they show more.
  static constexpr double KindSignificance = 0.01;
  static constexpr uint64_t KindGap = 1'000'000;
  /// A thread that is given a processor at most so often a second, and uses at
  /// most this share of its time, takes a line from others no longer than that,
  /// whatever it does: a timer that ticks every second.
  static constexpr double LightSlices = 2;
  static constexpr double LightShare = 1e-4;

  /// The session looks at \p Thread; the first look meets it. \p Time is
  /// CLOCK_MONOTONIC. A clock of zeros is not known; after one that was known,
  /// the thread has ended.
  void look(process::ThreadId Thread, process::ThreadClock Now, uint64_t Time);
  bool knows(process::ThreadId Thread) const { return Threads.count(Thread); }

  /// The run time of the whole process, of threads that have ended as well, in
  /// nanoseconds; 0 when it is not known. Before the looks of the same moment.
  void lookAtProcess(uint64_t RunTime);

  /// \p Thread ran for \p Ran nanoseconds while \p Word was armed for it, and
  /// nothing of this kind was seen.
  void addWindow(process::ThreadId Thread, LineWord Word, Absence Kind,
                 uint64_t Ran);

  /// Which cells a claim is about.
  struct Question {
    unsigned Line = 0;
    /// Words of the line.
    unsigned Words = 8;
    Absence Claimed = Absence::Accesses;
    /// Cells that need no evidence, because something was seen there.
    llvm::function_ref<bool(process::ThreadId, unsigned Word)> IsSeen;
    /// Of the accesses whose absence is claimed.
    uint64_t Gap = StatedGap;
  };

  /// All threads that were met. \p IsReady says whether a thread that did not
  /// run is waiting for a processor.
  Certainty answer(const Question &Asked,
                   llvm::function_ref<bool(process::ThreadId)> IsReady) const;

  /// The same for a group of threads that stand for each other, because they
  /// were seen to execute the same instructions: their windows add up. Returns
  /// the largest p(Gap).
  double missedByGroup(const Question &Asked,
                       llvm::ArrayRef<process::ThreadId> Group) const;

private:
  struct Windows {
    /// In nanoseconds; more than MostWindows would change nothing.
    std::vector<uint32_t> Lengths;
    uint64_t Sum = 0;
  };
  struct Watched {
    process::ThreadClock Met, Last;
    uint64_t MetAt = 0, LastAt = 0;
    bool WasThereAtStart = false;
    bool IsClockKnown = false;
    bool HasEnded = false;

    uint64_t ran() const { return Last.Ran - Met.Ran; }
    /// Own time / run time.
    double stretch() const;
    bool isLight() const;
  };
  using Cell = std::tuple<process::ThreadId, Absence, LineWord>;

  const Windows *windowsOf(process::ThreadId Thread, Absence Kind,
                           LineWord Word) const;

  std::map<process::ThreadId, Watched> Threads;
  std::map<Cell, Windows> Cells;
  uint64_t FirstRunTime = 0, LastRunTime = 0;
};

} // namespace linesman::watch

#endif // LINESMAN_WATCH_EVIDENCE_H
