// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the remedy. Layout cures what layout caused: different objects on one
// line are moved apart, fields of one object need the source. Where the same
// bytes are shared no layout helps, and the text says so.
//
//   mostly between objects   a constant       guard
//                            one written      isolate it
//                            several written  group them, apart from the others
//   mostly within an object                   alignas in the source
//   an element, not known which               alignas in the source, for one
//                                             that each thread has
//   the same bytes           plain stores     guard (test, or drop the store)
//                            atomic, counted  one copy per thread; of a lock
//                                             and what it protects, parts

#include "Remedy.h"
#include "Score.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace linesman::layout {

SharingKind kindOf(const Score &Points) {
  double Least = MinorShare * Points.total();
  if (Points.falseSharing() <= Least)
    return SharingKind::True;
  return Points.True <= Least ? SharingKind::False : SharingKind::Mixed;
}

namespace {

const LineOccupant &headOf(const LineFinding &Finding) {
  for (const LineOccupant &Place : Finding.Occupants)
    if (Place.Object && Place.Object->Symbol == Finding.Head)
      return Place;
  llvm_unreachable("a finding's head is on its line");
}

/// Writes of the head that can meet others, and are to it rather than to
/// something else, where there are such.
auto writesOf(const AccessTable &Table, const LineOccupant &Head) {
  auto Meets = [&Table](const ObjectAccess &A) {
    return A.writes() && Table.isConcurrent(A);
  };
  bool HasLikely = any_of(Head.Object->Accesses, [&](const ObjectAccess &A) {
    return Meets(A) && !Table.isPerhaps(A);
  });
  return make_filter_range(
      Head.Object->Accesses, [&Table, Meets, HasLikely](const ObjectAccess &A) {
        return Meets(A) && !(HasLikely && Table.isPerhaps(A));
      });
}

/// Whether at least half of what is written is written by accesses that \p Is
/// is true of.
bool areMostly(const AccessTable &Table, const LineOccupant &Head,
               function_ref<bool(const ObjectAccess &)> Is) {
  double All = 0, Such = 0;
  for (const ObjectAccess &A : writesOf(Table, Head)) {
    double Weight = Table.concurrentWeight(A);
    All += Weight;
    Such += Is(A) ? Weight : 0;
  }
  return All > 0 && 2 * Such >= All;
}

/// Whether a store is of what the read gave: the same line of source has both,
/// or, where no lines are known, a few instructions have.
bool isOfValue(const AccessTable &Table, const ObjectAccess &Write,
               const ObjectAccess &Read) {
  // load, add, store
  constexpr uint64_t MostBytes = 16;
  if (Read.line() != Write.line() || Table.fileOf(Read) != Table.fileOf(Write))
    return false;
  return Write.line() != 0 ||
         Write.instruction() - Read.instruction() <= MostBytes;
}

/// A store of what was computed from the old value can not be guarded away:
/// counters and locks want a copy for each thread.
bool isCounted(const AccessTable &Table, const LineOccupant &Head) {
  if (Head.Atomics > 0)
    return true;
  // A plain counter.
  return areMostly(Table, Head, [&](const ObjectAccess &Write) {
    return any_of(Head.Object->Accesses, [&](const ObjectAccess &Read) {
      // Of an element that is not known, the same one.
      return !Read.writes() && Read.Function == Write.Function &&
             Read.offset() == Write.offset() &&
             Table.detailOf(Read).Stride == Table.detailOf(Write).Stride &&
             Read.first() == Write.first() && Read.Size == Write.Size &&
             isOfValue(Table, Write, Read);
    });
  });
}

} // namespace

/// Of the head's concurrent writes, those that may be to the bytes.
static double writtenTo(const AccessTable &Table, const LineOccupant &Head,
                        uint64_t Begin, uint64_t Size) {
  double Sum = 0;
  for (const ObjectAccess &A : Head.Object->Accesses)
    if (A.writes() && Table.isConcurrent(A) &&
        (!A.offset() || (*A.offset() < Begin + Size &&
                         Begin < *A.offset() + std::max<uint64_t>(A.Size, 1))))
      Sum += Table.concurrentWeight(A);
  return Sum;
}

/// Says so if nearly all concurrent stores to the head write a constant that is
/// there already; empty otherwise. What else is stored to the same bytes can
/// make at most one of them change something each time.
static std::string describeVainStores(const AccessTable &Table,
                                      const LineOccupant &Head) {
  constexpr double LeastVain = 0.8;
  // By the bytes, and what is stored there.
  std::map<std::pair<uint64_t, uint64_t>, std::map<uint64_t, double>> Stores;
  double All = 0;
  bool AreConstant = true;
  for (const ObjectAccess &A : Head.Object->Accesses) {
    if (!A.writes() || !Table.isConcurrent(A))
      continue;
    All += Table.concurrentWeight(A);
    if (A.StoresConstant && A.offset())
      Stores[{*A.offset(), A.Size}][Table.detailOf(A).Stored] +=
          Table.concurrentWeight(A);
    AreConstant = AreConstant && writesOneConstant(Table, *Head.Object, A);
  }
  if (All <= 0)
    return "";
  double Vain = 0;
  std::set<uint64_t> Constants;
  for (const auto &[Bytes, OfConstant] : Stores) {
    const auto Most = max_element(OfConstant, [](const auto &A, const auto &B) {
      return A.second < B.second;
    });
    const double Others =
        writtenTo(Table, Head, Bytes.first, Bytes.second) - Most->second;
    Vain += std::max(0.0, Most->second - Others);
    Constants.insert(Most->first);
  }
  if (!AreConstant && !(Vain > LeastVain * All))
    return "";
  std::string Stored =
      Constants.size() == 1
          ? "the same constant, 0x" + utohexstr(*Constants.begin(), true)
          : "each field's same constant";
  return AreConstant
             ? "every store writes " + Stored +
                   ": all but the first change nothing and still take the line."
             : "nearly every store writes " + Stored +
                   ": most change nothing and still take the line.";
}

static constexpr StringLiteral Guarding = " Test before the store, or drop it.";

static Remedy forKnownBytes(const AccessTable &Table,
                            const LineOccupant &Head) {
  if (std::string Vain = describeVainStores(Table, Head); !Vain.empty())
    return {RemedyKind::Guard, (Vain + Guarding).str(), {}};
  if (Head.Atomics > 0 && Table.holdsLock(Head.Range))
    return {RemedyKind::PerThread,
            (PaddingIsVain +
             "it is a lock: each thread that takes it takes its line. Take it "
             "less often, or give parts of what it protects a lock each.")
                .str(),
            {}};
  // A semaphore's bytes; a condition has more (facts::typeSize). No instruction
  // changes so many, and no call that takes a lock.
  constexpr uint64_t LeastOfWaiting = 32;
  if (areMostly(Table, Head, [](const ObjectAccess &A) {
        return A.Kind == facts::AccessKind::Atomic && A.Size >= LeastOfWaiting;
      }))
    return {RemedyKind::PerThread,
            (PaddingIsVain +
             "it is what threads wait at or wake each other by: each call "
             "takes its line. Wake only those who wait, and less often.")
                .str(),
            {}};
  if (areMostly(Table, Head, [&](const ObjectAccess &A) {
        return A.Kind == facts::AccessKind::Write &&
               (Table.detailOf(A).Guard || Table.lockOf(A));
      }))
    return {RemedyKind::PerThread,
            (PaddingIsVain +
             "it is written while a lock is held, and goes with the lock from "
             "thread to thread. Take the lock less often, or give parts of "
             "what it protects a lock each.")
                .str(),
            {}};
  if (isCounted(Table, Head))
    return {RemedyKind::PerThread,
            (PaddingIsVain +
             "every writer changes the same bytes. Give each thread its own "
             "copy and add them up when they are read, or take it less often.")
                .str(),
            {}};
  return {RemedyKind::Guard,
          (PaddingIsVain +
           "every writer stores to the same bytes. Do not write: test before "
           "the store (is it this object? has the value been stored?), keep "
           "the value per thread, or drop the store if nobody reads it.")
              .str(),
          {}};
}

Remedy forSameBytes(const AccessTable &Table, const LineOccupant &Head,
                    LineSize Line) {
  if (areMostly(Table, Head, [](const ObjectAccess &A) {
        return !A.offset() && A.IsByThread;
      }))
    return {RemedyKind::PerThread,
            "each thread writes an element of its own, and others read it. "
            "Keep what is written often in a local variable of the thread, "
            "and store it now and then.",
            {}};
  Remedy Source = forKnownBytes(Table, Head);
  if (!areMostly(Table, Head,
                 [](const ObjectAccess &A) { return !A.offset(); }))
    return Source;
  if (areMostly(Table, Head, [&](const ObjectAccess &A) {
        const uint64_t Stride = Table.detailOf(A).Stride;
        return Stride && Stride % Line.Bytes == 0;
      })) {
    Source.Text = "elements are whole lines apart, so that threads meet only "
                  "where they use the same one: " +
                  Source.Text;
    return Source;
  }
  return {RemedyKind::AlignAs,
          "which element a thread uses is not known. Where each has its own, "
          "align them to lines of their own (alignas); where threads use the "
          "same one, " +
              Source.Text,
          {}};
}

std::string sameBytesToo(const AccessTable &Table, const LineOccupant &Head,
                         LineSize Line) {
  Remedy Source = forSameBytes(Table, Head, Line);
  if (Source.Kind == RemedyKind::AlignAs)
    return " Within the object, " + Source.Text;
  StringRef Reason = Source.Text;
  Reason.consume_front(PaddingIsVain);
  return (" Threads also meet on the same bytes, which no layout cures. " +
          Twine(toUpper(Reason.front())) + Reason.drop_front())
      .str();
}

namespace {

Remedy forNeighbours(const AccessTable &Table, const LineFinding &Finding,
                     const LineOccupant &Head, LineSize Line) {
  Remedy Result;
  for (const LineOccupant &Place : Finding.Occupants)
    if (Place.Object && Place.Writes + Place.Atomics > 0)
      Result.Symbols.push_back(Place.Object->Symbol);
  bool OthersOnlyRead = any_of(Finding.Occupants, [](const LineOccupant &P) {
    return P.Reads > 0 && P.Writes + P.Atomics == 0;
  });
  if (Result.Symbols.size() > 1 && OthersOnlyRead) {
    Result.Kind = RemedyKind::Group;
    Result.Text = "move the written objects of this line together, apart from "
                  "those that are only read.";
  } else {
    Result.Kind = RemedyKind::Isolate;
    Result.Symbols = {Finding.Head};
    Result.Text = "give it lines of its own, with linesman relink --isolate or "
                  "alignas in the source.";
  }
  // That is free.
  if (std::string Vain = describeVainStores(Table, Head); !Vain.empty()) {
    Result.Kind = RemedyKind::Guard;
    Result.Text = (Vain + Guarding + " Otherwise, " + Result.Text).str();
  } else if (Finding.Kind == SharingKind::Mixed) {
    Result.Text += sameBytesToo(Table, Head, Line);
  }
  return Result;
}

} // namespace

Remedy chooseRemedy(const AccessTable &Table, const LineFinding &Finding,
                    LineSize Line) {
  const LineOccupant &Head = headOf(Finding);
  double Least = MinorShare * Finding.Points.total();
  if (Finding.Points.Between > Least)
    return forNeighbours(Table, Finding, Head, Line);
  if (Finding.Points.Within > Finding.Points.True)
    return {RemedyKind::AlignAs,
            "different parts of one object share the line. Align them to lines "
            "of their own in the source (alignas), or order its fields by who "
            "writes them.",
            {}};
  Remedy Source = forSameBytes(Table, Head, Line);
  if (Finding.Kind == SharingKind::Mixed && Source.Kind != RemedyKind::AlignAs)
    Source.Text = "for those who use other parts of the object, give what is "
                  "written a line of its own in the source (alignas)." +
                  sameBytesToo(Table, Head, Line);
  return Source;
}

} // namespace linesman::layout
