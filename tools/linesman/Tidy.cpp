// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman tidy: the checks over a build as one gate.
//
//     tools ─▶ canary ─▶ units ─▶ clang-tidy side by side ─┐
//                          └────▶ facts, built or compiled ┴▶ one list ─▶ gate

#include "Commands.h"
#include "Deliver.h"
#include "linesman/Drive/Changes.h"
#include "linesman/Drive/GatherFacts.h"
#include "linesman/Drive/RunTidy.h"
#include "linesman/Guard/Text.h"
#include "linesman/Input/ReadTidy.h"
#include "linesman/Report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"
#include <set>
#include <unistd.h>

using namespace llvm;
using namespace linesman::drive;

namespace linesman::tool {

using options::NumberOption;

namespace {

/// Facts alone say much: these are what a reader has time for.
constexpr size_t MostFactsAlone = 5;

struct Options {
  cl::SubCommand Command{"tidy", "The checks over a build, as a gate"};
  cl::list<std::string> Files{cl::Positional, cl::desc("[FILES]"),
                              cl::sub(Command)};
  cl::opt<std::string> Build{
      "p", cl::desc("Folder of compile_commands.json (., build, or above)"),
      cl::value_desc("folder"), cl::sub(Command)};
  cl::opt<std::string> Since{
      "changed-since",
      cl::desc("Only units that see what changed since this revision, and "
               "findings on lines that did"),
      cl::value_desc("revision"), cl::sub(Command)};
  cl::opt<std::string> ClangTidy{
      "clang-tidy", cl::desc("This clang-tidy (the plugin's release)"),
      cl::value_desc("file"), cl::sub(Command)};
  cl::opt<std::string> Plugin{"plugin",
                              cl::desc("This linesman-tidy.so (near linesman)"),
                              cl::value_desc("file"), cl::sub(Command)};
  cl::opt<std::string> Checks{
      "checks", cl::desc("Which checks run (-*,linesman-*)"),
      cl::value_desc("globs"), cl::init("-*,linesman-*"), cl::sub(Command)};
  NumberOption<unsigned> Jobs{"jobs",
                              cl::desc("Units at one time (all processors)"),
                              cl::value_desc("n"), cl::sub(Command)};
  NumberOption<unsigned> Top{"top",
                             cl::desc("At most this many findings (text: 10)"),
                             cl::value_desc("n"), cl::sub(Command)};
  cl::opt<UnitFacts> Facts{
      "unit-facts",
      cl::desc("Facts that support, rank and contradict what the checks say"),
      cl::values(
          clEnumValN(UnitFacts::Compiled, "compile",
                     "of objects that have some; other units are "
                     "compiled for them (default)"),
          clEnumValN(UnitFacts::Built, "build", "of objects that have some"),
          clEnumValN(UnitFacts::None, "none", "")),
      cl::init(UnitFacts::Compiled), cl::sub(Command)};
  DeliveryOptions To{Command, Format::Text, FindingsFormatOption::Page::None};
};

std::string wholePath(StringRef Path) {
  SmallString<256> Result(Path);
  sys::fs::make_absolute(Result);
  sys::path::remove_dots(Result, /*remove_dot_dot=*/true);
  return Result.str().str();
}

Expected<std::vector<drive::CompiledUnit>>
chooseUnits(const Options &Opts, StringRef Build,
            const std::optional<drive::Changes> &Changed) {
  Expected<std::vector<drive::CompiledUnit>> All = drive::readUnits(Build);
  if (!All || (Opts.Files.empty() && !Changed))
    return All;
  if (Changed) {
    std::vector<std::string> Paths;
    for (const drive::CompiledUnit &Unit : *All)
      Paths.push_back(Unit.File);
    Expected<std::vector<bool>> Sees = drive::findAffected(*Changed, Paths);
    if (!Sees)
      return Sees.takeError();
    std::vector<drive::CompiledUnit> Some;
    for (auto [Unit, IsSeen] : zip(*All, *Sees))
      if (IsSeen)
        Some.push_back(std::move(Unit));
    *All = std::move(Some);
  }
  if (Opts.Files.empty())
    return All;
  std::vector<drive::CompiledUnit> Some;
  for (const std::string &File : Opts.Files) {
    auto It = find_if(*All, [&](const drive::CompiledUnit &Unit) {
      return Unit.File == wholePath(File);
    });
    if (It != All->end())
      Some.push_back(*It);
    else if (!Changed)
      return createStringError("'" + File + "' is no unit of " + Build +
                               "/compile_commands.json; headers are looked at "
                               "in units that include them");
  }
  return Some;
}

/// One line on a terminal that changes.
class Progress {
public:
  explicit Progress(StringRef What) : What(What) {}
  void operator()(size_t Done, size_t All, StringRef File) const {
    if (::isatty(STDERR_FILENO))
      errs() << formatv("\r\033[Klinesman: {0} of {1} units {2}, {3}", Done,
                        All, What, sys::path::filename(File))
             << (Done == All ? "\r\033[K" : "");
  }

private:
  StringRef What;
};

/// What the checks reported.
struct Checked {
  json::Array Findings;
  /// Options that clang does not know, sorted.
  std::set<std::string> LeftOut;
  Error Incomplete = Error::success();
};

Expected<Checked> readResults(ArrayRef<drive::UnitResult> Results) {
  std::vector<layout::SuspectedFinding> Found;
  Checked Read;
  StringSet<> Seen;
  for (const drive::UnitResult &Unit : Results) {
    auto Miss = [&](const Twine &Why) {
      Read.Incomplete =
          joinErrors(std::move(Read.Incomplete),
                     createFileError(Unit.File, createStringError(Why)));
    };
    if (!Unit.Problem.empty())
      Miss(Unit.Problem);
    Read.LeftOut.insert(Unit.LeftOut.begin(), Unit.LeftOut.end());
    Expected<input::TidyResults> Tidy =
        input::readTidy({Unit.Exported, Unit.File});
    if (!Tidy)
      return joinErrors(std::move(Read.Incomplete), Tidy.takeError());
    if (Tidy->CompileErrors)
      Miss("it does not compile, so the checks have not seen all of it: " +
           Twine(Tidy->CompileErrors) + " errors");
    // A header's finding comes from each unit that includes it.
    for (layout::SuspectedFinding &Finding : Tidy->Findings)
      if (Seen.insert(Finding.Check + "\n" + Finding.Source + "\n" +
                      Finding.Message)
              .second)
        Found.push_back(std::move(Finding));
  }
  Expected<json::Array> Json = report::toJson(Found);
  if (!Json)
    return joinErrors(std::move(Read.Incomplete), Json.takeError());
  Read.Findings = std::move(*Json);
  return Read;
}

bool hasCheck(const json::Object &Finding) {
  return Finding.getString("check").has_value();
}

/// Whether the line has an atomic operation or a lock, and something beside it.
/// Objects of a type belong to one thread each more often than not, and without
/// one of them facts cannot tell that threads meet on them; and that a lock is
/// taken by many says nothing about which of its objects.
bool isSynchronised(const json::Object &Finding) {
  if (Finding.getString("kind") == report::word(layout::SharingKind::True))
    return false;
  const json::Array *Occupants = Finding.getArray("occupants");
  return Occupants && any_of(*Occupants, [](const json::Value &Each) {
           const json::Object *Occupant = Each.getAsObject();
           return Occupant && Occupant->getNumber("atomics").value_or(0) > 0;
         });
}

/// Of what only facts say, the first variables, and the first fields of types
/// that say who meets there. Returns how many fields went for that reason.
size_t shorten(json::Array &Findings) {
  json::Array Kept;
  size_t Variables = 0, Fields = 0, Silent = 0;
  for (json::Value &Value : Findings) {
    const json::Object &Finding = *Value.getAsObject();
    const bool IsField = Finding.getObject("type");
    if (!hasCheck(Finding) && IsField && !isSynchronised(Finding)) {
      ++Silent;
      continue;
    }
    if (hasCheck(Finding) || (IsField ? Fields : Variables)++ < MostFactsAlone)
      Kept.push_back(std::move(Value));
  }
  Findings = std::move(Kept);
  return Silent;
}

/// Those with a place on a line that changed. Returns how many went.
size_t keepChanged(const drive::Changes &Changed, json::Array &Findings) {
  report::SourceRoot Tree(Changed.Root, Changed.Root);
  json::Array Kept;
  for (json::Value &Value : Findings) {
    Expected<report::Finding> Finding =
        report::readFinding(*Value.getAsObject());
    if (!Finding) {
      consumeError(Finding.takeError());
      continue;
    }
    if (any_of(report::placesOf(*Finding), [&](const auto &At) {
          return Changed.contains(Tree.relative(At.File), At.Line);
        }))
      Kept.push_back(std::move(Value));
  }
  size_t Left = Findings.size() - Kept.size();
  Findings = std::move(Kept);
  return Left;
}

Expected<int> tidy(const Options &Opts) {
  if (Error E = Opts.To.check())
    return std::move(E);
  Expected<std::string> Build = drive::findBuild(Opts.Build);
  if (!Build)
    return Build.takeError();
  const std::string Program = sys::fs::getMainExecutable(nullptr, nullptr);
  Expected<drive::TidyTools> Tools =
      drive::findTidyTools(Opts.ClangTidy, Opts.Plugin, Program);
  if (!Tools)
    return Tools.takeError();
  if (Error E = drive::proveChecksRun(*Tools, Opts.Checks))
    return std::move(E);
  std::optional<drive::Changes> Changed;
  if (!Opts.Since.empty()) {
    Expected<drive::Changes> Read = drive::readChanges(Opts.Since);
    if (!Read)
      return Read.takeError();
    Changed = std::move(*Read);
  }
  Expected<std::vector<drive::CompiledUnit>> Units =
      chooseUnits(Opts, *Build, Changed);
  if (!Units)
    return Units.takeError();
  unsigned Jobs =
      Opts.Jobs ? Opts.Jobs : hardware_concurrency().compute_thread_count();
  Expected<std::vector<drive::UnitResult>> Results = drive::runTidy(
      *Tools, {*Build, Opts.Checks, Jobs}, *Units, Progress("checked"));
  if (!Results)
    return Results.takeError();
  Expected<Checked> Read = readResults(*Results);
  if (!Read)
    return Read.takeError();

  std::vector<report::FindingsList> Lists;
  report::MergeOptions Merge;
  Lists.push_back({"checks", std::move(Read->Findings)});
  GatheredFacts Facts = gatherFacts(
      *Units, {Opts.Facts, Opts.Files.empty() && !Changed ? *Build : "", Jobs},
      [&] { return findFactsTools(*Tools, Program); },
      Progress("compiled for their facts"));
  append_range(Lists, std::move(Facts.Lists));
  Merge.Contradicted = std::move(Facts.Contradicted);
  for (const std::string &Note : Facts.Notes)
    guard::PrintableStream(errs()) << "linesman: note: " << Note << '\n';
  report::MergedFindings Merged =
      report::mergeFindings(std::move(Lists), Merge);
  Merged.Command = "tidy";
  if (size_t Silent = shorten(Merged.Findings))
    errs()
        << "linesman: note: fields that only facts name, without an atomic "
           "operation or a lock beside something else, which linesman layout "
           "--types shows: "
        << Silent << '\n';
  errs() << "linesman: note: units checked: " << Units->size() << '\n';
  if (!Read->LeftOut.empty())
    guard::PrintableStream(errs())
        << "linesman: note: options of the build that clang does not know, "
           "which are left out: "
        << join(Read->LeftOut, " ") << '\n';
  if (Changed)
    if (size_t Left = keepChanged(*Changed, Merged.Findings))
      errs() << "linesman: note: findings on lines that did not change, which "
                "are left out: "
             << Left << '\n';
  Expected<int> Code = deliverMerged(
      Opts.To, Merged,
      Opts.Top.getNumOccurrences() ? std::optional<uint64_t>(Opts.Top)
                                   : std::nullopt,
      [](const report::Finding &F) { return F.hasCheck(); });
  if (!Code)
    return joinErrors(std::move(Read->Incomplete), Code.takeError());
  if (Read->Incomplete)
    return std::move(Read->Incomplete);
  return Code;
}

} // namespace

int runTidy(Arguments Args) {
  Options Opts;
  Opts.To.Fails.judgeFrom(layout::Rung::Suspected);
  if (!parseOptions(Args,
                    "linesman tidy: the checks over a build, as a gate\n"))
    return Failure;
  // Damaged debug information costs names, not the report.
  CrashRecoveryContext::Enable();
  Expected<int> Result = tidy(Opts);
  return Result ? *Result : fail(Result.takeError());
}

} // namespace linesman::tool
