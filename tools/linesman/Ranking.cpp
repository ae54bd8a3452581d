// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One way from a file to its findings.

#include "Ranking.h"
#include "Waiting.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::tool {

Threads assignRoles(const CallGraph &Calls, AccessTable &Accesses,
                    ArrayRef<NodeIndex> Entries) {
  auto Roles = layout::assignRoles(Calls, Entries);
  if (!Roles)
    return Threads::Unknown;
  Accesses.setRoles(std::move(*Roles), Calls);
  return Threads::Known;
}

bool hasFacts(const input::Binary &Binary) {
  return Binary.HasFacts || Binary.Counts.Code.IsRead;
}

Expected<input::Binary> readRanked(StringRef Path, input::FactsFrom Facts) {
  input::ReadOptions Options;
  Options.Facts = Facts;
  Waiting Shown(("reading " + Path).str());
  Expected<input::Binary> Binary = input::readBinary(Path, Options);
  if (Binary)
    assignRoles(Binary->Calls, Binary->Accesses);
  return Binary;
}

std::vector<LineFinding> rankLines(const input::Binary &Binary, LineSize Line) {
  return findHazards(Binary.Image, LineMap(Binary.Image, Line),
                     Binary.Accesses);
}

} // namespace linesman::tool
