// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tail:
//
//     .data |  ..._isolated_data, ..._group1 | tail | .bss
//           ^ end                                   ^ as far from a line's
//     without the new sections .bss would begin       begin as here
//     here, rounded up to its alignment
//
// All sizes are whole lines but for the tail's. The same behind .bss, where
// something follows it, as in static executables with GNU's libc.

#include "LinkedSections.h"
#include "InputObject.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::object;

namespace linesman::relink {

namespace {

struct LinkedSection {
  StringRef Name;
  uint64_t Address, Offset, Size, Alignment;
  bool IsInFile, IsThreadLocal;
  uint64_t end() const { return Address + Size; }
  uint64_t endInFile() const { return Offset + (IsInFile ? Size : 0); }
};

/// Those that take room in memory, by address. Empty ones are among them: what
/// follows is aligned to them too.
Expected<std::vector<LinkedSection>> readSections(StringRef Linked) {
  Expected<ELFFile<Elf>> File = ELFFile<Elf>::create(Linked);
  if (!File)
    return File.takeError();
  auto Headers = File->sections();
  if (!Headers)
    return Headers.takeError();
  std::vector<LinkedSection> Sections;
  for (const Elf::Shdr &S : *Headers) {
    bool IsTbss = (S.sh_flags & ELF::SHF_TLS) && S.sh_type == ELF::SHT_NOBITS;
    if (!(S.sh_flags & ELF::SHF_ALLOC) || IsTbss)
      continue;
    Expected<StringRef> Name = File->getSectionName(S);
    if (!Name)
      return Name.takeError();
    Sections.push_back({*Name, S.sh_addr, S.sh_offset, S.sh_size,
                        std::max<uint64_t>(S.sh_addralign, 1),
                        S.sh_type != ELF::SHT_NOBITS,
                        (S.sh_flags & ELF::SHF_TLS) != 0});
  }
  llvm::stable_sort(Sections,
                    [](const LinkedSection &A, const LinkedSection &B) {
                      return A.Address < B.Address;
                    });
  return Sections;
}

/// Those of threads grow their block instead (findMoved).
bool isNew(const LinkedSection &S) {
  return S.Name.starts_with(NewSections) && !S.IsThreadLocal;
}

bool isTail(const LinkedSection &S) {
  return S.Name == DataTail || S.Name == BssTail;
}

bool isEmpty(const LinkedSection &S) { return S.Size == 0; }

} // namespace

Expected<Followers> readFollowers(StringRef Linked, uint64_t Line) {
  auto Sections = readSections(Linked);
  if (!Sections)
    return Sections.takeError();
  Followers Result;
  // Where sections end, and where they would without new ones: the length of
  // .bss's tail depends on where the one of .data puts it.
  uint64_t End = Sections->empty() ? 0 : Sections->front().Address;
  uint64_t Without = End, EndInFile = 0;
  bool IsBehindNew = false;
  // The last but for tails of new sections that have no other behind them yet.
  const LinkedSection *Last = nullptr;
  for (const LinkedSection &S : *Sections) {
    bool Follows = S.Address == alignTo(End, S.Alignment);
    uint64_t BeginInFile = EndInFile;
    End = S.end();
    EndInFile = S.endInFile();
    if (isNew(S)) {
      // The first of a segment: there addresses are as offsets in the file.
      if (!Follows && !IsBehindNew && S.IsInFile)
        Without = BeginInFile;
      IsBehindNew = true;
      if (!isTail(S))
        Last = &S;
      continue;
    }
    // What begins elsewhere, as on another page, depends on nothing before it.
    uint64_t Place =
        Follows || IsBehindNew ? alignTo(Without, S.Alignment) : S.Address;
    Without = Place + S.Size;
    if (isEmpty(S))
      continue;
    if (Last) {
      uint64_t &Needed =
          Last->IsInFile ? Result.Needed.Data : Result.Needed.Bss;
      Needed = (Place - Last->end()) & (Line - 1);
      if (!Result.Stray) {
        Result.Stray = (S.Address - Place) & (Line - 1);
        Result.StrayName = S.Name.str();
        Result.StrayTail = Last->IsInFile ? DataTail : BssTail;
      }
    }
    IsBehindNew = false;
    Last = nullptr;
  }
  return Result;
}

Expected<Tails> guessTails(StringRef Linked, uint64_t Line) {
  auto Sections = readSections(Linked);
  if (!Sections)
    return Sections.takeError();
  auto PhaseBehind = [&](StringRef Name) -> uint64_t {
    auto IsOf = [&](const LinkedSection &S) { return S.Name == Name; };
    auto Item = find_if(*Sections, IsOf);
    auto Next =
        std::find_if(Item, Sections->end(), [&](const LinkedSection &S) {
          return !IsOf(S) && !isNew(S) && !isEmpty(S);
        });
    return Next == Sections->end() ? 0 : Next->Address & (Line - 1);
  };
  return Tails{PhaseBehind(".data"), PhaseBehind(".bss")};
}

Expected<StringRef> findMoved(StringRef Before, StringRef After,
                              uint64_t Line) {
  auto Old = readSections(Before), New = readSections(After);
  if (!Old || !New)
    return joinErrors(Old.takeError(), New.takeError());
  for (StringRef Name : {".data", ".bss"}) {
    auto Is = [&](const LinkedSection &S) {
      return S.Name == Name && !isEmpty(S);
    };
    auto Source = find_if(*Old, Is), Target = find_if(*New, Is);
    if (Source != Old->end() && Target != New->end() &&
        Source->Address % Line != Target->Address % Line)
      return Name;
  }
  return "";
}

} // namespace linesman::relink
