// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman layout BINARY: read, map, find, select, print.

#include "Commands.h"
#include "linesman/Input/ReadBinary.h"
#include "linesman/Input/ReadSamples.h"
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

bool matches(const Regex &Filter, const Image &Image,
             const LineFinding &Finding) {
  return any_of(Finding.Occupants, [&](const LineOccupant &Place) {
    std::string Label = Image.label(Place.Occupant);
    return Filter.match(Label) || Filter.match(demangle(Label));
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
  if (!Binary.HasFacts)
    Notes.push_back(
        "no facts in this binary: who reads and writes is not known, so no "
        "line can be ranked. Compile with clang "
        "-fpass-plugin=linesman-facts.so and link as before.");
  auto Count = [&](uint64_t N, StringRef What) {
    if (N)
      Notes.push_back(formatv("{0} {1}", N, What));
  };
  Count(Binary.Accesses.counts().Unplaced,
        "facts are about addresses that no symbol owns; they are not ranked");
  Count(Binary.Counts.Facts.UnknownRecords,
        "fact records are of kinds that this version does not know");
  Count(Binary.Counts.StraySymbols,
        "symbols lie outside their section; they are left out");
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

int runLayout(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args, "linesman layout: what shares a cache line\n"))
    return Failure;
  if (Error E = checkOptions(Opts))
    return fail(std::move(E));

  Expected<input::Binary> Binary = input::readBinary(Opts.Binary);
  if (!Binary)
    return fail(Binary.takeError());
  std::vector<std::string> Notes = describeGaps(*Binary);
  if (Error E = weigh(Opts, *Binary, Notes))
    return fail(std::move(E));
  const Image &Image = Binary->Image;
  LineMap Lines(Image, {Opts.Line});
  PageMap Pages(Image, {Opts.Page});
  std::vector<LineFinding> Findings =
      findHazards(Image, Lines, Binary->Accesses);
  if (!Opts.Filter.empty()) {
    Regex Filter(Opts.Filter);
    erase_if(Findings, [&](const LineFinding &Finding) {
      return !matches(Filter, Image, Finding);
    });
  }

  uint64_t Most = Findings.size();
  if (Opts.Top.getNumOccurrences())
    Most = Opts.Top;
  else if (Opts.As == Format::Text)
    Most = DefaultTop;
  report::LayoutReport Report{Opts.Binary,
                              Image,
                              Binary->Accesses,
                              Lines,
                              Pages,
                              ArrayRef(Findings).take_front(Most),
                              Findings.size() -
                                  std::min<uint64_t>(Most, Findings.size()),
                              Notes};
  if (Opts.All)
    Report.List = report::LineList::All;
  else if (!Binary->HasFacts && Opts.As == Format::Text)
    Report.List = report::LineList::First;
  Report.FirstLines = Opts.Top.getNumOccurrences() ? Opts.Top : DefaultTop;

  auto *Write = Opts.As == Format::Json ? report::writeJson : report::writeText;
  if (Error E =
          writeOutput(Opts.Output, [&](raw_ostream &OS) { Write(Report, OS); }))
    return fail(std::move(E));
  bool Fails = Opts.FailOn.getNumOccurrences() &&
               any_of(Findings, [&](const LineFinding &Finding) {
                 return Finding.At >= Opts.FailOn;
               });
  return Fails ? Found : Success;
}

} // namespace linesman::tool
