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
#include "linesman/Drive/RecordRun.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace linesman::tool {

namespace {

struct RecordOptions {
  cl::SubCommand Command{"record"};
  Rest Program{Command, "-- COMMAND...", cl::OneOrMore};
  Text Symbol{Command, "symbol", "name[+offset]",
              "Only this object's lines, also quiet ones"};
  Number<unsigned> Top{Command, "top", "n",
                       "At most this many lines (text: 10, markdown: 5, sarif, "
                       "gitlab: 1000, json: all)"};
  DeliveryOptions Delivery{Command, Format::Text,
                           FindingsFormatOption::Also::Nothing};

  size_t lines() const {
    return Top.getNumOccurrences() ? Top
                                   : report::mostShown(Delivery.Form, SIZE_MAX);
  }
};

Expected<int> deliver(const RecordOptions &Opts,
                      const drive::RecordedRun &Run) {
  Expected<drive::RecordReport> Shown =
      drive::buildRecordReport(Run.Recorded, Opts.Symbol, Opts.lines());
  if (!Shown)
    return Shown.takeError();
  Expected<drive::RecordReport> All =
      drive::buildRecordReport(Run.Recorded, Opts.Symbol, SIZE_MAX);
  if (!All)
    return All.takeError();
  report::Findings Found;
  Found.Text = [&](const report::Comparison *Changes, raw_ostream &OS) {
    if (Changes)
      OS << report::describeChanges(*Changes) << "\n\n";
    drive::writeText(*Shown, OS);
  };
  Found.Json = [&](const report::Comparison *, raw_ostream &OS) {
    OS << formatv("{0:2}\n", drive::toJson(*Shown, Run.Program));
  };
  Found.Whole = [&](raw_ostream &OS) {
    OS << drive::toJudged(*All, Run.Program);
  };
  if (All->Shares)
    Found.Highest = layout::Rung::Observed;
  return Opts.Delivery.deliver(Found);
}

} // namespace

Expected<int> runRecord(Arguments Args) {
  RecordOptions Opts;
  if (Error E = parseOptions(Args, Opts.Program))
    return std::move(E);
  if (Error E = joinErrors(
          Opts.Delivery.Fails.checkReach(layout::Rung::Observed, "a record"),
          Opts.Delivery.check()))
    return std::move(E);
  Expected<drive::RecordedRun> Run = drive::recordRun(Opts.Program);
  if (!Run)
    return Run.takeError();
  return deliver(Opts, *Run);
}

} // namespace linesman::tool
