// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Samples, joined to functions.

#include "linesman/Input/ReadSamples.h"
#include "CodeMap.h"
#include "ElfSections.h"
#include "SampleFormats.h"
#include "linesman/Guard/Document.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace llvm;
using linesman::layout::AddressRange;
using linesman::layout::FunctionSymbol;

namespace linesman::input {

namespace {

/// Finds functions by what a profiler calls them.
class FunctionFinder {
public:
  FunctionFinder(ArrayRef<FunctionSymbol> Functions,
                 std::vector<AddressRange> Code)
      : ByAddress(Functions.begin(), Functions.end()), Code(std::move(Code)) {
    stable_sort(ByAddress, [](const auto &A, const auto &B) {
      return A.Address < B.Address;
    });
    for (const FunctionSymbol &F : Functions)
      if (!F.name().empty())
        Addresses.try_emplace(F.name(), F.Address.Value);
  }

  /// The start of the last function before \p Address; nothing outside of the
  /// binary's code, as the kernel's addresses are.
  std::optional<uint64_t> at(uint64_t Address) const {
    if (none_of(Code, [&](AddressRange R) { return R.contains({Address}); }))
      return std::nullopt;
    auto It = upper_bound(ByAddress, Address, [](uint64_t A, const auto &F) {
      return A < F.Address.Value;
    });
    if (It == ByAddress.begin())
      return std::nullopt;
    return std::prev(It)->Address.Value;
  }

  std::optional<uint64_t> named(StringRef Name) {
    if (auto It = Addresses.find(Name); It != Addresses.end())
      return It->second;
    // Profilers demangle by default, with or without parameters.
    if (!HasDemangled) {
      HasDemangled = true;
      for (const FunctionSymbol &F : ByAddress) {
        std::string Full = guard::demangle(F.name());
        Addresses.try_emplace(Full, F.Address.Value);
        Addresses.try_emplace(StringRef(Full).split('(').first,
                              F.Address.Value);
      }
    }
    auto It = Addresses.find(Name);
    return It != Addresses.end() ? std::optional(It->second) : std::nullopt;
  }

private:
  std::vector<FunctionSymbol> ByAddress;
  std::vector<AddressRange> Code;
  StringMap<uint64_t> Addresses;
  bool HasDemangled = false;
};

Error problem(const line_iterator &Line, const Twine &Message) {
  return createStringError("line " + Twine(Line.line_number()) + ": " +
                           Message);
}

Error readLine(const line_iterator &Line, FunctionFinder &Functions,
               Samples &Counts) {
  auto [Place, CountText] = Line->trim().rsplit(' ');
  Place = Place.trim();
  double Count;
  if (Place.empty() || CountText.getAsDouble(Count) || !(Count >= 0) ||
      std::isinf(Count))
    return problem(Line, "found '" + Line->trim() +
                             "', expected a place and a count");
  std::optional<uint64_t> Function;
  if (Place.starts_with("0x")) {
    uint64_t Address;
    if (Place.getAsInteger(0, Address))
      return problem(Line, "found address '" + Place +
                               "', expected a hexadecimal number of 64 bits");
    Function = Functions.at(Address);
  } else {
    auto [Name, OffsetText] = Place.rsplit("+");
    uint64_t Offset;
    // operator+ has one too; a name alone is the function's start.
    if (!OffsetText.starts_with("0x"))
      Name = Place;
    else if (OffsetText.getAsInteger(0, Offset))
      return problem(Line, "found offset '" + OffsetText +
                               "', expected a hexadecimal number of 64 bits");
    Function = Functions.named(Name);
  }
  if (Function)
    Counts.OfFunction[*Function] += Count;
  else
    Counts.Elsewhere += Count;
  return Error::success();
}

/// Link-time addresses of what is at offsets in a file.
class OffsetMap {
public:
  static Expected<OffsetMap> read(const Binary &File) {
    Expected<ElfFile> Elf = openElf(File.File->getBuffer());
    if (!Elf)
      return Elf.takeError();
    auto Headers = Elf->program_headers();
    if (!Headers)
      return Headers.takeError();
    OffsetMap Result;
    Result.IsFixed = Elf->getHeader().e_type == ELF::ET_EXEC;
    for (const auto &H : *Headers)
      if (H.p_type == ELF::PT_LOAD)
        Result.Parts.push_back({H.p_offset, H.p_filesz, H.p_vaddr});
    return Result;
  }
  /// Whether addresses in memory are those of the file.
  bool isFixed() const { return IsFixed; }
  std::optional<uint64_t> addressOf(uint64_t Offset) const {
    for (const Part &P : Parts)
      if (Offset >= P.Offset && Offset - P.Offset < P.Size)
        return P.Address + (Offset - P.Offset);
    return std::nullopt;
  }

private:
  struct Part {
    uint64_t Offset, Size, Address;
  };
  std::vector<Part> Parts;
  bool IsFixed = false;
};

/// Reads what a profiler wrote. A place in another file is elsewhere, whatever
/// its symbol is called.
Error readProfile(SampleFormat Form, StringRef Bytes, const Binary &File,
                  FunctionFinder &Functions, Samples &Counts) {
  Expected<OffsetMap> Offsets = OffsetMap::read(File);
  if (!Offsets)
    return Offsets.takeError();
  StringRef Own = sys::path::filename(File.File->getBufferIdentifier());
  auto Add = [&](const SamplePlace &Place) {
    std::optional<uint64_t> Function;
    if (Place.File.empty() || sys::path::filename(Place.File) == Own) {
      if (!Place.Symbol.empty())
        Function = Functions.named(Place.Symbol);
      if (!Function && !Place.FileOffset && Offsets->isFixed())
        Function = Functions.at(Place.Address);
      if (!Function && Place.FileOffset)
        if (auto Address = Offsets->addressOf(*Place.FileOffset))
          Function = Functions.at(*Address);
    }
    if (Function)
      Counts.OfFunction[*Function] += Place.Count;
    else
      Counts.Elsewhere += Place.Count;
  };
  switch (Form) {
  case SampleFormat::PerfScript:
    return visitPerfScript(Bytes, Add);
  case SampleFormat::Gperftools:
    return visitGperftools(Bytes, Add);
  case SampleFormat::Pprof:
    return visitPprof(Bytes, Add);
  default:
    return createStringError("compressed; write it out with 'gunzip' first");
  }
}

} // namespace

Expected<Samples> readSamples(StringRef Path, const Binary &Owner) {
  Expected<std::vector<FunctionSymbol>> Functions = readFunctions(Owner);
  if (!Functions)
    return Functions.takeError();
  // Functions without a name: a sample must not be that of the last named one.
  Expected<ElfFile> Elf = openElf(Owner.File->getBuffer());
  if (!Elf)
    return Elf.takeError();
  Expected<CodeFunctions> All =
      readCodeFunctions(*Elf, *Elf, nullptr, *Owner.File);
  if (!All)
    return All.takeError();
  DenseSet<uint64_t> Known;
  for (const FunctionSymbol &F : *Functions)
    Known.insert(F.Address.Value);
  for (size_t I = 0; I != All->size(); ++I)
    if (Known.insert(All->addressOf(I).Value).second)
      Functions->push_back({All->addressOf(I)});
  Expected<std::vector<AddressRange>> Code = readCode(Owner);
  if (!Code)
    return Code.takeError();
  auto File = guard::readDocument(Path, guard::Source::FileOrStandardInput);
  if (!File)
    return File.takeError();
  Samples Result;
  FunctionFinder Finder(*Functions, std::move(*Code));
  SampleFormat Form = guessFormat((*File)->getBuffer());
  if (Form != SampleFormat::Lines)
    if (Error E =
            readProfile(Form, (*File)->getBuffer(), Owner, Finder, Result))
      return createFileError(Path, std::move(E));
  for (line_iterator Line(**File, /*SkipBlanks=*/true, '#');
       Form == SampleFormat::Lines && !Line.is_at_eof(); ++Line)
    if (!Line->trim().empty())
      if (Error E = readLine(Line, Finder, Result))
        return createFileError(Path, std::move(E));
  if (Result.OfFunction.empty())
    return createFileError(
        Path, createStringError("no sample is in a function of the binary"));
  return Result;
}

} // namespace linesman::input
