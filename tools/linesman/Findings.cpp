// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman findings: what checks, the facts of units and binaries, and reports
// say, as one list.

#include "Commands.h"
#include "Deliver.h"
#include "linesman/Drive/UnitFindings.h"
#include "linesman/Guard/Document.h"
#include "linesman/Input/ReadTidy.h"
#include "linesman/Options/OptionTable.h"
#include "linesman/Report/Merge.h"
#include "linesman/Report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace linesman::drive;

namespace linesman::tool {

using options::NumberOption;

namespace {

struct Options {
  cl::SubCommand Command{"findings", "Findings of any command as one list"};
  cl::list<std::string> FromTidy{
      "from-tidy",
      cl::desc("What clang-tidy exported (--export-fixes) or printed; - is "
               "stdin; may be repeated"),
      cl::value_desc("file"), cl::sub(Command)};
  cl::list<std::string> Objects{
      "objects",
      cl::desc("Facts before the link: an object, an archive, or a folder of "
               "objects; may be repeated"),
      cl::value_desc("path"), cl::sub(Command)};
  cl::opt<std::string> Binary{
      "binary", cl::desc("Say of each finding where it is in this binary"),
      cl::value_desc("file"), cl::sub(Command)};
  cl::list<std::string> Reports{
      "report",
      cl::desc("JSON of layout, watch, bisect or findings; may be repeated"),
      cl::value_desc("file"), cl::sub(Command)};
  cl::opt<bool> All{
      "all", cl::desc("Keep what facts contradict, at the end of the list"),
      cl::sub(Command)};
  NumberOption<unsigned> Top{"top",
                             cl::desc("At most this many findings (text: 10, "
                                      "markdown: 5, sarif, gitlab: 1000, json: "
                                      "all)"),
                             cl::value_desc("n"), cl::sub(Command)};
  DeliveryOptions To{Command, Format::Json, FindingsFormatOption::Page::None};
};

Expected<std::unique_ptr<MemoryBuffer>> open(StringRef Path) {
  return guard::readDocument(Path, guard::Source::FileOrStandardInput);
}

/// All that was read, before it is merged.
struct Sources {
  std::vector<report::FindingsList> Lists;
  report::MergeOptions Merge;
  /// What the compiler reported, file by file: the checks have not seen all.
  Error Incomplete = Error::success();
  /// Where nothing says that the checks ran.
  std::string Blind;
};

Error addChecks(const Options &Opts, Sources &Into) {
  report::FindingsList List{"checks", {}};
  uint64_t Others = 0;
  for (const std::string &Path : Opts.FromTidy) {
    Expected<std::unique_ptr<MemoryBuffer>> File = open(Path);
    if (!File)
      return File.takeError();
    Expected<input::TidyResults> Results = input::readTidy(**File);
    if (!Results)
      return Results.takeError();
    Others += Results->OtherChecks;
    if (Results->IsEmpty)
      Into.Blind = "'" + Path +
                   "': an empty file: nothing says that the checks "
                   "ran";
    Expected<json::Array> Findings = report::toJson(Results->Findings);
    if (!Findings)
      return Findings.takeError();
    for (json::Value &Finding : *Findings)
      List.Findings.push_back(std::move(Finding));
    if (Results->CompileErrors)
      Into.Incomplete = joinErrors(
          std::move(Into.Incomplete),
          createFileError(Path,
                          createStringError(
                              "the compiler reported errors (" +
                              Twine(Results->CompileErrors) +
                              "): clang-tidy has not seen all of the code, and "
                              "these are not all findings")));
  }
  if (Others)
    errs() << "linesman: note: " << Others
           << " diagnostics of other checks passed over\n";
  if (!Opts.FromTidy.empty())
    Into.Lists.push_back(std::move(List));
  return Error::success();
}

Error addFacts(StringRef Path, Sources &Into, FactFindings &Facts) {
  Expected<FactFindings> Read = readFactFindings(Path, Path);
  if (!Read)
    return Read.takeError();
  Facts = std::move(*Read);
  for (report::FindingsList &List : Facts.Lists)
    Into.Lists.push_back(std::move(List));
  for (const auto &Entry : Facts.Contradicted)
    Into.Merge.Contradicted.try_emplace(Entry.first(), Entry.second);
  return Error::success();
}

/// What the build does with each variable that a check named.
void remarkOnBuild(StringRef Binary, const FactFindings &Facts, Sources &Into) {
  // Whose line each variable is on.
  StringMap<std::string> Located;
  for (const report::FindingsList &List : Into.Lists)
    for (const json::Value &Value : List.Findings) {
      const json::Object &Finding = *Value.getAsObject();
      const json::Array *Occupants = Finding.getArray("occupants");
      if (Finding.getString("rung") == "suspected" || !Occupants)
        continue;
      StringRef Id = Finding.getString("id").value_or("");
      Located[report::plainIdentity(Id)] = "";
      for (const json::Value &Occupant : *Occupants)
        if (const json::Object *Object = Occupant.getAsObject())
          Located.try_emplace(
              report::plainIdentity(Object->getString("name").value_or("")),
              Id);
    }
  for (const report::FindingsList &List : Into.Lists)
    for (const json::Value &Value : List.Findings) {
      const json::Object &Finding = *Value.getAsObject();
      if (Finding.getString("subject") != "variable")
        continue;
      std::string Id =
          report::plainIdentity(Finding.getString("id").value_or(""));
      if (auto It = Located.find(Id); It != Located.end()) {
        if (!It->second.empty())
          Into.Merge.Remarks[Id] = ("on the line of " + It->second +
                                    " in this build (" + Binary + ")")
                                       .str();
        continue;
      }
      Into.Merge.Remarks[Id] =
          Facts.Variables.contains(Id)
              ? ("not on a shared line in this build (" + Binary + ")").str()
              : ("no such variable in this build (" + Binary + ")").str();
    }
}

Expected<Sources> readSources(const Options &Opts) {
  Sources Result;
  if (Error E = addChecks(Opts, Result))
    return std::move(E);
  FactFindings Facts;
  for (const std::string &Path : Opts.Objects)
    if (Error E = addFacts(Path, Result, Facts))
      return std::move(E);
  if (!Opts.Binary.empty()) {
    if (Error E = addFacts(Opts.Binary, Result, Facts))
      return std::move(E);
    remarkOnBuild(Opts.Binary, Facts, Result);
  }
  for (const std::string &Path : Opts.Reports) {
    Expected<std::unique_ptr<MemoryBuffer>> File = open(Path);
    if (!File)
      return File.takeError();
    Expected<json::Array> Findings = report::readFindings((*File)->getBuffer());
    if (!Findings)
      return createFileError(Path, Findings.takeError());
    Result.Lists.push_back({"report " + Path, std::move(*Findings)});
  }
  return Result;
}

Expected<int> findings(const Options &Opts) {
  if (Opts.FromTidy.empty() && Opts.Objects.empty() && Opts.Binary.empty() &&
      Opts.Reports.empty())
    return createStringError("no findings to read: expected --from-tidy, "
                             "--objects, --binary or --report; see 'linesman "
                             "findings --help'");
  if (Error E = Opts.To.check())
    return std::move(E);
  // Damaged debug information costs names, not the report.
  CrashRecoveryContext::Enable();
  Expected<Sources> Read = readSources(Opts);
  if (!Read)
    return Read.takeError();
  if (!Read->Blind.empty()) {
    if (Opts.To.Fails.getNumOccurrences())
      return joinErrors(std::move(Read->Incomplete),
                        createStringError(Read->Blind +
                                          ", so --fail-on has nothing to "
                                          "judge; pass what clang-tidy "
                                          "printed"));
    errs() << "linesman: note: " << Read->Blind << '\n';
  }
  report::MergedFindings Merged =
      report::mergeFindings(std::move(Read->Lists), Read->Merge);
  if (Opts.All)
    for (json::Value &Finding : Merged.Dropped)
      Merged.Findings.push_back(std::move(Finding));
  if (Opts.All)
    Merged.Dropped.clear();
  Expected<int> Code = deliverMerged(Opts.To, Merged,
                                     Opts.Top.getNumOccurrences()
                                         ? std::optional<uint64_t>(Opts.Top)
                                         : std::nullopt);
  if (!Code || !Read->Incomplete)
    return Code ? std::move(Code)
                : joinErrors(std::move(Read->Incomplete), Code.takeError());
  return std::move(Read->Incomplete);
}

} // namespace

int runFindings(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args,
                    "linesman findings: findings of any command as one list\n"))
    return Failure;
  Expected<int> Result = findings(Opts);
  return Result ? *Result : fail(Result.takeError());
}

} // namespace linesman::tool
