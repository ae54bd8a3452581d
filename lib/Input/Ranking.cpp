// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One way from a file to its findings.

#include "linesman/Input/Ranking.h"
#include "ElfSections.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::input {

Threads assignRoles(const Binary &File, AccessTable &Accesses,
                    ArrayRef<NodeIndex> Entries) {
  auto Roles = layout::assignRoles(File.Calls, Entries);
  // The names of functions have been read.
  if (File.Files.Symbols)
    giveBack(*File.Files.Symbols);
  if (!Roles)
    return Threads::Unknown;
  Accesses.setRoles(std::move(*Roles), File.Calls);
  return Threads::Known;
}

bool hasFacts(const Binary &File) {
  return File.HasFacts || File.Counts.Code.IsRead;
}

static Expected<Binary> rank(Expected<Binary> Result) {
  if (Result)
    assignRoles(*Result, Result->Accesses);
  return Result;
}

Expected<Binary> readRanked(StringRef Path, FactsFrom Facts) {
  ReadOptions Options;
  Options.Facts = Facts;
  return rank(readBinary(Path, Options));
}

Expected<Binary> readRanked(std::unique_ptr<MemoryBuffer> File) {
  ReadOptions Options;
  Options.Facts = FactsFrom::Auto;
  return rank(readBinary(std::move(File), Options));
}

std::vector<LineFinding> rankLines(const Binary &File, LineSize Line,
                                   Guesses Kept) {
  return findHazards(File.Image, LineMap(File.Image, Line), File.Accesses,
                     Kept);
}

} // namespace linesman::input
