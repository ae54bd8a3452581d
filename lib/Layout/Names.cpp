// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of objects.

#include "linesman/Layout/Names.h"
#include "linesman/Guard/Text.h"
#include "linesman/Layout/Identity.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace linesman::layout {

bool isWalkable(StringRef Section) {
  return !Section.empty() && !isDigit(Section.front()) &&
         all_of(Section, [](char C) { return isAlnum(C) || C == '_'; });
}

bool ObjectNames::hasFile(const Symbol &S) const {
  return S.Binding == SymbolBinding::Local && S.File &&
         !isLinkersUnit(Program.files()[S.File]);
}

ObjectNames::BearerCount ObjectNames::countBearers(StringRef Name) {
  if (!Bearers) {
    Bearers.emplace();
    for (const Symbol &Any : Program.symbols()) {
      BearerCount &Count = (*Bearers)[dropUnitHash(Any.name())];
      ++Count.All;
      Count.WithoutFile += !hasFile(Any);
    }
  }
  return Bearers->lookup(Name);
}

bool ObjectNames::isAmbiguous(const Symbol &S) {
  // Of namesakes at most one is global; it keeps its plain name.
  if (S.Binding != SymbolBinding::Local || !S.File)
    return false;
  BearerCount Count = countBearers(S.name());
  // The linker's unit is called so only where nothing else tells them apart.
  return hasFile(S) ? Count.All > 1 : Count.WithoutFile > 1;
}

SmallVector<FileAndName, 1> splitFile(StringRef Text) {
  SmallVector<FileAndName, 1> Result;
  for (size_t I = 1; I + 1 < Text.size(); ++I)
    if (Text[I] == ':' && Text[I - 1] != ':' && Text[I + 1] != ':')
      Result.push_back({Text.take_front(I), Text.drop_front(I + 1)});
  return Result;
}

std::string ObjectNames::id(uint32_t Symbol) {
  const layout::Symbol &S = Program.symbols()[Symbol];
  // Two units' locals that ThinLTO made global keep their hashes.
  StringRef Plain = dropUnitHash(S.name());
  if (Plain != S.name() && countBearers(Plain).All == 1)
    return guard::demangle(Plain);
  std::string Name = guard::demangle(S.name());
  return isAmbiguous(S) ? (Twine(Program.files()[S.File]) + ":" + Name).str()
                        : Name;
}

} // namespace linesman::layout
