// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a binary: finds the files that it is made of; sections and symbols
// become the image, facts (GatherFacts.h) the table of accesses.

#include "linesman/Input/ReadBinary.h"
#include "CollectObjects.h"
#include "GatherFacts.h"
#include "JoinObjects.h"
#include "MiniDebug.h"
#include "linesman/Guard/Document.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace llvm::object;

namespace linesman::input {

namespace {

/// Finds out which file has what, and opens the debug file where it has a part.
Error openDebugFile(const ElfFile &Elf, const DebugSearch &Search,
                    Binary &Result, std::optional<ElfFile> &Debug) {
  auto Look = [](const ElfFile &Searched,
                 const MemoryBuffer &File) -> Expected<PartFiles> {
    Expected<const ElfSection *> Facts =
        findSection(Searched, facts::SectionName);
    if (!Facts)
      return Facts.takeError();
    Expected<const ElfSection *> Dwarf = findSection(Searched, ".debug_info");
    if (!Dwarf)
      return Dwarf.takeError();
    return PartFiles{hasSection(Searched, ELF::SHT_SYMTAB) ? &File : nullptr,
                     *Facts ? &File : nullptr, *Dwarf ? &File : nullptr};
  };
  Expected<PartFiles> Own = Look(Elf, *Result.File);
  if (!Own)
    return Own.takeError();
  PartFiles &Parts = Result.Files;
  Parts = *Own;
  if (Result.Unlinked || (Search.File.empty() && Parts.Symbols && Parts.Dwarf))
    return Error::success();
  Expected<DebugFile> Found =
      findDebugFile(Result.File->getMemBufferRef(), Search);
  if (!Found)
    return Found.takeError();
  Result.Debug = std::move(*Found);
  if (!Result.Debug.Bytes)
    return Error::success();
  Expected<ElfFile> Opened = openElf(Result.Debug.Bytes->getBuffer());
  if (!Opened)
    return Opened.takeError();
  Debug.emplace(*Opened);
  Expected<PartFiles> Files = Look(*Debug, *Result.Debug.Bytes);
  if (!Files)
    return createFileError(Result.Debug.path(), Files.takeError());
  // One that was asked for speaks for all that it has.
  bool IsAsked = !Search.File.empty();
  auto Choose = [&](const MemoryBuffer *&Mine, const MemoryBuffer *Other) {
    if (Other && (IsAsked || !Mine))
      Mine = Other;
  };
  Choose(Parts.Symbols, Files->Symbols);
  Choose(Parts.Facts, Files->Facts);
  Choose(Parts.Dwarf, Files->Dwarf);
  return Error::success();
}

/// Opens what .gnu_debugdata holds, where no file has a symbol table.
Error openMini(const ElfFile &Elf, Binary &Result,
               std::optional<ElfFile> &Mini) {
  if (Result.Files.Symbols || Result.Unlinked)
    return Error::success();
  Expected<std::unique_ptr<MemoryBuffer>> Held = readMiniDebug(Elf);
  if (!Held) {
    Result.Debug.Rejected.push_back("not used: .gnu_debugdata: " +
                                    toString(Held.takeError()));
    return Error::success();
  }
  if (!*Held)
    return Error::success();
  Result.Mini = std::move(*Held);
  Expected<ElfFile> Opened = openElf(Result.Mini->getBuffer());
  if (!Opened)
    return Opened.takeError();
  Mini.emplace(*Opened);
  return Error::success();
}

/// Adds the functions of a kernel that are given back.
Error findGivenBack(const ElfFile &Symbols, const MemoryBuffer &File,
                    StartUpCode &Result) {
  if (Result.GivenBack.empty())
    return Error::success();
  Error E = visitFunctions(Symbols, File, [&](const layout::FunctionSymbol &F) {
    if (any_of(Result.GivenBack, [&](layout::AddressRange Code) {
          return Code.contains(F.Address);
        }))
      Result.Functions.push_back(F.Address);
  });
  llvm::sort(Result.Functions);
  return E;
}

using KeepSymbol = function_ref<bool(layout::AddressRange)>;

Expected<StartUpCode> readLayout(const ElfParts &Parts, KeepSymbol Keep,
                                 Binary &Result) {
  Expected<WritableSections> Sections = readSections(Parts.Loaded);
  if (!Sections)
    return Sections.takeError();
  // The debug file numbers sections by itself.
  if (&Parts.Symbols != &Parts.Loaded) {
    Sections = matchSections(*Sections, Parts.Symbols);
    if (!Sections)
      return Sections.takeError();
  }
  Expected<Relocated> Relocations = readRelocated(Parts.Loaded);
  if (!Relocations)
    return Relocations.takeError();
  Expected<DataSymbols> Symbols =
      readSymbols(Parts.Symbols, *Sections, *Relocations, Keep);
  if (!Symbols)
    return Symbols.takeError();

  Result.Symbols = Symbols->Source;
  Result.Counts.StraySymbols = Symbols->Stray;
  Result.Image = layout::buildImage({std::move(Sections->Sections),
                                     std::move(Symbols->Symbols),
                                     std::move(Symbols->Files)});
  // The symbol table has been read; of its pages only names are needed again.
  giveBack(symbolFile(Result));
  return std::move(Relocations->Code);
}

Error readAll(const ReadOptions &Options, Binary &Result) {
  Expected<ElfFile> Elf = openElf(Result.File->getBuffer());
  if (!Elf)
    return Elf.takeError();
  std::optional<ElfFile> Debug;
  if (Error E = openDebugFile(*Elf, Options.Debug, Result, Debug))
    return E;
  std::optional<ElfFile> Mini;
  if (Error E = openMini(*Elf, Result, Mini))
    return E;
  auto FileWith = [&](const MemoryBuffer *Part) -> const ElfFile & {
    return Debug && Part == Result.Debug.Bytes.get() ? *Debug : *Elf;
  };
  ElfParts Parts{*Elf, FileWith(Result.Files.Symbols),
                 FileWith(Result.Files.Facts), Mini ? &*Mini : nullptr};
  auto All = [](layout::AddressRange) { return true; };
  auto StartUp = readLayout(Parts, All, Result);
  if (!StartUp)
    return StartUp.takeError();
  if (Error E = findGivenBack(Parts.Symbols, symbolFile(Result), *StartUp))
    return E;
  return readFacts(Parts, std::move(*StartUp), Options, Result);
}

/// Objects before the link, as a binary in memory: those of \p File or, where
/// it is null, of the folder \p Path.
Expected<Binary> readObjects(StringRef Path, std::unique_ptr<MemoryBuffer> File,
                             ReadOptions Options) {
  if (Options.Facts == FactsFrom::Code)
    return createFileError(
        Path, createStringError("objects before the link: their instructions "
                                "have no addresses yet, so only a compiler's "
                                "facts are read"));
  if (!Options.Debug.File.empty())
    return createFileError(
        Path, createStringError("objects before the link have their debug "
                                "information themselves, or in .dwo files; a "
                                "debug file belongs to a binary"));
  Expected<CollectedObjects> Collected =
      File ? collectFile(std::move(File)) : collectFolder(Path);
  if (!Collected)
    return Collected.takeError();
  Expected<JoinedObjects> Joined = joinObjects(Collected->Objects, Path);
  if (!Joined)
    return Joined.takeError();
  Binary Result;
  Result.File = std::move(Joined->File);
  Result.Unlinked = Joined->Counts;
  Result.Unlinked->Bitcode = Collected->Bitcode;
  // Its facts and its DWARF are copies by now.
  *Collected = CollectedObjects();
  Options.Facts = FactsFrom::Compiler;
  if (Error E = readAll(Options, Result))
    return createFileError(Path, std::move(E));
  if (Result.HasFacts)
    return Result;
  return createFileError(
      Path, createStringError(
                "no facts in %s; compile with clang "
                "-fpass-plugin=linesman-facts.so",
                Result.Unlinked->Objects == 1
                    ? "this object"
                    : (Twine(Result.Unlinked->Objects) + " objects here")
                          .str()
                          .c_str()));
}

} // namespace

Expected<Binary> readBinary(StringRef Path, const ReadOptions &Options) {
  if (Options.Unlinked == Objects::Read && sys::fs::is_directory(Path))
    return readObjects(Path, nullptr, Options);
  Expected<std::unique_ptr<MemoryBuffer>> File = guard::mapFile(Path);
  if (!File)
    return File.takeError();
  return readBinary(std::move(*File), Options);
}

Expected<Binary> readBinary(std::unique_ptr<MemoryBuffer> File,
                            const ReadOptions &Options) {
  if (Options.Unlinked == Objects::Read && isUnlinked(File->getBuffer())) {
    std::string Path = File->getBufferIdentifier().str();
    return readObjects(Path, std::move(File), Options);
  }
  Binary Result;
  Result.File = std::move(File);
  if (Error E = readAll(Options, Result))
    return createFileError(Result.File->getBufferIdentifier(), std::move(E));
  return Result;
}

Expected<Binary> readImage(std::unique_ptr<MemoryBuffer> File,
                           KeepSymbol Keep) {
  Binary Result;
  Result.File = std::move(File);
  StringRef Path = Result.File->getBufferIdentifier();
  Expected<ElfFile> Elf = openElf(Result.File->getBuffer());
  if (!Elf)
    return createFileError(Path, Elf.takeError());
  if (auto StartUp = readLayout({*Elf, *Elf, *Elf}, Keep, Result); !StartUp)
    return createFileError(Path, StartUp.takeError());
  return Result;
}

Expected<std::vector<layout::FunctionSymbol>>
readFunctions(const Binary &File) {
  Expected<ElfFile> Elf = openElf(symbolFile(File).getBuffer());
  if (!Elf)
    return Elf.takeError();
  std::vector<layout::FunctionSymbol> Result;
  auto Add = [&](const layout::FunctionSymbol &F) { Result.push_back(F); };
  if (Error E = visitFunctions(*Elf, symbolFile(File), Add))
    return std::move(E);
  if (!File.Mini)
    return Result;
  Expected<ElfFile> Mini = openElf(File.Mini->getBuffer());
  if (!Mini)
    return Mini.takeError();
  if (Error E = visitFunctions(*Mini, *File.Mini, Add))
    return std::move(E);
  return Result;
}

Expected<std::vector<layout::AddressRange>> readCode(const Binary &File) {
  Expected<ElfFile> Elf = openElf(File.File->getBuffer());
  if (!Elf)
    return Elf.takeError();
  auto Headers = Elf->sections();
  if (!Headers)
    return Headers.takeError();
  std::vector<layout::AddressRange> Result;
  for (const ElfSection &Header : *Headers)
    if (Header.sh_flags & ELF::SHF_ALLOC &&
        Header.sh_flags & ELF::SHF_EXECINSTR)
      Result.push_back({{Header.sh_addr}, {Header.sh_addr + Header.sh_size}});
  return Result;
}

} // namespace linesman::input
