// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman layout BINARY: read, map, find, select, print.

#include "Commands.h"
#include "linesman/Input/ReadBinary.h"
#include "linesman/Input/ReadSamples.h"
#include "linesman/Input/SourceLines.h"
#include "linesman/Report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::tool {

namespace {

enum class Format { Text, Json };

constexpr uint64_t SmallestPage = 4096, LargestPage = uint64_t(1) << 30;
constexpr unsigned DefaultTop = 10;

struct Options {
  cl::SubCommand Command{"layout", "Lines and pages of a binary"};
  cl::opt<std::string> Binary{cl::Positional, cl::Required, cl::desc("BINARY"),
                              cl::sub(Command)};
  cl::opt<Format> As{
      "format", cl::desc("Form of the report"),
      cl::values(clEnumValN(Format::Text, "text", "for a terminal (default)"),
                 clEnumValN(Format::Json, "json", "schema 1")),
      cl::init(Format::Text), cl::sub(Command)};
  cl::opt<input::FactsFrom> Facts{
      "facts", cl::desc("Who tells what functions do"),
      cl::values(
          clEnumValN(input::FactsFrom::Compiler, "compiler",
                     "the facts section"),
          clEnumValN(input::FactsFrom::Code, "code", "the instructions"),
          clEnumValN(input::FactsFrom::Auto, "auto",
                     "the facts section where it has a function (default)")),
      cl::init(input::FactsFrom::Auto), cl::sub(Command)};
  cl::opt<std::string> Output{"o", cl::desc("Write to this file, not stdout"),
                              cl::value_desc("file"), cl::sub(Command)};
  cl::opt<uint64_t> Line{"line-size", cl::desc("Bytes of a cache line (64)"),
                         cl::value_desc("bytes"), cl::init(64),
                         cl::sub(Command)};
  cl::opt<uint64_t> Page{"page-size", cl::desc("Bytes of a page (4096)"),
                         cl::value_desc("bytes"), cl::init(4096),
                         cl::sub(Command)};
  cl::opt<unsigned> Top{
      "top", cl::desc("At most this many findings (text: 10, json: all)"),
      cl::value_desc("n"), cl::sub(Command)};
  cl::opt<std::string> Filter{
      "filter", cl::desc("Only findings with an occupant that matches"),
      cl::value_desc("regex"), cl::sub(Command)};
  cl::list<std::string> ThreadEntries{
      "thread-entry",
      cl::desc("Threads start at this function, besides the "
               "known ones; may be repeated"),
      cl::value_desc("function"), cl::sub(Command)};
  cl::opt<std::string> Samples{
      "samples",
      cl::desc("Weigh functions by what a profiler saw: lines of "
               "SYMBOL+0xOFFSET or 0xADDRESS, and a count"),
      cl::value_desc("file"), cl::sub(Command)};
  cl::opt<bool> All{"all", cl::desc("List every line, also without facts"),
                    cl::sub(Command)};
  cl::opt<Rung> FailOn{
      "fail-on",
      cl::desc("Exit with 1 when a finding is on this rung or above"),
      cl::values(clEnumValN(Rung::Suspected, "suspected", ""),
                 clEnumValN(Rung::Located, "located", ""),
                 clEnumValN(Rung::Observed, "observed", ""),
                 clEnumValN(Rung::Costed, "costed", "")),
      cl::sub(Command)};
};

Error checkOptions(const Options &Opts) {
  std::string Problem;
  if (!Opts.Filter.empty() && !Regex(Opts.Filter).isValid(Problem))
    return createStringError("--filter=" + Opts.Filter + ": " + Problem);
  return joinErrors(
      checkLineSize(Opts.Line),
      checkPowerOfTwo("page-size", Opts.Page, SmallestPage, LargestPage));
}

bool matches(const Regex &Filter, const Image &Image, const LineMap &Lines,
             const RankedLine &Ranked) {
  auto MatchesName = [&](StringRef Name) {
    return Filter.match(Name) || Filter.match(demangle(Name));
  };
  return any_of(Lines.occupants(Ranked.Line), [&](OccupantIndex Occupant) {
    if (MatchesName(Image.label(Occupant)))
      return true;
    return Image.occupants()[Occupant].Kind == OccupantKind::Object &&
           any_of(Image.aliases(Occupant), [&](const Symbol *Alias) {
             return MatchesName(Alias->name());
           });
  });
}

/// What the reader of a report must know about what is not in it.
std::vector<std::string> describeGaps(const input::Binary &Binary) {
  std::vector<std::string> Notes;
  if (Binary.Symbols != input::SymbolSource::Symtab) {
    uint64_t Total = 0, Unnamed = 0;
    const Image &Image = Binary.Image;
    for (auto [Index, S] : enumerate(Image.sections())) {
      if (S.Kind != SectionKind::Data)
        continue;
      Total += S.Range.size();
      OccupantIndex First = Image.firstOccupantOf(Index);
      for (OccupantIndex I = 0; I != Image.occupantsOf(Index).size(); ++I)
        if (Image.occupants()[First + I].Kind == OccupantKind::NoSymbol)
          Unnamed += Image.range(First + I).size();
    }
    Notes.push_back(formatv(
        "no symbol table ({0}): {1} of {2} writable bytes have no name. Use "
        "the binary as linked, before strip.",
        Binary.Symbols == input::SymbolSource::Dynsym
            ? "only .dynsym, what the dynamic linker needs"
            : "and no .dynsym",
        Unnamed, Total));
  }
  const input::CodeCounts &Code = Binary.Counts.Code;
  // Start-up files are without facts in every binary: not worth a note.
  if (Code.IsRead && (Code.Facts || !Binary.HasFacts))
    Notes.push_back(formatv(
        "{0} of {1} functions have no facts of a compiler and were read as "
        "machine code, where weights are estimates from loops",
        Code.Functions, Code.Functions + Code.Skipped));
  else if (!Binary.HasFacts)
    Notes.push_back(
        "no facts in this binary: who reads and writes is not known, so no "
        "line can be ranked. Compile with clang "
        "-fpass-plugin=linesman-facts.so and link as before.");
  auto Count = [&](uint64_t N, StringRef What) {
    if (N)
      Notes.push_back(formatv("{0}: {1}", What, N));
  };
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

/// Who runs what, and how often.
Error weigh(const Options &Opts, input::Binary &Binary,
            std::vector<std::string> &Notes) {
  std::vector<NodeIndex> Entries;
  for (const std::string &Name : Opts.ThreadEntries) {
    NodeIndex Entry = Binary.Calls.find(Name);
    if (Entry == NoNode)
      return createStringError("--thread-entry=" + Name +
                               ": the binary has no facts about a function of "
                               "this name");
    Entries.push_back(Entry);
  }
  if (auto Roles = assignRoles(Binary.Calls, Entries))
    Binary.Accesses.setRoles(std::move(*Roles), Binary.Calls);
  else if (Binary.Calls.HasCalls)
    Notes.push_back("no place is known where a thread starts: all but start-up "
                    "code may run on any number of threads. --thread-entry "
                    "names functions that threads run.");
  if (Opts.Samples.empty())
    return Error::success();
  Expected<input::Samples> Samples =
      input::readSamples(Opts.Samples, Binary.Functions);
  if (!Samples)
    return Samples.takeError();
  Binary.Accesses.reweigh([&](LinkAddress Function) {
    return Samples->OfFunction.lookup(Function.Value);
  });
  if (Samples->Elsewhere > 0)
    Notes.push_back(formatv("{0} samples are in no function of this binary",
                            uint64_t(Samples->Elsewhere)));
  return Error::success();
}

} // namespace

Error printLayout(StringRef Path, raw_ostream &OS) {
  Expected<input::Binary> Binary = input::readBinary(Path);
  if (!Binary)
    return Binary.takeError();
  LineMap Lines(Binary->Image, {});
  PageMap Pages(Binary->Image, {});
  std::vector<LineFinding> Findings =
      findHazards(Binary->Image, Lines, Binary->Accesses);
  std::vector<std::string> Notes = describeGaps(*Binary);
  ArrayRef<LineFinding> Shown = ArrayRef(Findings).take_front(DefaultTop);
  report::LayoutReport Report{Path,
                              Binary->Image,
                              Binary->Accesses,
                              Lines,
                              Pages,
                              Shown,
                              Findings.size() - Shown.size(),
                              Notes};
  report::writeText(Report, OS);
  return Error::success();
}

int runLayout(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args, "linesman layout: what shares a cache line\n"))
    return Failure;
  if (Error E = checkOptions(Opts))
    return fail(std::move(E));

  Expected<input::Binary> Binary = input::readBinary(Opts.Binary, Opts.Facts);
  if (!Binary)
    return fail(Binary.takeError());
  // A gate that cannot see must not say that all is well.
  if (Opts.FailOn.getNumOccurrences() && !Binary->HasFacts &&
      !Binary->Counts.Code.IsRead)
    return fail(createStringError(
        "'" + Opts.Binary +
        "': no facts in this binary, so --fail-on has "
        "nothing to judge; compile with -fpass-plugin=linesman-facts.so"));
  std::vector<std::string> Notes = describeGaps(*Binary);
  if (Error E = weigh(Opts, *Binary, Notes))
    return fail(std::move(E));
  const Image &Image = Binary->Image;
  LineMap Lines(Image, {Opts.Line});
  PageMap Pages(Image, {Opts.Page});
  std::vector<RankedLine> Ranked = rankHazards(Image, Lines, Binary->Accesses);
  if (!Opts.Filter.empty()) {
    Regex Filter(Opts.Filter);
    erase_if(Ranked, [&](const RankedLine &R) {
      return !matches(Filter, Image, Lines, R);
    });
  }

  uint64_t Most = Ranked.size();
  if (Opts.Top.getNumOccurrences())
    Most = Opts.Top;
  else if (Opts.As == Format::Text)
    Most = DefaultTop;
  std::vector<LineFinding> Findings = describeHazards(
      Image, Lines, Binary->Accesses, ArrayRef(Ranked).take_front(Most));
  report::LayoutReport Report{Opts.Binary,
                              Image,
                              Binary->Accesses,
                              Lines,
                              Pages,
                              Findings,
                              Ranked.size() - Findings.size(),
                              Notes};
  if (Opts.All)
    Report.List = report::LineList::All;
  else if (Binary->Accesses.empty() && Opts.As == Format::Text)
    Report.List = report::LineList::First;
  Report.FirstLines = Opts.Top.getNumOccurrences() ? Opts.Top : DefaultTop;

  // DWARF is opened when the first site of machine code is printed.
  std::optional<input::SourceLines> Sources;
  Report.FindFrames = [&](LinkAddress Instruction) {
    if (!Sources)
      Sources.emplace(*Binary);
    return Sources->find(Instruction);
  };

  auto Write = [&](raw_ostream &OS) {
    if (Opts.As == Format::Json)
      report::writeJson(Report, OS);
    else
      report::writeText(Report, OS);
  };
  if (Error E = writeOutput(Opts.Output, Write))
    return fail(std::move(E));
  // A binary alone shows where things are: no finding is on another rung.
  bool Fails = Opts.FailOn.getNumOccurrences() && !Ranked.empty() &&
               Rung::Located >= Opts.FailOn;
  return Fails ? Found : Success;
}

} // namespace linesman::tool
