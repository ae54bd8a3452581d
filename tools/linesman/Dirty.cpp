// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman dirty PID [--duration S]: which static pages are being written.

#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Control/WriteWatch.h"
#include "linesman/Drive/PageWrites.h"
#include "linesman/Guard/Text.h"
#include "linesman/Process/Signals.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::control;
using namespace linesman::process;

namespace linesman::tool {

namespace {

constexpr double DefaultSeconds = 1, DefaultRate = 10;

struct DirtyOptions {
  cl::SubCommand Command{"dirty"};
  Number<int> Pid{Command, "PID"};
  Seconds Duration{Command, "duration",
                   "Report once, after this many seconds (in a terminal: live "
                   "until Ctrl-C; else 1)"};
  Number<double> Rate{Command, "rate", "n", "Scans per second (10)",
                      DefaultRate};
};

void print(const PageWrites &Seen, StaticPages &Pages) {
  guard::PrintableStream Printable(outs());
  writeText(Seen, Pages, Printable);
}

bool isLive(const DirtyOptions &Opts) {
  return !Opts.Duration.getNumOccurrences() &&
         sys::Process::StandardOutIsDisplayed();
}

WriteSchedule readSchedule(const DirtyOptions &Opts) {
  WriteSchedule Schedule;
  Schedule.Rate = Opts.Rate;
  double Seconds = Opts.Duration.getNumOccurrences() ? double(Opts.Duration)
                                                     : DefaultSeconds;
  if (!isLive(Opts))
    Schedule.Scans = std::max<uint64_t>(1, Seconds * Opts.Rate + 0.5);
  return Schedule;
}

/// Once a second, on a terminal. Modules change under us: pages are named after
/// each look.
Error show(const PageWrites &Seen, Actuator &Process,
           const DirtyOptions &Opts) {
  if (!isLive(Opts) || Seen.Scans % std::max<uint64_t>(1, Opts.Rate))
    return Error::success();
  Expected<StaticPages> Pages = StaticPages::read(Process);
  if (!Pages)
    return Pages.takeError();
  outs() << "\033[H\033[2J"; // Home and clear.
  print(Seen, *Pages);
  outs().flush();
  return Error::success();
}

} // namespace

Expected<int> runDirty(Arguments Args) {
  DirtyOptions Opts;
  if (Error E = parseOptions(Args))
    return std::move(E);
  if (Error E = Opts.Duration.check())
    return std::move(E);
  if (!(Opts.Rate >= 1 && Opts.Rate <= 1000))
    return createStringError("--rate: expected 1 to 1000 scans a second");
  // The result is what was seen until then.
  EndRequests Ends;
  Expected<std::unique_ptr<Actuator>> Process = attachFromOutside({Opts.Pid});
  if (!Process)
    return Process.takeError();
  Expected<std::unique_ptr<WriteWatch>> Watch = WriteWatch::attach(**Process);
  if (!Watch)
    return Watch.takeError();
  Expected<StaticPages> Pages = StaticPages::read(**Process);
  if (!Pages)
    return Pages.takeError();
  if (unsigned Unwatched = (*Watch)->unwatched())
    errs() << formatv("linesman: note: {0} ranges can not be watched; the "
                      "program may use userfaultfd itself\n",
                      Unwatched);
  PageWrites Seen;
  if (Error E = watchWrites(**Watch, {Opts.Pid}, readSchedule(Opts), Ends, Seen,
                            [&] { return show(Seen, **Process, Opts); }))
    return std::move(E);
  print(Seen, *Pages);
  if (Seen.Ended)
    outs() << "\nthe process ended while it was watched\n";
  return Success;
}

} // namespace linesman::tool
