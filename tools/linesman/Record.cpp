// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman record -- COMMAND: run an instrumented program, read what its
// runtime wrote, name it, print it.
//
// The program is compiled with -fsanitize=thread and linked without it, with
// liblinesman-record.so in ThreadSanitizer's place:
//
//     clang++ -g -O2 -fsanitize=thread -c prog.cpp        (or g++)
//     clang++ prog.o -o prog -L LIB -llinesman-record -Wl,-rpath,LIB

#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Control/Signals.h"
#include "linesman/Guard/Output.h"
#include "linesman/Watch/Launch.h"
#include "linesman/Watch/Observation.h"
#include "linesman/Watch/RecordFile.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include <cstdlib>

using namespace llvm;
using namespace linesman::watch;

namespace linesman::tool {

namespace {

constexpr unsigned DefaultTop = 10;

struct Options {
  cl::SubCommand Command{"record", "Ground truth of an instrumented program"};
  cl::list<std::string> Program{cl::Positional, cl::OneOrMore,
                                cl::desc("-- COMMAND..."), cl::sub(Command)};
  cl::opt<std::string> Symbol{"symbol",
                              cl::desc("Only this object's lines, also quiet "
                                       "ones"),
                              cl::value_desc("name[+offset]"),
                              cl::sub(Command)};
  NumberOption<unsigned> Top{
      "top", cl::desc("At most this many lines (text: 10, json: all)"),
      cl::value_desc("n"), cl::sub(Command)};
  FormatOption As{Command};
  OutputOption Output{Command};
  FailOn Fails{Command};
};

/// A line with its names.
struct NamedLine {
  Observation Seen;
  const RecordedLine *Line = nullptr;
  std::vector<std::string> Allocation;
};

struct Report {
  std::vector<NamedLine> Lines;
  std::vector<std::string> Predictions;
  std::vector<std::string> Notes;
  size_t Omitted = 0;
  /// Some line is shared, shown or not.
  bool Shares = false;
};

std::string siteText(const SiteName &Name) {
  const Frame &F = Name.Frames.front();
  return F.Source.empty() ? F.Function : F.Function + " " + F.Source;
}

class Namer {
public:
  explicit Namer(const Record &Of) : Symbols(Of.Modules), Sites(Of.Modules) {
    // describe() asks a session for what a record has as well.
    Session.Modules = Of.Modules;
    Session.ThreadNames = Of.ThreadNames;
  }

  NamedLine name(const RecordedLine &Line) {
    NamedLine Named;
    Named.Line = &Line;
    Named.Seen = describe("", Line.Line, Session, Symbols, Sites);
    if (Line.Block)
      for (RunAddress Frame : Line.Block->Stack)
        Named.Allocation.push_back(siteText(Sites.nameOf(Frame)));
    Named.Seen.Subject = subject(Named);
    return Named;
  }

  ProcessSymbols Symbols;

private:
  /// The object that most of the line is about: the first field's, or the
  /// block.
  static std::string subject(const NamedLine &Named) {
    for (const NamedField &F : Named.Seen.Fields)
      if (!F.Label.empty())
        return F.Label;
    if (const auto &Block = Named.Line->Block) {
      int64_t Offset = int64_t(Named.Line->Line.Where.Address.Value) -
                       int64_t(Block->Begin.Value);
      return formatv("heap block of {0} bytes {1}{2}", Block->Size,
                     Offset < 0 ? "-" : "+", std::abs(Offset));
    }
    return "memory that no symbol and no heap block owns";
  }

  SessionResult Session;
  SiteNames Sites;
};

Expected<Report> buildReport(const Options &Opts, const Record &Of) {
  Report Result;
  Namer Names(Of);
  std::optional<ProcessObject> Only;
  if (!Opts.Symbol.empty()) {
    Expected<ProcessObject> Found = Names.Symbols.find(Opts.Symbol);
    if (!Found)
      return Found.takeError();
    Only = *Found;
    if (StringRef(Opts.Symbol).contains('+'))
      Only->Size = 1;
  }
  size_t Most = SIZE_MAX;
  if (Opts.Top.getNumOccurrences())
    Most = Opts.Top;
  else if (Opts.As == Format::Text)
    Most = DefaultTop;
  for (const RecordedLine &Line : Of.Lines) {
    RunAddress At = Line.Line.Where.Address;
    if (Only) {
      if (At.Value + Line.Line.Where.Size <= Only->Address.Value ||
          At.Value >= Only->Address.Value + std::max<uint64_t>(Only->Size, 1))
        continue;
    } else if (outcomeOf(Line.Line.Matrix.verdict()) != Outcome::Confirmed) {
      continue;
    }
    Result.Shares |=
        outcomeOf(Line.Line.Matrix.verdict()) == Outcome::Confirmed;
    if (Result.Lines.size() == Most)
      ++Result.Omitted;
    else
      Result.Lines.push_back(Names.name(Line));
  }
  for (const Prediction &P : Of.Predictions) {
    std::string First = Names.name(Of.Lines[P.First]).Seen.Subject;
    std::string Second = Names.name(Of.Lines[P.Second]).Seen.Subject;
    std::string Both = First + " and " + Second;
    if (P.Why == Prediction::Cause::LongerLines)
      Result.Predictions.push_back(Both + " would share a line of 128 bytes");
    else
      Result.Predictions.push_back(
          formatv("{0} would share a line if they were placed {1} bytes "
                  "lower",
                  Both, P.Shift));
  }
  llvm::sort(Result.Predictions);
  Result.Predictions.erase(llvm::unique(Result.Predictions),
                           Result.Predictions.end());
  for (const LostCount &L : Of.Lost)
    Result.Notes.push_back(
        formatv("left out for lack of room: {0} ({1})", L.What, L.Count));
  return std::move(Result);
}

void writeTextReport(const Report &R, raw_ostream &OS) {
  for (const std::string &Note : R.Notes)
    OS << "note: " << Note << '\n';
  if (R.Lines.empty())
    OS << "no line is written by one thread and touched by another\n";
  for (const NamedLine &Line : R.Lines) {
    writeText(Line.Seen, OS);
    if (Line.Line->Freed)
      OS << "  in " << Line.Line->Freed << " blocks that were freed\n";
    for (size_t I = 0; I != Line.Allocation.size(); ++I)
      OS << (I == 0 ? "  allocated by " : "            < ")
         << Line.Allocation[I] << '\n';
    OS << '\n';
  }
  if (R.Omitted)
    OS << R.Omitted << " more lines (--top)\n";
  if (!R.Predictions.empty())
    OS << "predicted:\n";
  for (const std::string &Prediction : R.Predictions)
    OS << "  " << Prediction << '\n';
}

json::Value jsonReport(const Report &R, StringRef Program) {
  json::Array Findings;
  for (const NamedLine &Line : R.Lines) {
    json::Object Finding{
        {"id", Line.Seen.Subject},
        {"rung", "observed"},
        {"score", Line.Line->Meetings},
        {"line",
         json::Object{{"address", "0x" + utohexstr(Line.Seen.Address, true)}}},
        {"observed", toJson(Line.Seen)}};
    if (Line.Seen.Means == Outcome::Confirmed)
      Finding["kind"] = verdictName(Line.Seen.Says);
    if (Line.Line->Block)
      Finding["allocation"] =
          json::Object{{"size", Line.Line->Block->Size},
                       {"freed", Line.Line->Freed},
                       {"stack", json::Array(Line.Allocation)}};
    Findings.push_back(std::move(Finding));
  }
  return json::Object{{"schema", 1},
                      {"tool", "linesman"},
                      {"command", "record"},
                      {"binary", Program},
                      {"line_size", 64},
                      {"notes", json::Array(R.Notes)},
                      {"predictions", json::Array(R.Predictions)},
                      {"findings", std::move(Findings)}};
}

/// Runs the program to its end and returns its record's text.
Expected<std::unique_ptr<MemoryBuffer>> runProgram(const Options &Opts) {
  SmallString<128> File;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("linesman", "record", File))
    return createStringError("creating a temporary file: " + EC.message());
  FileRemover Remove(File);
  sys::RemoveFileOnSignal(File);
  auto Forget = make_scope_exit([&] { sys::DontRemoveFileOnSignal(File); });
  control::EndRequests Requests;
  ::setenv("LINESMAN_RECORD_FILE", File.c_str(), 1);
  Expected<Child> Started = launch(Opts.Program, Begin::AtOnce);
  ::unsetenv("LINESMAN_RECORD_FILE");
  if (!Started)
    return Started.takeError();
  bool Killed = Requests.awaitEnd(Started->process().Value);
  Started->wait();
  auto Text = MemoryBuffer::getFile(File);
  if (Killed)
    return createStringError("'" + Opts.Program.front() +
                             "' was killed at the second signal, and left no "
                             "record");
  if (!Text || (*Text)->getBuffer().empty())
    return createStringError(
        "'" + Opts.Program.front() +
        "' left no record: compile it with -fsanitize=thread and link it "
        "without that option but with -llinesman-record; it must end by "
        "exit() or SIGTERM");
  return std::move(*Text);
}

} // namespace

int runRecord(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args, "linesman record: who touched what\n", Opts.Program))
    return Failure;
  if (Error E = guard::checkOutput(Opts.Output))
    return fail(std::move(E));
  ErrorOr<std::string> Program = sys::findProgramByName(Opts.Program.front());
  if (!Program)
    return fail(createStringError("cannot execute '" + Opts.Program.front() +
                                  "': " + Program.getError().message()));
  SmallString<256> Path;
  sys::fs::real_path(*Program, Path);
  Expected<std::unique_ptr<MemoryBuffer>> Text = runProgram(Opts);
  if (!Text)
    return fail(Text.takeError());
  Expected<Record> Recorded = parseRecord((*Text)->getBuffer(), Path);
  if (!Recorded)
    return fail(Recorded.takeError());
  Expected<Report> Result = buildReport(Opts, *Recorded);
  if (!Result)
    return fail(Result.takeError());
  Error E = guard::writeOutput(Opts.Output, [&](raw_ostream &OS) {
    if (Opts.As == Format::Text)
      writeTextReport(*Result, OS);
    else
      OS << formatv("{0:2}\n", jsonReport(*Result, Path));
  });
  if (E)
    return fail(std::move(E));
  bool Fails = Result->Shares && Opts.Fails.covers(layout::Rung::Observed);
  return Fails ? Found : Success;
}

} // namespace linesman::tool
