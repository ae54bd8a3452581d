// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tail:
//
//     .data |  ..._isolated_data, ..._group1 | tail | .bss
//           ^ end                                   ^ as far from a line's
//     without the new sections .bss would begin       begin as here
//     here, rounded up to its alignment
//
// All sizes are whole lines but for the tail's.

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
  uint64_t Address, Size, Alignment;
  uint64_t end() const { return Address + Size; }
};

/// Those that take room in memory and in the file or behind it, by address.
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
    if (!(S.sh_flags & ELF::SHF_ALLOC) || IsTbss || !S.sh_size)
      continue;
    Expected<StringRef> Name = File->getSectionName(S);
    if (!Name)
      return Name.takeError();
    Sections.push_back(
        {*Name, S.sh_addr, S.sh_size, std::max<uint64_t>(S.sh_addralign, 1)});
  }
  llvm::stable_sort(Sections,
                    [](const LinkedSection &A, const LinkedSection &B) {
                      return A.Address < B.Address;
                    });
  return Sections;
}

bool isNew(const LinkedSection &S) { return S.Name.starts_with(NewSections); }

} // namespace

Expected<uint64_t> tailFor(StringRef Linked, uint64_t Line) {
  auto Sections = readSections(Linked);
  if (!Sections)
    return Sections.takeError();
  auto First = find_if(*Sections, isNew);
  auto Next = std::find_if_not(First, Sections->end(), isNew);
  if (First == Sections->begin() || Next == Sections->end())
    return 0;
  uint64_t NewEnd = 0;
  for (const LinkedSection &S : make_range(First, Next))
    if (S.Name != TailSection)
      NewEnd = S.end();
  uint64_t Without = alignTo(std::prev(First)->end(), Next->Alignment);
  return (Without - NewEnd) & (Line - 1);
}

Expected<uint64_t> guessTail(StringRef Linked, uint64_t Line) {
  auto Sections = readSections(Linked);
  if (!Sections)
    return Sections.takeError();
  auto Next = find_if(*Sections,
                      [](const LinkedSection &S) { return S.Name == ".data"; });
  while (Next != Sections->end() && (Next->Name == ".data" || isNew(*Next)))
    ++Next;
  return Next == Sections->end() ? 0 : Next->Address & (Line - 1);
}

Expected<StringRef> findMoved(StringRef Before, StringRef After,
                              uint64_t Line) {
  auto Old = readSections(Before), New = readSections(After);
  if (!Old || !New)
    return joinErrors(Old.takeError(), New.takeError());
  for (StringRef Name : {".data", ".bss"}) {
    auto Is = [&](const LinkedSection &S) { return S.Name == Name; };
    auto From = find_if(*Old, Is), To = find_if(*New, Is);
    if (From != Old->end() && To != New->end() &&
        From->Address % Line != To->Address % Line)
      return Name;
  }
  return "";
}

} // namespace linesman::relink
