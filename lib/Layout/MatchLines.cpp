// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By identity, and what is left by the company that its head is in.

#include "linesman/Layout/MatchLines.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace linesman::layout {

std::string keyOf(const Identity &Is) {
  // No name has a zero byte.
  return (stemOf(Is.Symbol) + Twine('\0') + Is.File + Twine('\0') +
          Twine(Is.Ordinal))
      .str();
}

namespace {

struct Candidate {
  size_t Old, New, Common;
};

size_t countCommon(const LineParty &A, const LineParty &B) {
  return count_if(A.Objects, [&](const std::string &Name) {
    return B.Objects.count(Name);
  });
}

/// Pairs of which one head is on the other's line.
std::vector<Candidate> findCandidates(ArrayRef<LineParty> Old,
                                      ArrayRef<LineParty> New,
                                      const BitVector &IsTaken,
                                      ArrayRef<std::optional<size_t>> Known) {
  // From a name to the parties whose lines have it: sides have a hundred
  // thousand lines, and few of them changed.
  StringMap<SmallVector<size_t, 1>> HeadedBy, Present;
  for (auto [I, Party] : enumerate(Old)) {
    if (IsTaken[I])
      continue;
    HeadedBy[Party.Head].push_back(I);
    Present[Party.Head].push_back(I);
    for (const std::string &Name : Party.Objects)
      if (Name != Party.Head)
        Present[Name].push_back(I);
  }
  std::vector<Candidate> Result;
  for (auto [N, Party] : enumerate(New)) {
    if (Known[N])
      continue;
    std::set<size_t> Possible;
    auto Add = [&](const StringMap<SmallVector<size_t, 1>> &Index,
                   StringRef Name) {
      if (auto It = Index.find(Name); !Name.empty() && It != Index.end())
        Possible.insert(It->second.begin(), It->second.end());
    };
    Add(Present, Party.Head);
    for (const std::string &Name : Party.Objects)
      Add(HeadedBy, Name);
    for (size_t O : Possible)
      Result.push_back({O, N, countCommon(Old[O], Party)});
  }
  stable_sort(Result, [](const Candidate &A, const Candidate &B) {
    return A.Common > B.Common;
  });
  return Result;
}

} // namespace

std::vector<std::optional<size_t>> matchLines(ArrayRef<LineParty> Old,
                                              ArrayRef<LineParty> New) {
  StringMap<size_t> ByKey;
  for (auto [I, Party] : enumerate(Old))
    ByKey[Party.Key] = I;
  std::vector<std::optional<size_t>> Result(New.size());
  BitVector IsTaken(Old.size());
  for (auto [N, Party] : enumerate(New))
    if (auto It = ByKey.find(Party.Key); It != ByKey.end()) {
      Result[N] = It->second;
      IsTaken[It->second] = true;
    }
  for (const Candidate &Pair : findCandidates(Old, New, IsTaken, Result))
    if (!Result[Pair.New] && !IsTaken[Pair.Old]) {
      Result[Pair.New] = Pair.Old;
      IsTaken[Pair.Old] = true;
    }
  return Result;
}

} // namespace linesman::layout
