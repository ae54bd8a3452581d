// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debug information and code are opened when the first site is printed.

#include "linesman/Drive/ReportDetails.h"
#include "linesman/Drive/LayoutNotes.h"
#include "linesman/Input/CodeWords.h"
#include "linesman/Input/ReadTypes.h"
#include "linesman/Input/SourceLines.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::drive {

namespace {

/// Bytes of what is likely to have no members.
constexpr uint64_t LargestScalar = 16;

/// The types of the touched objects on the lines of findings, and what is
/// missing there.
layout::ObjectTypes readMembers(const input::Binary &Binary,
                                ArrayRef<LineFinding> Findings,
                                std::vector<std::string> &Notes) {
  std::vector<uint32_t> Wanted;
  for (const LineFinding &Finding : Findings)
    for (const LineOccupant &Place : Finding.Occupants)
      if (Place.Object)
        Wanted.push_back(Place.Object->Symbol);
  llvm::sort(Wanted);
  Wanted.erase(llvm::unique(Wanted), Wanted.end());
  auto [Types, Counts] = input::readTypes(Binary, Wanted);
  // Only where it would say something: an object larger than a number.
  if (!Counts.Units && !Counts.Problems && any_of(Wanted, [&](uint32_t Index) {
        return Binary.Image.symbols()[Index].Size > LargestScalar;
      }))
    Notes.push_back("no debug information in this binary, so members of "
                    "objects have no names; compile with -g, or use its debug "
                    "file (--debug-file)");
  if (Counts.Units && !Counts.HasVariables)
    Notes.push_back("the debug information has no variables (-g1), so members "
                    "of objects have no names; compile with -g");
  if (Counts.MissingSplit)
    Notes.push_back(formatv(
        "debug information that may be about objects of these findings is in "
        "{0} that {1} not there ({2}), so their members have no names",
        Counts.MissingSplit == 1 ? "a file"
                                 : report::plural(Counts.MissingSplit, "file"),
        Counts.MissingSplit == 1 ? "is" : "are", Counts.FirstMissing));
  if (Counts.Problems)
    Notes.push_back(formatv("damaged debug information: {0}, the "
                            "first: {1}",
                            report::plural(Counts.Problems, "problem"),
                            Counts.FirstProblem));
  return std::move(Types);
}

/// DWARF is opened when the first site of machine code is printed.
class LazySources {
public:
  explicit LazySources(const input::Binary &Program) : Program(Program) {}
  LazySources(const LazySources &) = delete;
  LazySources &operator=(const LazySources &) = delete;

  StringRef damage() const { return Opened ? Opened->damage() : ""; }
  auto finder() {
    return [this](LinkAddress Instruction) {
      if (!Opened)
        Opened.emplace(Program);
      return Opened->find(Instruction);
    };
  }

private:
  const input::Binary &Program;
  std::optional<input::SourceLines> Opened;
};

/// What code without names says, for the sites that are printed.
class LazyWords {
public:
  explicit LazyWords(const input::Binary &Program) : Program(Program) {}
  LazyWords(const LazyWords &) = delete;
  LazyWords &operator=(const LazyWords &) = delete;

  void answer(report::LayoutReport &Report) {
    Report.DescribeFunction = [this](LinkAddress Function) {
      return opened().describeFunction(Function);
    };
    Report.FindCallee = [this](LinkAddress Function, LinkAddress Instruction) {
      return opened().findCallee(Function, Instruction);
    };
  }

private:
  const input::Binary &Program;
  std::optional<input::CodeWords> Opened;

  input::CodeWords &opened() {
    if (!Opened)
      Opened.emplace(Program);
    return *Opened;
  }
};

} // namespace

struct ReportDetails::Lazy {
  explicit Lazy(const input::Binary &Program)
      : Sources(Program), Words(Program) {}
  LazySources Sources;
  LazyWords Words;
};

ReportDetails::ReportDetails(const input::Binary &Program,
                             ArrayRef<LineFinding> Findings,
                             std::vector<std::string> &Notes, Warning Warn)
    : Members(readMembers(Program, Findings, Notes)),
      Opened(std::make_unique<Lazy>(Program)), Warn(std::move(Warn)) {}

ReportDetails::~ReportDetails() {
  if (StringRef Damage = Opened->Sources.damage(); !Damage.empty())
    Warn(("damaged debug information, so some sites have no source: " + Damage)
             .str());
}

void ReportDetails::answer(report::LayoutReport &Report) {
  Report.ObjectTypes = &Members;
  Report.FindFrames = Opened->Sources.finder();
  Opened->Words.answer(Report);
}

Error reportLines(const RankedBinary &Ranked, size_t Most,
                  function_ref<Error(const report::LayoutReport &)> Write,
                  ReportDetails::Warning Warn) {
  // Damaged debug information costs names, not the report.
  CrashRecoveryContext::Enable();
  const input::Binary &Binary = Ranked.Binary;
  ArrayRef<LineFinding> Shown =
      Ranked.Findings.take_front(std::min(Most, Ranked.Findings.size()));
  LineMap Lines(Binary.Image, Ranked.Line);
  PageMap Pages(Binary.Image, {});
  std::vector<std::string> Notes = describeGaps(Binary);
  ReportDetails Details(Binary, Shown, Notes, std::move(Warn));
  report::LayoutReport Report{Ranked.Path,
                              Binary.Image,
                              Binary.Accesses,
                              Lines,
                              Pages,
                              Shown,
                              Ranked.Findings.size() - Shown.size(),
                              Notes};
  for (const LineFinding &F : Ranked.Findings)
    Report.TotalScore += F.Points.total();
  Details.answer(Report);
  return Write(Report);
}

std::vector<report::Finding> documentLines(const RankedBinary &Ranked,
                                           ReportDetails::Warning Warn) {
  std::vector<report::Finding> Result;
  cantFail(reportLines(
      Ranked, Ranked.Findings.size(),
      [&](const report::LayoutReport &Report) {
        Result = report::describeFindings(Report);
        return Error::success();
      },
      std::move(Warn)));
  return Result;
}

} // namespace linesman::drive
