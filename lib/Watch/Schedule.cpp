// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queue of aims.

#include "linesman/Watch/Schedule.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <bit>
#include <cassert>

using namespace llvm;

namespace linesman::watch {

Schedule::Schedule(ArrayRef<Line> Lines, uint32_t Seed)
    : Lines(Lines), Wanted(Lines.size(), true), Random(Seed) {
  assert(all_of(Lines,
                [](const Line &L) {
                  return L.Size % WordSize == 0 &&
                         L.Address.Value % L.Size == 0;
                }) &&
         "a line begins at a multiple of its size");
  startTurn();
}

void Schedule::startTurn() {
  bool All = !is_contained(Wanted, true);
  std::vector<unsigned> Order;
  for (unsigned I = 0; I != Lines.size(); ++I)
    if (All || Wanted[I])
      Order.push_back(I);
  std::shuffle(Order.begin(), Order.end(), Random);
  for (unsigned I : Order) {
    std::vector<unsigned> Offsets;
    for (unsigned Offset = 0; Offset != Lines[I].Size; Offset += WordSize)
      Offsets.push_back(Offset);
    std::shuffle(Offsets.begin(), Offsets.end(), Random);
    for (unsigned Offset : Offsets)
      Queue.push_back({I, {Offset, WordSize}, Lines[I].Address + Offset});
  }
}

unsigned Schedule::refinements(unsigned LineIndex, ByteRange Word) const {
  auto Found = Refined.find({LineIndex, Word.Offset});
  return Found == Refined.end() ? 0 : Found->second;
}

std::vector<Aim> Schedule::next(unsigned Count) {
  std::vector<Aim> Result;
  while (Result.size() != Count && !Queue.empty() &&
         (Result.empty() || Result.front().Line == Queue.front().Line)) {
    Result.push_back(Queue.front());
    Queue.pop_front();
  }
  if (Queue.empty()) {
    ++Turns;
    startTurn();
  }
  assert(!Result.empty() && "no line is watched, or nothing was asked for");
  return Result;
}

void Schedule::refine(unsigned LineIndex, ByteRange Word, unsigned Tries) {
  assert(LineIndex < Lines.size() && std::has_single_bit(Word.Size) &&
         "a word is halved down to its bytes");
  if (Refined[{LineIndex, Word.Offset}]++ >= Tries)
    return;
  // Last in first out: single bytes, quarters, and in front of them the halves.
  for (unsigned Size = 1; Size != Word.Size; Size *= 2)
    for (unsigned End = Word.Size; End != 0; End -= Size) {
      unsigned Offset = Word.Offset + End - Size;
      Queue.push_front(
          {LineIndex, {Offset, Size}, Lines[LineIndex].Address + Offset});
    }
}

} // namespace linesman::watch
