// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stems, and finding an object again.

#include "linesman/Layout/Identity.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <tuple>

using namespace llvm;

namespace linesman::layout {

/// Drops one ".word" or ".word.number" that a compiler appended.
static StringRef dropSuffix(StringRef Name) {
  auto [Rest, Last] = Name.rsplit('.');
  bool IsNumber = !Last.empty() && all_of(Last, isDigit);
  if (!IsNumber || Rest.empty() || Rest.size() == Name.size())
    return Name;
  for (StringRef Word : {".llvm", ".lto_priv", ".constprop", ".part"})
    if (Rest.ends_with(Word) && Rest.size() > Word.size())
      return Rest.drop_back(Word.size());
  return Rest;
}

StringRef stemOf(StringRef Name) {
  for (StringRef Shorter = dropSuffix(Name); Shorter.size() != Name.size();
       Shorter = dropSuffix(Name))
    Name = Shorter;
  return Name;
}

StringRef dropUnitHash(StringRef Name) {
  size_t Mark = Name.rfind(".llvm.");
  if (Mark == StringRef::npos || Mark == 0)
    return Name;
  StringRef Hash = Name.drop_front(Mark + StringRef(".llvm.").size());
  return !Hash.empty() && all_of(Hash, isDigit) ? Name.take_front(Mark) : Name;
}

bool isLinkersUnit(StringRef File) {
  return File == "ld-temp.o" || File == "<artificial>";
}

StringRef Identities::fileOf(uint32_t Symbol) const {
  const layout::Symbol &S = Program.symbols()[Symbol];
  if (S.Binding != SymbolBinding::Local ||
      isLinkersUnit(Program.files()[S.File]))
    return "";
  return Program.files()[S.File];
}

Identities::Identities(const Image &Program) : Program(Program) {
  // Stems are compared as they are needed: storing a million of them costs more
  // than the few comparisons per symbol that sorting makes.
  Sorted.resize(Program.symbols().size());
  for (auto [Index, Place] : enumerate(Sorted))
    Place = Index;
  std::vector<StringRef> Stems;
  Stems.reserve(Sorted.size());
  for (const Symbol &S : Program.symbols())
    Stems.push_back(stemOf(S.name()));
  llvm::sort(Sorted, [&](uint32_t A, uint32_t B) {
    if (int Order = Stems[A].compare(Stems[B]))
      return Order < 0;
    if (int Order = fileOf(A).compare(fileOf(B)))
      return Order < 0;
    return A < B; // symbols are in address order
  });
}

ArrayRef<uint32_t> Identities::withStem(StringRef Stem) const {
  auto StemLess = [&](uint32_t Symbol, StringRef Wanted) {
    return stemOf(Program.symbols()[Symbol].name()) < Wanted;
  };
  auto Begin = llvm::lower_bound(Sorted, Stem, StemLess);
  auto End = std::find_if(Begin, Sorted.end(), [&](uint32_t Symbol) {
    return stemOf(Program.symbols()[Symbol].name()) != Stem;
  });
  return ArrayRef(Sorted).slice(Begin - Sorted.begin(), End - Begin);
}

Identity Identities::of(uint32_t Symbol) const {
  const layout::Symbol &S = Program.symbols()[Symbol];
  Identity Result{S.name().str(), fileOf(Symbol).str(), 0};
  for (uint32_t Other : withStem(stemOf(S.name()))) {
    if (Other == Symbol)
      break;
    Result.Ordinal += fileOf(Other) == fileOf(Symbol);
  }
  return Result;
}

std::optional<uint32_t> Identities::find(const Identity &Wanted) const {
  ArrayRef<uint32_t> Like = withStem(stemOf(Wanted.Symbol));
  SmallVector<uint32_t> Exact, SameFile;
  for (uint32_t Symbol : Like) {
    if (fileOf(Symbol) != Wanted.File)
      continue;
    SameFile.push_back(Symbol);
    if (Program.symbols()[Symbol].name() == Wanted.Symbol)
      Exact.push_back(Symbol);
  }
  if (Exact.size() == 1)
    return Exact.front();
  if (Wanted.Ordinal < SameFile.size())
    return SameFile[Wanted.Ordinal];
  // LTO merges files, and a symbol may have changed its binding.
  if (Like.size() == 1)
    return Like.front();
  return std::nullopt;
}

Identity Identities::translate(const Identity &Other) const {
  Identity Wanted = Other;
  if (isLinkersUnit(Wanted.File))
    Wanted.File.clear();
  SmallVector<uint32_t> Possible;
  for (uint32_t Symbol : withStem(stemOf(Wanted.Symbol))) {
    if (fileOf(Symbol) == Wanted.File)
      return Wanted;
    if (fileOf(Symbol).empty() || Wanted.File.empty())
      Possible.push_back(Symbol);
  }
  return Possible.size() == 1 ? of(Possible.front()) : Wanted;
}

} // namespace linesman::layout
