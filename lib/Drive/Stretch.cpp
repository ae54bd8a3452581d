// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A command in a process group of its own, watched from outside to its end.

#include "linesman/Drive/Stretch.h"
#include "Clock.h"
#include "OutputFile.h"
#include "linesman/Process/Command.h"
#include "linesman/Process/ProcessGroup.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::drive {

/// Often enough to see most of a thread's waits, and two hundred times less
/// than what a sample costs.
constexpr int SampleMilliseconds = 20;

constexpr Event Events[] = {
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
};

ArrayRef<Event> countableEvents() { return Events; }

const Event *findEvent(StringRef Name) {
  const Event *Found =
      find_if(Events, [&](const Event &E) { return E.Name == Name; });
  return Found == std::end(Events) ? nullptr : Found;
}

bool isDisturbed(const Stretch &Run, WaitBase Base) {
  double Whole = Run.RunSeconds + Run.WaitSeconds;
  if (Base == WaitBase::Elapsed)
    Whole = std::max(Whole, Run.Seconds);
  return Run.WaitSeconds > Whole / 20 &&
         Run.ForeignSeconds > Run.RunSeconds / 50;
}

namespace {

Expected<std::unique_ptr<Command>> startShell(const std::string &Text,
                                              int Output) {
  const std::string Words[] = {"/bin/sh", "-c", Text};
  return Command::start({Words, Output});
}

/// Kills what is left of the group, itself included. Its number cannot be
/// another's before the wait.
CommandEnd reap(Command &Process) {
  Process.askGroup(SIGKILL);
  return Process.wait();
}

/// Counts from the process's next exec on; in all that it starts, too.
Expected<Descriptor> openCounter(const Event &Counted, int Process) {
  perf_event_attr Attr = {};
  Attr.size = sizeof Attr;
  Attr.type = Counted.Type;
  Attr.config = Counted.Config;
  Attr.disabled = 1;
  Attr.inherit = 1;
  Attr.enable_on_exec = 1;
  Attr.exclude_kernel = Counted.Type == PERF_TYPE_HARDWARE;
  Attr.exclude_hv = 1;
  Descriptor Counter(
      int(::syscall(SYS_perf_event_open, &Attr, Process,
                    /*cpu=*/-1, /*group=*/-1, PERF_FLAG_FD_CLOEXEC)));
  if (Counter.get() >= 0)
    return std::move(Counter);
  int Reason = errno;
  if (Reason == ENOENT || Reason == EOPNOTSUPP || Reason == ENODEV)
    return createStringError("this machine does not count " + Counted.Name +
                             ": it has no performance counters (many virtual "
                             "machines have none)");
  if (Reason == EACCES || Reason == EPERM)
    return createStringError(
        "counting " + Counted.Name +
        " was refused (perf_event_open: " + sys::StrError(Reason) +
        "); sysctl kernel.perf_event_paranoid=2 or lower allows it");
  return createStringError("perf_event_open: " + sys::StrError(Reason));
}

/// Waits for the end of \p Process, with samples of \p Groups; false when it
/// became unwanted.
bool await(Command &Process, ArrayRef<ProcessGroup *> Groups,
           function_ref<bool()> IsUnwanted) {
  do {
    for (ProcessGroup *Group : Groups)
      Group->sample();
    if (IsUnwanted())
      return false;
  } while (!Process.hasEnded(SampleMilliseconds));
  return true;
}

/// Asks politely first.
void end(Command &Process) {
  constexpr int Patience = 2000;
  Process.askGroup(SIGTERM);
  if (!Process.hasEnded(Patience))
    Process.askGroup(SIGKILL);
}

} // namespace

Expected<std::optional<Stretch>> runStretch(const StretchConfig &Config,
                                            function_ref<bool()> IsUnwanted) {
  Expected<Descriptor> Output = makeOutputFile();
  if (!Output)
    return Output.takeError();
  // With a probe, what the command prints is not the result.
  int CommandOutput = Config.Probe.empty() ? Output->get() : STDERR_FILENO;
  Expected<std::unique_ptr<Command>> Main =
      startShell(Config.Command, CommandOutput);
  if (!Main)
    return Main.takeError();
  Descriptor Counter;
  if (Config.Counted) {
    Expected<Descriptor> Opened =
        openCounter(*Config.Counted, (*Main)->process().Value);
    if (!Opened)
      return Opened.takeError();
    Counter = std::move(*Opened);
  }
  ProcessGroup Group((*Main)->process());
  Stretch Result;
  double BusyBefore = busySeconds();
  Clock::time_point Begin = Clock::now();
  (*Main)->release();
  CommandEnd Last;
  if (Config.Probe.empty()) {
    if (!await(**Main, &Group, IsUnwanted)) {
      end(**Main);
      return std::nullopt;
    }
    Result.Seconds = secondsSince(Begin);
    Last = reap(**Main);
    Result.RunSeconds = Last.RunSeconds;
  } else {
    ::setenv("LINESMAN_PID", std::to_string((*Main)->process().Value).c_str(),
             /*replace=*/1);
    Expected<std::unique_ptr<Command>> Probe =
        startShell(Config.Probe, Output->get());
    if (!Probe)
      return Probe.takeError();
    Begin = Clock::now();
    (*Probe)->release();
    bool IsDone = await(**Probe, &Group, IsUnwanted);
    Result.Seconds = secondsSince(Begin);
    if (!IsDone || (*Main)->hasEnded(0)) {
      end(**Probe);
      end(**Main);
      if (!IsDone)
        return std::nullopt;
      return createStringError("the command ended before its probe: '" +
                               Config.Command + "'");
    }
    Last = reap(**Probe);
    end(**Main);
    Result.RunSeconds = Last.RunSeconds + reap(**Main).RunSeconds;
  }
  Result.WaitSeconds = Group.waitSeconds();
  Result.ForeignSeconds =
      std::max(0.0, busySeconds() - BusyBefore - Result.RunSeconds);
  if (WIFSIGNALED(Last.Status))
    Result.Signal = WTERMSIG(Last.Status);
  else
    Result.ExitCode = WEXITSTATUS(Last.Status);
  uint64_t Events;
  if (Counter.get() >= 0 &&
      ::read(Counter.get(), &Events, sizeof Events) == sizeof Events)
    Result.Events = Events;
  Result.Output = readAll(*Output);
  return std::move(Result);
}

} // namespace linesman::drive
