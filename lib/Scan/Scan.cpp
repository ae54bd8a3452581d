// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packages are unpacked one after the other, while files of the last one are
// read, and go when all of theirs are known: the disk holds a few at a time.

#include "linesman/Scan/Scan.h"
#include "JobPool.h"
#include "Programs.h"
#include "linesman/Guard/Document.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <deque>
#include <memory>

using namespace llvm;
using namespace linesman::process;

namespace linesman::scan {

namespace {

/// A table has no room for more.
constexpr size_t MostSites = 2, MostOccupants = 16;
/// Files of no package are told of in such steps.
constexpr size_t ToldFiles = 100;

bool isUsed(const json::Value &Occupant) {
  const json::Object *Is = Occupant.getAsObject();
  return Is && any_of(ArrayRef<StringRef>{"reads", "writes", "atomics"},
                      [&](StringRef Key) {
                        return Is->getNumber(Key).value_or(0) > 0;
                      });
}

/// Of one finding of a layout report: the occupants that are used, the first
/// sites of each, and not which roles are at them.
json::Object shorten(const json::Object &Finding) {
  json::Object Result = Finding;
  Result.erase("score_parts");
  json::Array *Occupants = Result.getArray("occupants");
  if (!Occupants)
    return Result;
  json::Array Used;
  for (json::Value &Entry : *Occupants)
    if (isUsed(Entry) && Used.size() < MostOccupants)
      Used.push_back(std::move(Entry));
  *Occupants = std::move(Used);
  for (json::Value &Entry : *Occupants) {
    json::Object &Is = *Entry.getAsObject();
    for (StringRef Key : {"written_by", "read_by", "object"})
      Is.erase(Key);
    json::Array *Sites = Is.getArray("sites");
    if (!Sites)
      continue;
    while (Sites->size() > MostSites)
      Sites->pop_back();
    for (json::Value &Site : *Sites)
      if (json::Object *Keys = Site.getAsObject())
        Keys->erase("roles");
  }
  return Result;
}

Error readReport(StringRef Path, ScannedFile &File) {
  Expected<json::Value> Report = guard::readJson(Path);
  if (!Report)
    return Report.takeError();
  const json::Object *Root = Report->getAsObject();
  const json::Array *Findings = Root ? Root->getArray("findings") : nullptr;
  if (!Findings)
    return createStringError("its report has no findings");
  File.TotalScore = Root->getNumber("total_score").value_or(0);
  File.Hidden =
      std::max<int64_t>(Root->getInteger("hidden_findings").value_or(0), 0);
  File.Blind = Root->getString("blind").value_or("").str();
  for (const json::Value &Entry : *Findings)
    if (const json::Object *Is = Entry.getAsObject())
      raw_string_ostream(File.Findings.emplace_back())
          << json::Value(shorten(*Is));
  return Error::success();
}

/// The last error that is in \p Log, without the file's name.
std::string readProblem(StringRef Log, StringRef File, const JobEnd &End) {
  if (!End.Problem.empty() && End.Code < 0)
    return End.Problem;
  if (auto Text = MemoryBuffer::getFileAsStream(Log)) {
    constexpr StringLiteral Mark = "linesman: error: ";
    StringRef Said = (*Text)->getBuffer();
    if (size_t Index = Said.rfind(Mark); Index != StringRef::npos) {
      StringRef Line = Said.substr(Index + Mark.size()).split('\n').first;
      Line.consume_front("'");
      if (Line.consume_front(File))
        Line.consume_front("'");
      Line.consume_front(": ");
      return Line.str();
    }
  }
  return formatv("exit code {0}", End.Code);
}

/// A package whose files are being read; without one for other files.
struct Source {
  std::optional<Unpacked> Package;
  size_t Files = 0, Left = 0, Findings = 0, Problems = 0;
  /// Files that another try may read: they took too long, or crashed.
  size_t GivenUp = 0;
};

struct Job {
  std::shared_ptr<Source> Input;
  /// On this machine, and as the report has it.
  std::string Path, Shown;
  Content Held;
};

class Scanner {
public:
  Scanner(const ScanRequest &Request, State &Known, EndRequests &Requests,
          function_ref<void(StringRef)> Tell, TemporaryFolder Work)
      : Request(Request), Known(Known), Requests(Requests), Tell(Tell),
        Work(std::move(Work)),
        Pool(Request.Jobs, Request.Seconds, Request.Megabytes) {}

  Error addTargets();
  Expected<ScanEnd> run();

private:
  const ScanRequest &Request;
  State &Known;
  EndRequests &Requests;
  function_ref<void(StringRef)> Tell;
  TemporaryFolder Work;
  JobPool Pool;
  std::deque<std::pair<TargetKind, std::string>> Packages;
  std::deque<Job> Ready;
  std::map<size_t, Job> Running;
  size_t NextJob = 0;
  ScanEnd End;

  void addFiles(std::shared_ptr<Source> Input, ArrayRef<std::string> Paths,
                StringRef Root);
  Error openNextPackage();
  Error beginNext();
  Error finish(Job Is, ScannedFile Result);
  Error take(const JobEnd &End);
  std::string reportPath(size_t Number) const {
    return Work.path() + "/" + std::to_string(Number) + ".json";
  }
  std::string logPath(size_t Number) const {
    return Work.path() + "/" + std::to_string(Number) + ".log";
  }
};

Error Scanner::addTargets() {
  auto Files = std::make_shared<Source>();
  StringSet<> Seen;
  for (const std::string &Target : Request.Targets) {
    Expected<TargetKind> Kind = classify(Target);
    if (!Kind)
      return Kind.takeError();
    if (*Kind != TargetKind::Path) {
      Packages.emplace_back(*Kind, Target);
      continue;
    }
    Expected<std::vector<std::string>> Found = findPrograms(Target);
    if (!Found)
      return Found.takeError();
    // A link and what it leads to are one file.
    erase_if(*Found, [&](const std::string &Path) {
      SmallString<256> Real;
      return !sys::fs::real_path(Path, Real) && !Seen.insert(Real).second;
    });
    addFiles(Files, *Found, "");
  }
  return Error::success();
}

void Scanner::addFiles(std::shared_ptr<Source> Input,
                       ArrayRef<std::string> Paths, StringRef Root) {
  Input->Files += Paths.size();
  Input->Left += Paths.size();
  for (const std::string &Path : Paths) {
    StringRef Shown = Path;
    Shown.consume_front(Root);
    Ready.push_back({Input, Path, Shown.str(), {}});
  }
}

Error Scanner::openNextPackage() {
  auto [Kind, Name] = std::move(Packages.front());
  Packages.pop_front();
  if (Kind == TargetKind::Package && Known.hasPackage(Name)) {
    Tell(Name + ": known");
    return Error::success();
  }
  Expected<Unpacked> Package =
      Kind == TargetKind::Package ? download(Name) : unpack(Name);
  Expected<std::vector<std::string>> Found =
      Package ? findPrograms(Package->Root)
              : Expected<std::vector<std::string>>(Package.takeError());
  if (!Found) {
    std::string Problem =
        (Kind == TargetKind::Package ? "no such file; " : "") +
        toString(Found.takeError());
    // Said in the end, and once.
    End.Missing.push_back(Name + ": " + Problem);
    return Error::success();
  }
  if (Found->empty()) {
    Tell(Package->Is.Package + ": no program and no shared object");
    return Known.add(ScannedPackage{Package->Is, 0});
  }
  std::string Root = Package->Root + "/";
  auto Input = std::make_shared<Source>();
  Input->Package.emplace(std::move(*Package));
  addFiles(std::move(Input), *Found, Root);
  return Error::success();
}

Error Scanner::beginNext() {
  Job Next = std::move(Ready.front());
  Ready.pop_front();
  ScannedFile Result;
  if (Error E = readContent(Next.Path).moveInto(Next.Held)) {
    Result.Problem = toString(std::move(E));
    return finish(std::move(Next), std::move(Result));
  }
  if (const ScannedFile *Same = Known.find(Next.Held.Hash)) {
    Result = *Same;
    return finish(std::move(Next), std::move(Result));
  }
  size_t Number = NextJob++;
  std::vector<std::string> Command = {
      Request.Reader,     "layout",
      "--format=json",    formatv("--top={0}", Request.Top),
      "--debuginfod=",    "-o",
      reportPath(Number), "--",
      Next.Path};
  if (Error E = Pool.start(Number, Command, logPath(Number)))
    return E;
  Running.emplace(Number, std::move(Next));
  return Error::success();
}

Error Scanner::take(const JobEnd &End) {
  Job Is = std::move(Running.at(End.Job));
  Running.erase(End.Job);
  ScannedFile Result;
  Result.Seconds = End.Seconds;
  Result.PeakKiB = End.PeakKiB;
  Is.Input->GivenUp += End.Code < 0;
  if (End.Code != 0)
    Result.Problem = readProblem(logPath(End.Job), Is.Path, End);
  else if (Error E = readReport(reportPath(End.Job), Result))
    Result.Problem = toString(std::move(E));
  sys::fs::remove(reportPath(End.Job));
  sys::fs::remove(logPath(End.Job));
  return finish(std::move(Is), std::move(Result));
}

Error Scanner::finish(Job Is, ScannedFile Result) {
  Source &Input = *Is.Input;
  --Input.Left;
  Input.Findings += Result.Findings.size() + Result.Hidden;
  Input.Problems += !Result.Problem.empty();
  Result.Source = Input.Package ? Input.Package->Is : Origin();
  Result.Path = std::move(Is.Shown);
  Result.Hash = std::move(Is.Held.Hash);
  Result.Size = Is.Held.Size;
  if (Error E = Known.add(std::move(Result)))
    return E;
  if (!Input.Package) {
    if (Input.Left == 0 || (Input.Files - Input.Left) % ToldFiles == 0)
      Tell(formatv("{0} of {1} files", Input.Files - Input.Left, Input.Files)
               .str());
    return Error::success();
  }
  if (Input.Left != 0)
    return Error::success();
  Tell(formatv("{0} {1}: {2}, {3}{4}", Input.Package->Is.Package,
               Input.Package->Is.Version, report::plural(Input.Files, "file"),
               report::plural(Input.Findings, "finding"),
               Input.Problems ? formatv(", {0} not read", Input.Problems).str()
                              : "")
           .str());
  if (Input.GivenUp)
    return Error::success();
  return Known.add(ScannedPackage{Input.Package->Is, Input.Files});
}

Expected<ScanEnd> Scanner::run() {
  while (true) {
    if ((End.IsStopped = Requests.hasCome()))
      return std::move(End);
    if (!Pool.isFull() && (!Ready.empty() || !Packages.empty())) {
      Error E = Ready.empty() ? openNextPackage() : beginNext();
      if (E)
        return std::move(E);
      continue;
    }
    if (Pool.isEmpty())
      return std::move(End);
    if (std::optional<JobEnd> Ended = Pool.await(Requests.file())) {
      if (Error E = take(*Ended))
        return std::move(E);
    }
  }
}

} // namespace

Expected<ScanEnd> runScan(const ScanRequest &Request, State &Known,
                          EndRequests &Requests,
                          function_ref<void(StringRef)> Tell) {
  Expected<TemporaryFolder> Work = TemporaryFolder::make();
  if (!Work)
    return Work.takeError();
  Scanner Scan(Request, Known, Requests, Tell, std::move(*Work));
  if (Error E = Scan.addTargets())
    return std::move(E);
  return Scan.run();
}

} // namespace linesman::scan
