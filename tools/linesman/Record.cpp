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
#include "Deliver.h"
#include "SharedOptions.h"
#include "linesman/Drive/RecordReport.h"
#include "linesman/Guard/Output.h"
#include "linesman/Process/Launch.h"
#include "linesman/Process/Signals.h"
#include "linesman/Watch/RecordFile.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include <cstdlib>

using namespace llvm;
using namespace linesman::process;
using namespace linesman::watch;

namespace linesman::tool {

namespace {

struct Options {
  cl::SubCommand Command{"record", "Ground truth of an instrumented program"};
  Rest Program{Command, "-- COMMAND...", cl::OneOrMore};
  Text Symbol{Command, "symbol", "name[+offset]",
              "Only this object's lines, also quiet ones"};
  Number<unsigned> Top{Command, "top", "n",
                       "At most this many lines (text: 10, markdown: 5, sarif, "
                       "gitlab: 1000, json: all)"};
  DeliveryOptions Delivery{Command, Format::Text,
                           FindingsFormatOption::Also::Nothing};

  size_t lines() const {
    return Top.getNumOccurrences() ? Top : mostShown(Delivery.As, SIZE_MAX);
  }
};

/// Runs the program to its end and returns its record's text.
Expected<std::unique_ptr<MemoryBuffer>> runProgram(const Options &Opts) {
  SmallString<128> File;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("linesman", "record", File))
    return createStringError("creating a temporary file: " + EC.message());
  FileRemover Remove(File);
  sys::RemoveFileOnSignal(File);
  auto Forget = make_scope_exit([&] { sys::DontRemoveFileOnSignal(File); });
  EndRequests Requests;
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

/// \p Program is the path of its file.
Expected<int> deliver(const Options &Opts, const Record &Recorded,
                      StringRef Program) {
  Expected<drive::RecordReport> Shown =
      drive::buildRecordReport(Recorded, Opts.Symbol, Opts.lines());
  if (!Shown)
    return Shown.takeError();
  Expected<drive::RecordReport> All =
      drive::buildRecordReport(Recorded, Opts.Symbol, SIZE_MAX);
  if (!All)
    return All.takeError();
  Findings Found;
  Found.Text = [&](const report::Comparison *Against, raw_ostream &OS) {
    if (Against)
      OS << report::describeChanges(*Against) << "\n\n";
    drive::writeText(*Shown, OS);
  };
  Found.Json = [&](const report::Comparison *, raw_ostream &OS) {
    OS << formatv("{0:2}\n", drive::toJson(*Shown, Program));
  };
  Found.Whole = [&](raw_ostream &OS) { OS << drive::toJudged(*All, Program); };
  if (All->Shares)
    Found.Highest = layout::Rung::Observed;
  return Opts.Delivery.deliver(Found);
}

} // namespace

int runRecord(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args, "linesman record: who touched what\n", Opts.Program))
    return Failure;
  if (Error E = joinErrors(guard::checkOutput(Opts.Delivery.Output),
                           joinErrors(Opts.Delivery.Fails.checkReach(
                                          layout::Rung::Observed, "a record"),
                                      Opts.Delivery.check())))
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
  Expected<int> Code = deliver(Opts, *Recorded, Path);
  return Code ? *Code : fail(Code.takeError());
}

} // namespace linesman::tool
