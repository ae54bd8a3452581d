// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman dirty PID [--duration S]: which static pages are being written.

#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Control/WriteWatch.h"
#include "linesman/Drive/PageWrites.h"
#include "linesman/Guard/Text.h"
#include "linesman/Process/Descriptor.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include <chrono>
#include <csignal>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::control;
using namespace linesman::process;
using Clock = std::chrono::steady_clock;

namespace linesman::tool {

namespace {

constexpr double DefaultSeconds = 1, DefaultRate = 10;

struct Options {
  cl::SubCommand Command{"dirty", "Which static pages are being written"};
  Number<int> Pid{Command, "PID"};
  Seconds Duration{Command, "duration",
                   "Say it once, after so many seconds (in a terminal: live "
                   "until Ctrl-C; else 1)"};
  Number<double> Rate{Command, "rate", "n", "Scans in a second (10)",
                      DefaultRate};
};

volatile std::sig_atomic_t Interrupted = 0;

void print(const PageWrites &Seen, StaticPages &Pages) {
  guard::PrintableStream Printable(outs());
  writeText(Seen, Pages, Printable);
}

/// Waits for a time, the end of the process, or Ctrl-C.
enum class Woken { Time, Ended, Interrupted };
Woken waitFor(int Ended, Clock::duration Time) {
  pollfd Wait = {Ended, POLLIN, 0};
  int Milliseconds = std::chrono::ceil<std::chrono::milliseconds>(Time).count();
  int Ready = ::poll(&Wait, 1, std::max(0, Milliseconds));
  return Interrupted ? Woken::Interrupted
         : Ready > 0 ? Woken::Ended
                     : Woken::Time;
}

/// Modules change under us: pages are named after each look.
Error watch(WriteWatch &Watch, Actuator &Process, const Options &Opts,
            PageWrites &Seen) {
  Descriptor Ended(::syscall(SYS_pidfd_open, int(Opts.Pid), 0));
  if (Ended.get() < 0)
    return createStringError(formatv("there is no process {0}", int(Opts.Pid)));
  bool Live = !Opts.Duration.getNumOccurrences() &&
              sys::Process::StandardOutIsDisplayed();
  double Seconds = Opts.Duration.getNumOccurrences() ? double(Opts.Duration)
                                                     : DefaultSeconds;
  auto Step = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(1 / Opts.Rate));
  uint64_t Wanted =
      Live ? UINT64_MAX : std::max<uint64_t>(1, Seconds * Opts.Rate + 0.5);
  Clock::time_point Next = Clock::now();
  while (Seen.Scans != Wanted) {
    Next += Step;
    Woken Waker = waitFor(Ended.get(), Next - Clock::now());
    if (Waker == Woken::Interrupted)
      return Error::success();
    Expected<std::vector<RunRange>> Regions = Watch.scan();
    if (!Regions) {
      // It ended while it was watched: what was seen is the result.
      Seen.Ended = waitFor(Ended.get(), {}) == Woken::Ended && Seen.Scans;
      if (!Seen.Ended)
        return Regions.takeError();
      consumeError(Regions.takeError());
      return Error::success();
    }
    Seen.add(*Regions);
    if (Live && Seen.Scans % std::max<uint64_t>(1, Opts.Rate) == 0) {
      Expected<StaticPages> Pages = StaticPages::read(Process);
      if (!Pages)
        return Pages.takeError();
      outs() << "\033[H\033[2J"; // Home and clear.
      print(Seen, *Pages);
      outs().flush();
    }
  }
  return Error::success();
}

} // namespace

int runDirty(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args,
                    "linesman dirty: which static pages are being written\n"))
    return Failure;
  if (Error E = Opts.Duration.check())
    return fail(std::move(E));
  if (!(Opts.Rate >= 1 && Opts.Rate <= 1000))
    return fail(createStringError("--rate: expected 1 to 1000 scans a second"));
  // Both end the watch, and the result is what was seen until then.
  struct sigaction Stop = {};
  Stop.sa_handler = [](int) { Interrupted = 1; };
  for (int Signal : {SIGINT, SIGTERM})
    ::sigaction(Signal, &Stop, nullptr);
  Expected<std::unique_ptr<WriteWatch>> Watch = WriteWatch::attach({Opts.Pid});
  if (!Watch)
    return fail(Watch.takeError());
  Expected<std::unique_ptr<Actuator>> Process = attachFromOutside({Opts.Pid});
  if (!Process)
    return fail(Process.takeError());
  Expected<StaticPages> Pages = StaticPages::read(**Process);
  if (!Pages)
    return fail(Pages.takeError());
  if (unsigned Unwatched = (*Watch)->unwatched())
    errs() << formatv("linesman: note: {0} ranges can not be watched; the "
                      "program may use userfaultfd itself\n",
                      Unwatched);
  PageWrites Seen;
  if (Error E = watch(**Watch, **Process, Opts, Seen))
    return fail(std::move(E));
  print(Seen, *Pages);
  if (Seen.Ended)
    outs() << "\nthe process ended while it was watched\n";
  return Success;
}

} // namespace linesman::tool
