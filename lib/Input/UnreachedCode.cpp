// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a linker's garbage collection would have dropped, with functions for
// sections. A function that is wrongly thought to be reached costs nothing, one
// that is wrongly thought not to be hides its findings. So nothing is decoded,
// and whatever bytes may name a function does:
//
//  1. Of data, an aligned word that is a function's address, or its distance
//     from the word, reaches that function. That finds pointers, relocations
//     with their addends, and what is called at start. Exported symbols do,
//     too.
//  2. Unwinding information names all functions. It reaches only the routines
//     that it is handled by.
//  3. Of code, any bytes that would be a call, a jump or an address lead from
//     the function that they are in. Those outside of functions are reached.
//  4. Cold code that nothing names is where exceptions land.
//
// Most files name all their functions by 1, and their code is not looked at.

#include "UnreachedCode.h"
#include "FileOrigin.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/Endian.h"
#include <vector>

using namespace llvm;
using namespace linesman::layout;
using support::endian::read32le;
using support::endian::read64le;

namespace linesman::input {

namespace {

class Finder {
public:
  Finder(const MemoryBuffer &File, const Architecture &Arch,
         const CodeFunctions &Functions, bool IsFixed)
      : File(File), Arch(Arch), Functions(Functions), IsFixed(IsFixed) {}

  Expected<BitVector> find(const ElfFile &Elf);

private:
  const MemoryBuffer &File;
  const Architecture &Arch;
  const CodeFunctions &Functions;
  const bool IsFixed;
  AddressRange Code;
  /// By distance from where code begins: whether a function does there that is
  /// not reached yet. Most bytes name none, and this tells so at once. Rest is
  /// how many there are.
  BitVector Unreached;
  size_t Rest = 0;
  /// Distances of functions that are reached and were not looked at yet.
  std::vector<uint32_t> Worklist;
  ReadPages Pages{File};

  bool markFunctions();
  void reachAll() {
    Unreached.reset();
    Rest = 0;
  }
  bool isUnreached(uint64_t Address) const {
    uint64_t Distance = Address - Code.Begin.Value;
    return Distance < Unreached.size() && Unreached[Distance];
  }
  void name(uint64_t Target) {
    if (!isUnreached(Target))
      return;
    uint32_t Distance = Target - Code.Begin.Value;
    Unreached.reset(Distance);
    --Rest;
    Worklist.push_back(Distance);
  }
  /// Visits what a function may name.
  void visitNames(size_t Function, function_ref<void(uint64_t)> Found) const;
  Error readLoaded(const ElfFile &Elf);
  void readData(ArrayRef<uint8_t> Bytes, uint64_t Address);
  Error readExports(const ElfFile &Elf, const ElfSection &Table);
  void readUnwinding(ArrayRef<uint8_t> Bytes, uint64_t Address);
  Error readCode(const ElfFile &Elf);
  void readBetween(ArrayRef<uint8_t> Bytes, AddressRange Range);
  void follow();
  void addLandings();
};

/// More code than this has nobody's file.
constexpr uint64_t MostCode = uint64_t(1) << 31;

bool Finder::markFunctions() {
  if (Functions.size() == 0)
    return false;
  size_t Last = Functions.size() - 1;
  Code = {Functions.addressOf(0),
          Functions.addressOf(Last) + Functions.sizeOf(Last)};
  if (Code.size() > MostCode)
    return false;
  Unreached.resize(Code.size());
  for (size_t I = 0; I != Functions.size(); ++I)
    if (uint64_t Distance = Functions.addressOf(I) - Code.Begin;
        Distance < Code.size())
      Unreached.set(Distance);
  Rest = Unreached.count();
  return true;
}

void Finder::visitNames(size_t Function,
                        function_ref<void(uint64_t)> Found) const {
  CodeFunction Read = Functions.unnamed(Function);
  Arch.visitNames(Read.Bytes, Read.Range.Begin.Value, Code, IsFixed, Found);
}

void Finder::readData(ArrayRef<uint8_t> Bytes, uint64_t Address) {
  constexpr size_t Word = 4, Pointer = 8;
  for (size_t I = -Address % Word; I + Word <= Bytes.size(); I += Word) {
    uint32_t Number = read32le(Bytes.data() + I);
    name(Address + I + int32_t(Number));
    if (IsFixed)
      name(Number);
    if ((Address + I) % Pointer == 0 && I + Pointer <= Bytes.size())
      name(read64le(Bytes.data() + I));
  }
}

/// Entries of .eh_frame: a length, and what the entry is: 0 for the common part
/// of others, which names a routine. It stands at any byte.
void Finder::readUnwinding(ArrayRef<uint8_t> Bytes, uint64_t Address) {
  constexpr size_t LengthSize = 4, KindSize = 4;
  for (size_t I = 0; I + LengthSize + KindSize <= Bytes.size();) {
    uint64_t Length = read32le(Bytes.data() + I);
    size_t Begin = I + LengthSize;
    if (Length < KindSize || Length > Bytes.size() - Begin)
      return;
    if (read32le(Bytes.data() + Begin) == 0)
      for (size_t J = Begin + KindSize; J + 4 <= Begin + Length; ++J) {
        uint32_t Number = read32le(Bytes.data() + J);
        name(Address + J + int32_t(Number));
        if (IsFixed)
          name(Number);
      }
    I = Begin + Length;
  }
}

Error Finder::readExports(const ElfFile &Elf, const ElfSection &Table) {
  auto Symbols = Elf.symbols(&Table);
  if (!Symbols)
    return Symbols.takeError();
  for (const auto &S : *Symbols) {
    if (S.st_shndx != ELF::SHN_UNDEF)
      name(S.st_value);
    Pages.count(sizeof(S));
  }
  return Error::success();
}

/// What is loaded and no code.
Error Finder::readLoaded(const ElfFile &Elf) {
  auto Headers = Elf.sections();
  if (!Headers)
    return Headers.takeError();
  for (const ElfSection &Header : *Headers) {
    // Names, notes and hashes name no function.
    if (!(Header.sh_flags & ELF::SHF_ALLOC) ||
        Header.sh_flags & ELF::SHF_EXECINSTR ||
        is_contained({ELF::SHT_NOBITS, ELF::SHT_STRTAB, ELF::SHT_NOTE,
                      ELF::SHT_HASH, ELF::SHT_GNU_HASH, ELF::SHT_GNU_versym,
                      ELF::SHT_GNU_verneed, ELF::SHT_GNU_verdef},
                     Header.sh_type))
      continue;
    Expected<StringRef> Name = Elf.getSectionName(Header);
    if (!Name)
      return Name.takeError();
    Expected<ArrayRef<uint8_t>> Bytes = Elf.getSectionContents(Header);
    if (!Bytes)
      return Bytes.takeError();
    if (Header.sh_type == ELF::SHT_DYNSYM) {
      if (Error E = readExports(Elf, Header))
        return E;
    } else if (*Name == ".eh_frame")
      readUnwinding(*Bytes, Header.sh_addr);
    else if (*Name != ".eh_frame_hdr")
      readData(*Bytes, Header.sh_addr);
    giveBack(File);
  }
  return Error::success();
}

/// Code that is in no function.
Error Finder::readCode(const ElfFile &Elf) {
  auto Headers = Elf.sections();
  if (!Headers)
    return Headers.takeError();
  for (const ElfSection &Header : *Headers) {
    const uint64_t Wanted = ELF::SHF_ALLOC | ELF::SHF_EXECINSTR;
    if ((Header.sh_flags & Wanted) != Wanted ||
        Header.sh_type == ELF::SHT_NOBITS)
      continue;
    Expected<ArrayRef<uint8_t>> Bytes = Elf.getSectionContents(Header);
    if (!Bytes)
      return Bytes.takeError();
    uint64_t End = Header.sh_addr + Bytes->size();
    if (End < Header.sh_addr) {
      // It cannot be told what is in there.
      reachAll();
      break;
    }
    readBetween(*Bytes, {{Header.sh_addr}, {End}});
  }
  return Error::success();
}

void Finder::readBetween(ArrayRef<uint8_t> Bytes, AddressRange Range) {
  auto Read = [&](uint64_t Begin, uint64_t End) {
    if (Begin < End)
      Arch.visitNames(Bytes.slice(Begin - Range.Begin.Value, End - Begin),
                      Begin, Code, IsFixed,
                      [&](uint64_t Target) { name(Target); });
  };
  auto Positions = seq<size_t>(0, Functions.size());
  auto Next = partition_point(Positions, [&](size_t I) {
    return Functions.addressOf(I) < Range.Begin;
  });
  uint64_t Address = Range.Begin.Value;
  for (; Next != Positions.end() && Range.contains(Functions.addressOf(*Next));
       ++Next) {
    Read(Address, Functions.addressOf(*Next).Value);
    Address = Functions.addressOf(*Next).Value + Functions.sizeOf(*Next);
  }
  Read(Address, Range.End.Value);
}

void Finder::follow() {
  while (Rest && !Worklist.empty()) {
    size_t Function = *Functions.find(Code.Begin.Value + Worklist.back());
    Worklist.pop_back();
    visitNames(Function, [&](uint64_t Target) { name(Target); });
    Pages.count(Functions.sizeOf(Function));
  }
}

void Finder::addLandings() {
  std::vector<size_t> Dead;
  for (size_t I = 0; I != Functions.size(); ++I)
    if (isUnreached(Functions.addressOf(I).Value))
      Dead.push_back(I);
  DenseSet<uint64_t> Named;
  for (size_t Function : Dead)
    visitNames(Function, [&](uint64_t Target) {
      if (isUnreached(Target) && Target != Functions.addressOf(Function).Value)
        Named.insert(Target);
    });
  for (size_t Function : Dead)
    if (uint64_t Address = Functions.addressOf(Function).Value;
        !Named.contains(Address) && Functions.isCold(Address))
      name(Address);
}

Expected<BitVector> Finder::find(const ElfFile &Elf) {
  if (!markFunctions())
    return BitVector();
  if (Error E = readLoaded(Elf))
    return std::move(E);
  name(Elf.getHeader().e_entry);
  if (Rest)
    if (Error E = readCode(Elf))
      return std::move(E);
  follow();
  if (Rest)
    addLandings();
  follow();
  giveBack(File);
  BitVector Found(Functions.size());
  if (Rest)
    for (size_t I = 0; I != Functions.size(); ++I)
      if (isUnreached(Functions.addressOf(I).Value))
        Found.set(I);
  return Found;
}

} // namespace

Expected<BitVector> findUnreachedCode(const ElfFile &Elf,
                                      const MemoryBuffer &File,
                                      const Architecture &Arch,
                                      const CodeFunctions &Functions,
                                      bool IsFixed) {
  return Finder(File, Arch, Functions, IsFixed).find(Elf);
}

Expected<DenseSet<uint64_t>> findUnreachedFunctions(const ElfFile &Elf,
                                                    const ElfFile &Symbols,
                                                    const ElfFile *Mini,
                                                    const MemoryBuffer &File) {
  DenseSet<uint64_t> Found;
  std::unique_ptr<Architecture> Arch =
      createArchitecture(Elf.getHeader().e_machine);
  if (!Arch || !Elf.getHeader().e_entry || !Elf.getHeader().e_phnum ||
      !isExecutable(Elf))
    return Found;
  Expected<CodeFunctions> Functions =
      readCodeFunctions(Elf, Symbols, Mini, File);
  if (!Functions)
    return Functions.takeError();
  Expected<BitVector> Unreached = findUnreachedCode(
      Elf, File, *Arch, *Functions, Elf.getHeader().e_type == ELF::ET_EXEC);
  if (!Unreached)
    return Unreached.takeError();
  for (unsigned Index : Unreached->set_bits())
    Found.insert(Functions->addressOf(Index).Value);
  return Found;
}

} // namespace linesman::input
