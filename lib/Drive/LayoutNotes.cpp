// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is not in a layout report, in sentences.

#include "linesman/Drive/LayoutNotes.h"
#include "linesman/Drive/LayoutGate.h"
#include "linesman/Layout/Identity.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::drive {

/// What came from a debug file, and what was found and is none.
static std::vector<std::string> describeDebugFile(const input::Binary &Binary) {
  std::vector<std::string> Notes = Binary.Debug.Rejected;
  if (const MemoryBuffer *Debug = Binary.Debug.Bytes.get()) {
    SmallVector<StringRef> Parts;
    if (Binary.Files.Symbols == Debug)
      Parts.push_back("symbols");
    if (Binary.Files.Facts == Debug)
      Parts.push_back("facts");
    if (Binary.Files.Dwarf == Debug)
      Parts.push_back("debug information");
    Notes.push_back(formatv("{0} from {1}",
                            Parts.empty() ? "nothing" : join(Parts, ", "),
                            Binary.Debug.path()));
  }
  if (Binary.Mini)
    Notes.push_back("names of functions from .gnu_debugdata");
  return Notes;
}

/// Whether no symbol says what an occupant's bytes are.
static bool isUnnamed(const Image &Image, OccupantIndex I) {
  OccupantKind Kind = Image.occupants()[I].Kind;
  return Kind == OccupantKind::NoSymbol ||
         (Kind == OccupantKind::Object &&
          Image.symbol(I).Origin == SymbolOrigin::Anonymous);
}

/// What objects before the link can not tell.
static std::vector<std::string>
describeUnlinked(const input::UnlinkedCounts &Unlinked) {
  std::vector<std::string> Notes;
  Notes.push_back(formatv(
      "before the link: variables are in the order of {0}; the linker may "
      "place them elsewhere{1}",
      Unlinked.Objects == 1 ? "this object" : "their object",
      Unlinked.Objects == 1
          ? ""
          : formatv(", and those of two of these {0} objects on one line",
                    Unlinked.Objects)
                .str()));
  if (Unlinked.Elsewhere)
    Notes.push_back(formatv("variables that are used here and defined "
                            "elsewhere, shown alone and as long as known "
                            "accesses reach: {0}",
                            Unlinked.Elsewhere));
  if (Unlinked.WithoutFacts)
    Notes.push_back(formatv("{0} of {1} have no facts", Unlinked.WithoutFacts,
                            report::plural(Unlinked.Objects, "object")));
  if (Unlinked.Conflicts)
    Notes.push_back(formatv("names that several of them define: {0}; they are "
                            "of more than one program, so that who runs what "
                            "is a guess; read the objects of one",
                            Unlinked.Conflicts));
  if (Unlinked.Copies)
    Notes.push_back(formatv("second builds of a unit, which are left out: {0}",
                            Unlinked.Copies));
  if (Unlinked.Bitcode)
    Notes.push_back(formatv("objects of link-time optimisation, whose facts "
                            "are made at the link: {0}",
                            Unlinked.Bitcode));
  if (Unlinked.DebugBytesLeftOut)
    Notes.push_back(formatv("{0} MiB of debug information are too many to "
                            "read at once, so names of fields are missing; "
                            "read a part of the build",
                            Unlinked.DebugBytesLeftOut >> 20));
  return Notes;
}

/// What a kernel keeps where no two processors meet.
static std::vector<std::string> describeKernel(const Image &Image) {
  std::vector<std::string> Notes;
  for (auto [Index, S] : enumerate(Image.sections())) {
    bool IsPerCpu = S.Kind == SectionKind::PerCpu;
    if (!IsPerCpu && S.Kind != SectionKind::StartUp)
      continue;
    uint64_t Objects =
        count_if(Image.occupantsOf(Index), [](const Occupant &O) {
          return O.Kind == OccupantKind::Object;
        });
    if (Objects)
      Notes.push_back(formatv("not ranked: {0} ({1} bytes) in {2}, {3}",
                              report::plural(Objects, "variable"),
                              S.Range.size(), S.Name,
                              IsPerCpu ? "of which each processor has its own "
                                         "copy, which others seldom touch"
                                       : "which is given back when the kernel "
                                         "has started"));
  }
  return Notes;
}

static std::string littleOptimised(StringRef HowMany) {
  return formatv(
      "{0} facts are of units compiled with -O0, -O1 or -Og, where little is "
      "known of what pointers lead to; compile with -O2",
      HowMany);
}

std::string describeDoubt(const input::Binary &Binary) {
  if (std::string Reason = whyUnread(Binary); !Reason.empty())
    return Reason + ": who touches what is not known";
  const facts::DecodeCounts &Facts = Binary.Counts.Facts;
  return Facts.Contributions && Facts.LittleOptimised == Facts.Contributions
             ? littleOptimised("all")
             : "";
}

/// Whether LLVM's link-time optimisation has left its names. It drops what a
/// pass made of the units before.
static bool isOptimisedAtLink(const Image &Image) {
  return is_contained(Image.files(), "ld-temp.o") ||
         any_of(Image.symbols(), [](const Symbol &S) {
           return dropUnitHash(S.name()) != S.name();
         });
}

std::vector<std::string> describeGaps(const input::Binary &Binary) {
  std::vector<std::string> Notes = describeDebugFile(Binary);
  if (std::string Doubt = describeDoubt(Binary); !Doubt.empty())
    Notes.push_back(std::move(Doubt));
  else if (Binary.Counts.Facts.LittleOptimised)
    Notes.push_back(littleOptimised("some"));
  if (Binary.Unlinked)
    append_range(Notes, describeUnlinked(*Binary.Unlinked));
  append_range(Notes, describeKernel(Binary.Image));
  if (Binary.Symbols != input::SymbolSource::Symtab) {
    uint64_t Total = 0, Unnamed = 0;
    const Image &Image = Binary.Image;
    for (auto [Index, S] : enumerate(Image.sections())) {
      if (S.Kind != SectionKind::Data)
        continue;
      Total += S.Range.size();
      OccupantIndex First = Image.firstOccupantOf(Index);
      for (OccupantIndex I = 0; I != Image.occupantsOf(Index).size(); ++I)
        if (isUnnamed(Image, First + I))
          Unnamed += Image.range(First + I).size();
    }
    Notes.push_back(formatv(
        "no symbol table ({0}): {1} of {2} writable bytes have no name. Use "
        "the binary as linked, before strip, or its debug file (--debug-file{3}"
        ").",
        Binary.Symbols == input::SymbolSource::Dynsym
            ? "only .dynsym, what the dynamic linker needs"
            : "and no .dynsym",
        Unnamed, Total,
        Binary.Debug.BuildId.empty() ? ""
                                     : "; build ID " + Binary.Debug.BuildId));
  }
  const input::CodeCounts &Code = Binary.Counts.Code;
  if (Code.IsRead && !Binary.HasFacts && Code.Functions)
    Notes.push_back(formatv(
        "{0} of {1} functions have no facts of a compiler and were read as "
        "machine code, where weights are estimates from loops{2}",
        Code.Functions, Code.Functions + Code.Skipped + Code.Unreached,
        isOptimisedAtLink(Binary.Image)
            ? "; this file was linked with -flto, so that the linker must run "
              "the pass, too: -Wl,--load-pass-plugin=linesman-facts.so"
            : ""));
  // Of functions without variables it is not known who compiled them, nor does
  // it matter.
  else if (Code.DataUsers)
    Notes.push_back(formatv(
        "{0} of {1} functions {2} variables and {3} no facts of a compiler "
        "(compiled without the pass); read as machine code, where weights are "
        "estimates from loops; lines that only such functions touch come last",
        Code.DataUsers, Code.Functions + Code.Skipped + Code.Unreached,
        Code.DataUsers == 1 ? "uses" : "use",
        Code.DataUsers == 1 ? "has" : "have"));
  else if (!Binary.HasFacts && !Code.IsRead)
    Notes.push_back(
        "no facts in this binary: who reads and writes is not known, so no "
        "line can be ranked. Compile with clang "
        "-fpass-plugin=linesman-facts.so and link as before; with -flto, "
        "also link with -Wl,--load-pass-plugin=linesman-facts.so.");
  if (const uint64_t Unreached = Binary.Counts.UnreachedFunctions)
    Notes.push_back(formatv("facts about {0} are left out: nothing in this "
                            "binary calls or names {1}",
                            report::plural(Unreached, "function"),
                            Unreached == 1 ? "it" : "them"));
  if (Code.Unreached && !Binary.HasFacts)
    Notes.push_back(formatv(
        "nothing in this binary leads to {0} of {1} functions: they "
        "are not read",
        Code.Unreached, Code.Functions + Code.Skipped + Code.Unreached));
  if (Code.StartsNoThread && !Binary.HasFacts)
    Notes.push_back("this program uses no function that is known to start "
                    "threads: what is shared here costs something only where "
                    "threads of a library run this code, or processes share "
                    "this memory");
  if (Code.IsGo)
    Notes.push_back(
        Binary.Symbols == input::SymbolSource::Symtab
            ? "this is a Go program: which goroutines run what is not known"
            : "this is a Go program without symbols: its own code is not read, "
              "only the C code in it; nothing here speaks for the rest");
  // A little of it is tables, and what was written in assembly.
  if (constexpr unsigned Noticed = 20;
      Code.NobodysBytes * Noticed > Code.CodeBytes)
    Notes.push_back(formatv(
        "{0} % of the code is in no function that a symbol or unwinding "
        "information names, and was not read: who touches data there "
        "is not known. Use the binary before strip, or its debug file",
        std::max<uint64_t>(100 * Code.NobodysBytes / Code.CodeBytes, 1)));
  auto Count = [&](uint64_t N, StringRef Subject) {
    if (N)
      Notes.push_back(formatv("{0}: {1}", Subject, N));
  };
  Count(count_if(Binary.Image.symbols(),
                 [](const Symbol &S) {
                   return S.Origin == SymbolOrigin::Anonymous;
                 }),
        "objects without a symbol, which are called by their place in a "
        "section and are as long as known accesses reach");
  Count(Binary.Accesses.counts().Unplaced,
        "facts about addresses that no symbol owns, which are not ranked");
  Count(Binary.Counts.Facts.UnknownRecords,
        "fact records of kinds that this version does not know");
  Count(Code.Undecodable, "bytes of functions that are no instruction");
  Count(Code.Overlapping,
        "functions that another one begins in, which are read up to there");
  Count(Code.Stray, "functions outside of any code, which are left out");
  Count(Binary.Counts.StraySymbols,
        "symbols outside of their section, which are left out");
  return Notes;
}

std::vector<std::string> describeGuesses(const GuessedLines &Lines) {
  std::vector<std::string> Notes;
  auto Add = [&](uint64_t Count, StringRef Reason) {
    if (Count)
      Notes.push_back(formatv("nothing says that threads often meet on {0} "
                              "more {1}, {2}; --guesses lists {3}",
                              Count, Count == 1 ? "line" : "lines", Reason,
                              Count == 1 ? "it" : "them"));
  };
  Add(Lines.WithoutSign,
      "of which only machine code tells: no atomic operation or lock that many "
      "ways lead to, no known threads on both sides");
  Add(Lines.Seldom, "of which only machine code tells: no two roles meet "
                    "often enough for a program of so many functions");
  Add(Lines.MostlyRead, "of which only machine code tells: mostly "
                        "read, and most writes are plain stores");
  Add(Lines.Nameless, "of objects without a symbol in a Rust program, most of "
                      "which are the standard library's or a crate's");
  Add(Lines.Library, "of objects of Rust's standard library, or of code in "
                     "another language that the Rust program has in it");
  Add(Lines.OwnLines, "of arrays whose elements have lines of their own: which "
                      "element a thread uses is not known");
  return Notes;
}

/// Why there are no facts about types.
static std::string describeNoTypes(const input::Binary &Binary) {
  if (!Binary.HasFacts)
    return "no facts about types in this binary; compile with this release's "
           "linesman-facts.so, optimised or with -g, or with another compiler "
           "with -O2 -g";
  if (Binary.Counts.Facts.LittleOptimised)
    return "no facts about types in this binary: functions that were compiled "
           "with the pass reach no object of a named type by a pointer; units "
           "compiled with -O0, -O1 or -Og without -g have no names of types";
  return "no facts about types in this binary: functions that were compiled "
         "with the pass reach no object of a named type by a pointer";
}

std::vector<std::string> describeTypeGaps(const input::Binary &Binary,
                                          const TypeScene &Scene,
                                          ArrayRef<std::string> Conflicts) {
  std::vector<std::string> Notes;
  uint64_t Nameless = 0;
  for (auto [T, Layout] : zip(Scene.Types, Scene.Layouts))
    Nameless += !Layout && !StringRef(T.Name).starts_with("pthread_");
  if (uint64_t Functions = Binary.Counts.Code.TypedFunctions)
    Notes.push_back(formatv(
        "types by machine code: {0} {1} objects through pointers whose type "
        "debug information tells; what is cast, or led back from a member to "
        "its object, is not seen",
        Functions, Functions == 1 ? "function uses" : "functions use"));
  if (Scene.Types.empty())
    Notes.push_back(describeNoTypes(Binary));
  else if (Nameless)
    Notes.push_back(formatv(
        "{0} of {1} types have no debug info here (-g): their fields are known "
        "by offset, as far as somebody accesses them",
        Nameless, Scene.Types.size()));
  if (Scene.LeftOut)
    Notes.push_back(formatv("too many types: {0} of {1} are left out",
                            Scene.LeftOut, Scene.Types.size()));
  if (!Conflicts.empty())
    Notes.push_back(formatv(
        "{0} {1} one name and several layouts in this "
        "binary, and {2} ranked apart: {3}",
        Conflicts.size(), Conflicts.size() == 1 ? "type has" : "types have",
        Conflicts.size() == 1 ? "is" : "are", join(Conflicts, ", ")));
  return Notes;
}

} // namespace linesman::drive
