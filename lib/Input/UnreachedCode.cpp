// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a linker's garbage collection would have dropped, with functions for
// sections. A function that is wrongly thought to be reached costs nothing, one
// that is wrongly thought not to be hides its findings. So nothing is decoded,
// and whatever bytes may name a function does:
//
//  1. Of code, any bytes that would be a call, a jump or an address lead from
//     the function that they are in. Those outside of functions are reached.
//  2. Of data, an aligned word that is a function's address, or its distance
//     from the word, reaches that function. That finds pointers, relocations
//     with their addends, exported symbols and what is called at start.
//  3. Unwinding information names all functions. It reaches only the routines
//     that it is handled by.
//  4. Cold code that nothing names is where exceptions land.

#include "UnreachedCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Parallel.h"

using namespace llvm;
using namespace linesman::layout;
using support::endian::read32le;
using support::endian::read64le;

namespace linesman::input {

namespace {

class Finder {
public:
  Finder(const Architecture &Arch, const CodeFunctions &Functions, bool IsFixed)
      : Arch(Arch), Functions(Functions), IsFixed(IsFixed),
        Named(Functions.size()), Leads(Functions.size()) {}

  Expected<BitVector> find(const ElfFile &Elf);

private:
  using Targets = SmallVector<uint32_t, 4>;

  const Architecture &Arch;
  const CodeFunctions &Functions;
  const bool IsFixed;
  AddressRange Code;
  /// By distance from where code begins: whether a function does there. Most
  /// bytes name none, and this tells so at once.
  BitVector Begins;
  /// By position: what is reached whoever is.
  BitVector Named;
  /// By position: the functions that a function names.
  std::vector<Targets> Leads;

  bool markBegins();
  void visit(uint64_t Target, function_ref<void(uint32_t)> Found) const {
    uint64_t Distance = Target - Code.Begin.Value;
    if (Distance < Begins.size() && Begins[Distance])
      Found(*Functions.find(Target));
  }
  void name(uint64_t Target) {
    visit(Target, [&](uint32_t Position) { Named.set(Position); });
  }
  void readFunctions();
  void readCode(ArrayRef<uint8_t> Bytes, AddressRange Range);
  void readData(ArrayRef<uint8_t> Bytes, uint64_t Address);
  void readUnwinding(ArrayRef<uint8_t> Bytes, uint64_t Address);
  void addLandings();
};

/// More code than this has nobody's file.
constexpr uint64_t MostCode = uint64_t(1) << 31;

bool Finder::markBegins() {
  if (Functions.size() == 0)
    return false;
  size_t Last = Functions.size() - 1;
  Code = {Functions.addressOf(0),
          Functions.addressOf(Last) + Functions.sizeOf(Last)};
  if (Code.size() > MostCode)
    return false;
  Begins.resize(Code.size());
  for (size_t I = 0; I != Functions.size(); ++I)
    if (uint64_t Distance = Functions.addressOf(I) - Code.Begin;
        Distance < Code.size())
      Begins.set(Distance);
  return true;
}

void Finder::readFunctions() {
  parallelFor(0, Functions.size(), [&](size_t I) {
    CodeFunction Function = Functions[I];
    Arch.visitNames(Function.Bytes, Function.Range.Begin.Value, Code, IsFixed,
                    [&](uint64_t Target) {
                      visit(Target, [&](uint32_t Position) {
                        if (Position != I)
                          Leads[I].push_back(Position);
                      });
                    });
  });
}

/// What lies between functions.
void Finder::readCode(ArrayRef<uint8_t> Bytes, AddressRange Range) {
  auto Read = [&](uint64_t Begin, uint64_t End) {
    Arch.visitNames(Bytes.slice(Begin - Range.Begin.Value, End - Begin), Begin,
                    Code, IsFixed, [&](uint64_t Target) { name(Target); });
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

void Finder::addLandings() {
  BitVector IsNamed = Named;
  for (const Targets &Found : Leads)
    for (uint32_t Position : Found)
      IsNamed.set(Position);
  for (size_t I = 0; I != Functions.size(); ++I)
    if (!IsNamed[I] && Functions.isCold(Functions.addressOf(I).Value))
      Named.set(I);
}

Expected<BitVector> Finder::find(const ElfFile &Elf) {
  if (!markBegins())
    return BitVector();
  auto Headers = Elf.sections();
  if (!Headers)
    return Headers.takeError();
  for (const ElfSection &Header : *Headers) {
    if (!(Header.sh_flags & ELF::SHF_ALLOC) ||
        Header.sh_type == ELF::SHT_NOBITS)
      continue;
    Expected<StringRef> Name = Elf.getSectionName(Header);
    if (!Name)
      return Name.takeError();
    Expected<ArrayRef<uint8_t>> Bytes = Elf.getSectionContents(Header);
    if (!Bytes)
      return Bytes.takeError();
    uint64_t End = Header.sh_addr + Bytes->size();
    if (End < Header.sh_addr)
      return BitVector();
    if (Header.sh_flags & ELF::SHF_EXECINSTR)
      readCode(*Bytes, {{Header.sh_addr}, {End}});
    else if (*Name == ".eh_frame")
      readUnwinding(*Bytes, Header.sh_addr);
    else if (*Name != ".eh_frame_hdr")
      readData(*Bytes, Header.sh_addr);
  }
  name(Elf.getHeader().e_entry);
  readFunctions();
  addLandings();

  BitVector Unreached(Functions.size(), true);
  SmallVector<uint32_t, 64> Worklist;
  auto Reach = [&](uint32_t Position) {
    if (Unreached[Position]) {
      Unreached.reset(Position);
      Worklist.push_back(Position);
    }
  };
  for (unsigned Position : Named.set_bits())
    Reach(Position);
  while (!Worklist.empty())
    for_each(Leads[Worklist.pop_back_val()], Reach);
  return Unreached;
}

} // namespace

Expected<BitVector> findUnreachedCode(const ElfFile &Elf,
                                      const Architecture &Arch,
                                      const CodeFunctions &Functions,
                                      bool IsFixed) {
  return Finder(Arch, Functions, IsFixed).find(Elf);
}

} // namespace linesman::input
