// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows as stretches of one process and of what it forks. Nothing is done
// inside them: pages move from outside.

#include "linesman/Drive/BisectMeter.h"
#include "linesman/Drive/BisectSetup.h"
#include "linesman/Drive/FamilyPlacer.h"
#include "linesman/Process/Descriptor.h"
#include "linesman/Process/Mappings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::bisect;
using namespace linesman::control;
using namespace linesman::process;

namespace linesman::drive {

namespace {

/// Of address space, for windows with all memory.
constexpr uint64_t MostWholeBytes = uint64_t(2) << 30;

class LiveOracle : public PlacingOracle {
public:
  LiveOracle(const BisectConfig &Config, size_t Count, LiveProcess Process,
             std::vector<RunRange> Ranges)
      : PlacingOracle(Config), Count(Count), Process(std::move(Process)),
        Placer(Config, makeFamily(), std::move(Ranges)),
        Meter(Config, this->Process) {
    if (!this->Process.Watcher)
      consumeError(this->Process.Watcher.takeError());
  }

  Error begin() { return Placer.begin(); }

  WindowOutcome measure(const WindowRequest &Window) override {
    if (isInterrupted())
      return {WindowState::Stopped};
    if (Window.Purpose == Stage::Whole)
      return measureWhole(!Window.Remote.empty());
    std::vector<bool> Remote = remoteIn(Window, Count);
    Expected<Placed> Before = Placer.place(Remote);
    if (!Before)
      return stop(Before.takeError());
    if (*Before == Placed::Elsewhere)
      return {WindowState::Skipped};
    Expected<WindowOutcome> Outcome = Meter.measure();
    if (!Outcome)
      return stop(Outcome.takeError());
    if (Outcome->State != WindowState::Measured)
      return *Outcome;
    // Whoever moved a page, the kernel's balancing or the program, the window
    // was not what it should be.
    Expected<Placed> After = Placer.check(Remote);
    if (!After)
      return stop(After.takeError());
    return *After == Placed::Done ? *Outcome
                                  : WindowOutcome{WindowState::Skipped};
  }

  Lengthening lengthen(double Factor) override {
    return Meter.lengthen(Factor);
  }

  std::vector<std::string> finish() override {
    std::vector<std::string> Notes;
    for (const auto &[Reason, Processes] : Placer.stayed())
      Notes.push_back(formatv("{0} candidate{1} not searched: {2}",
                              Processes.size(),
                              Processes.size() == 1 ? "" : "s", Reason));
    if (Placer.processes() > 1)
      Notes.push_back(
          formatv("{0} processes were placed together: the program forks",
                  Placer.processes()));
    if (Whole)
      if (Error E = Whole->restore().takeError())
        Notes.push_back("not all memory was put back: " +
                        toString(std::move(E)));
    Expected<FamilyPlacer::Restoration> Done = Placer.restore();
    if (!Done)
      Notes.push_back("not put back: " + toString(Done.takeError()));
    else if (Done->Back != Done->Pages)
      Notes.push_back(formatv("NOT put back: {0} of {1} pages are on another "
                              "node than before",
                              Done->Pages - Done->Back, Done->Pages));
    else if (Config.Attach.Value)
      Notes.push_back(formatv("put back: all {0} pages are on the nodes where "
                              "they were before the search",
                              Done->Pages));
    if (Process.Started) {
      Process.Started.reset();
      if (size_t Children = endProcesses(readDescendants({::getpid()})))
        Notes.push_back(
            formatv("ended: {0} that the program had started",
                    Children == 1 ? "a process"
                                  : formatv("{0} processes", Children).str()));
    }
    return Notes;
  }

  std::string cannotTell() const override {
    if (Placer.hasFleetingChildren())
      return "the program forks children that came and went during windows, "
             "and "
             "have their own pages; search with a process for each window "
             "(without --live, --probe and --pid), whose children inherit the "
             "placement";
    size_t Shared = 0;
    for (const auto &[Reason, Processes] : Placer.stayed())
      if (StringRef(Reason).contains("shared"))
        Shared += Processes.size();
    if (Shared)
      return formatv("{0} pages are shared by {1} forked processes and could "
                     "not be moved; run linesman as root (CAP_SYS_NICE)",
                     Shared, Placer.processes());
    return Placer.reason();
  }

private:
  size_t Count;
  LiveProcess Process;
  FamilyPlacer Placer;
  LiveMeter Meter;

  /// Placements of all memory, where it came to that.
  std::unique_ptr<FamilyPlacer> Whole;

  /// All private memory moves, and moves back after the second window. Not of a
  /// program with much of it, which would stand still for seconds.
  WindowOutcome measureWhole(bool Remote) {
    if (!Whole) {
      Expected<std::vector<RunRange>> Memory =
          readPrivateMemory(Process.Process);
      if (!Memory)
        return stop(Memory.takeError());
      uint64_t Bytes = 0;
      for (RunRange Range : *Memory)
        Bytes += Range.size();
      if (Bytes > MostWholeBytes)
        return {WindowState::Stopped};
      Whole = std::make_unique<FamilyPlacer>(Config, makeFamily(),
                                             std::move(*Memory));
      WholeCount = Whole->size();
      if (Error E = Whole->begin())
        return stop(std::move(E));
    }
    Expected<Placed> Done = Whole->place(std::vector<bool>(WholeCount, Remote));
    if (!Done)
      return stop(Done.takeError());
    Expected<WindowOutcome> Outcome = Meter.measure();
    if (!Outcome)
      return stop(Outcome.takeError());
    return *Outcome;
  }

  size_t WholeCount = 0;

  Family makeFamily() const {
    return Family(Process.Process, Process.Started
                                       ? std::optional<ProcessId>({::getpid()})
                                       : std::nullopt);
  }
};

} // namespace

Error holdCandidates(ShimClient &Shim, ArrayRef<PageCandidate> Candidates) {
  Expected<std::vector<StaticModule>> Modules = Shim.modules();
  if (!Modules)
    return Modules.takeError();
  Expected<std::vector<RunRange>> Ranges = locate(Candidates, *Modules);
  if (!Ranges)
    return Ranges.takeError();
  for (size_t I = 0; I != Ranges->size();) {
    RunRange Range = (*Ranges)[I];
    while (++I != Ranges->size() && (*Ranges)[I].Begin == Range.End)
      Range.End = (*Ranges)[I].End;
    if (Error E = Shim.place(Range, {Placement::Kind::Held},
                             control::Preparation::Prepare)
                      .takeError())
      return E;
  }
  return Error::success();
}

Expected<LiveProcess> startLive(const BisectConfig &Config,
                                BeforeMain Prepare) {
  LiveProcess Result{nullptr, Config.Attach, nullptr, {}, Descriptor()};
  if (Config.Attach.Value) {
    if (Error E = attachFromOutside(Config.Attach).moveInto(Result.Outside))
      return std::move(E);
    return std::move(Result);
  }
  // Daemons and children of a parent that has ended become ours, and are found.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  int Pipe[2];
  if (::pipe2(Pipe, O_CLOEXEC) != 0)
    return createStringError("pipe: " + sys::StrError(errno));
  Result.Output = Descriptor(Pipe[0]);
  Descriptor Write(Pipe[1]);
  LaunchConfig Launching;
  Launching.Command = Config.Command;
  Launching.Program = Config.Program;
  Launching.ShimPath = Config.ShimPath;
  if (!Config.Library.empty())
    Launching.Preload = {Config.Library};
  Launching.Output = Config.LiveMatches ? Write.get() : STDERR_FILENO;
  Launching.Interrupt = Config.Interrupt;
  Expected<std::unique_ptr<Launch>> Process = Launch::start(Launching);
  if (!Process)
    return Process.takeError();
  Result.Started = std::move(*Process);
  Expected<std::unique_ptr<ShimClient>> Shim = Result.Started->greet();
  if (!Shim)
    return Shim.takeError();
  if (!Config.Replaced.empty()) {
    Expected<std::vector<StaticModule>> Modules = (*Shim)->modules();
    if (!Modules)
      return Modules.takeError();
    if (Error E = checkReplaced(Config, *Modules))
      return std::move(E);
  }
  if (Error E = Prepare(**Shim))
    return std::move(E);
  Result.Process = (*Shim)->process();
  // While it stands: past main it may end at once.
  if (Error E =
          attachFromOutside(Result.Process, SharedPages::Stay, (*Shim)->known())
              .moveInto(Result.Outside))
    return std::move(E);
  Result.Watcher = (*Shim)->takeWatcher();
  if (Error E = (*Shim)->start())
    return std::move(E);
  return std::move(Result);
}

Expected<std::unique_ptr<PlacingOracle>>
makeLiveOracle(const BisectConfig &Config, ArrayRef<PageCandidate> Candidates,
               LiveProcess Process) {
  Expected<std::vector<StaticModule>> Modules = Process.Outside->modules();
  if (!Modules) {
    consumeError(Process.Watcher.takeError());
    return Modules.takeError();
  }
  Expected<std::vector<RunRange>> Ranges = locate(Candidates, *Modules);
  if (!Ranges) {
    consumeError(Process.Watcher.takeError());
    return Ranges.takeError();
  }
  auto Result = std::make_unique<LiveOracle>(
      Config, Candidates.size(), std::move(Process), std::move(*Ranges));
  if (Error E = Result->begin())
    return std::move(E);
  return std::move(Result);
}

} // namespace linesman::drive
