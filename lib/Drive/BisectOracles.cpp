// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows of one process each, and how a window is judged.

#include "Clock.h"
#include "OutputFile.h"
#include "linesman/Drive/BisectSetup.h"
#include "linesman/Drive/OutputNumber.h"
#include "linesman/Process/Family.h"
#include "linesman/Process/Handles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::bisect;
using namespace linesman::control;
using namespace linesman::process;

namespace linesman::drive {

bool PlacingOracle::isInterrupted() const {
  pollfd File = {Config.Interrupt, POLLIN, 0};
  return ::poll(&File, 1, 0) > 0;
}

WindowOutcome PlacingOracle::stop(Error E) {
  // A Ctrl-C reaches the program, too: however it ended, that was the reason.
  if (isInterrupted())
    consumeError(std::move(E));
  else
    Problem = joinErrors(std::move(Problem), std::move(E));
  return {WindowState::Stopped};
}

std::optional<WindowOutcome> verdictOf(int ExitCode) {
  // As `git bisect run` has it.
  if (ExitCode == 125)
    return WindowOutcome{WindowState::Skipped};
  if (ExitCode < 0 || ExitCode > 127)
    return std::nullopt;
  return WindowOutcome{WindowState::Measured, ExitCode == 0 ? 0.0 : 1.0};
}

namespace {

/// Waits for a child's end. An interruption ends it, and what it has started.
Expected<int> awaitCommand(const BisectConfig &Config, ProcessId Child) {
  Descriptor Ended = openProcess(Child);
  if (Ended.get() < 0)
    return createStringError("pidfd_open: " + sys::StrError(errno));
  pollfd Files[] = {{Ended.get(), POLLIN, 0}, {Config.Interrupt, POLLIN, 0}};
  while (::poll(Files, 2, -1) < 0 && errno == EINTR) {
  }
  if (!Files[0].revents) {
    std::vector<ProcessId> All = readDescendants(Child);
    All.insert(All.begin(), Child);
    endProcesses(All);
    return make_error<Interrupted>();
  }
  int Status;
  while (::waitpid(Child.Value, &Status, 0) < 0)
    if (errno != EINTR)
      return createStringError("waitpid: " + sys::StrError(errno));
  return WIFSIGNALED(Status) ? 128 + WTERMSIG(Status) : WEXITSTATUS(Status);
}

/// A process for each window, placed before main. Its policies are inherited by
/// what it forks, so that a child's own pages are born in the same place.
class RunOracle : public PlacingOracle {
public:
  RunOracle(const BisectConfig &Config, ArrayRef<PageCandidate> Candidates)
      : PlacingOracle(Config), Candidates(Candidates) {}

  WindowOutcome measure(const WindowRequest &Window) override {
    if (isInterrupted())
      return {WindowState::Stopped};
    Expected<WindowOutcome> Outcome = runOnce(Window);
    // Whatever it has left running belongs to this window.
    endProcesses(readDescendants({::getpid()}));
    return Outcome ? *Outcome : stop(Outcome.takeError());
  }

  std::vector<std::string> finish() override { return {}; }

private:
  ArrayRef<PageCandidate> Candidates;

  Error place(ShimClient &Shim, const WindowRequest &Window) {
    Expected<std::vector<StaticModule>> Modules = Shim.modules();
    if (!Modules)
      return Modules.takeError();
    if (Error E = checkReplaced(Config, *Modules))
      return E;
    Expected<std::vector<RunRange>> Ranges = locate(Candidates, *Modules);
    if (!Ranges)
      return Ranges.takeError();
    std::optional<std::vector<bool>> Nothing;
    Expected<std::vector<PagePlace>> Elsewhere = placeCandidates(
        Shim, Config, *Ranges, remoteIn(Window, Candidates.size()), Nothing);
    if (!Elsewhere)
      return Elsewhere.takeError();
    if (Elsewhere->empty())
      return Error::success();
    return createStringError(formatv(
        "{0} pages did not move; the first, at {1:x}: {2}", Elsewhere->size(),
        Elsewhere->front().Address.Value, describeReason(Elsewhere->front())));
  }

  Expected<WindowOutcome> runOnce(const WindowRequest &Window) {
    Expected<Descriptor> Output = makeOutputFile();
    if (!Output)
      return Output.takeError();
    LaunchConfig Launching;
    Launching.Command = Config.Command;
    Launching.Program = Config.Program;
    Launching.ShimPath = Config.ShimPath;
    if (!Config.Library.empty())
      Launching.Preload = {Config.Library};
    Launching.Output = Output->get();
    Launching.Interrupt = Config.Interrupt;
    if (Window.Purpose == Stage::Whole)
      Launching.MemoryNode =
          Window.Remote.empty() ? Config.LocalNode : Config.RemoteNode;
    Expected<std::unique_ptr<Launch>> Process = Launch::start(Launching);
    if (!Process)
      return Process.takeError();
    Expected<std::unique_ptr<ShimClient>> Shim = (*Process)->greetNext();
    Clock::time_point Begin = Clock::now();
    bool Started = false;
    while (true) {
      if (!Shim)
        return Shim.takeError();
      if (!*Shim)
        break;
      Started = true;
      if (Error E = place(**Shim, Window))
        return std::move(E);
      Begin = Clock::now();
      if (Error E = (*Shim)->start())
        return std::move(E);
      Shim = (*Process)->greetNext();
    }
    Expected<ExitState> End = (*Process)->wait();
    if (!End)
      return End.takeError();
    double Seconds = secondsSince(Begin);
    if (End->Signal)
      return createStringError(
          formatv("the command was killed by signal {0}", End->Signal));
    Expected<WindowOutcome> Outcome =
        judge(Config, "the command", End->Code, readAll(*Output), Seconds);
    // A script may decide before it starts the program, but only to skip.
    if (Outcome && !Started && Outcome->State != WindowState::Skipped)
      return (*Process)->notLoaded();
    return Outcome;
  }
};

} // namespace

Expected<WindowOutcome> judge(const BisectConfig &Config, StringRef Owner,
                              int ExitCode, StringRef Output, double Seconds) {
  std::optional<WindowOutcome> Outcome = verdictOf(ExitCode);
  if (!Outcome)
    return createStringError(
        formatv("{0} ended with exit code {1}; above 127 stops the search, as "
                "in git bisect run",
                Owner, ExitCode));
  if (Outcome->State == WindowState::Skipped ||
      Config.Metric == MetricSource::ExitCode)
    return *Outcome;
  if (Outcome->Value != 0)
    return createStringError(
        formatv("{0} failed with exit code {1}", Owner, ExitCode));
  if (Config.Metric == MetricSource::Time)
    return WindowOutcome{WindowState::Measured, Seconds};
  Expected<double> Number = drive::readNumber(Output, Config.Match);
  if (!Number)
    return Number.takeError();
  return WindowOutcome{WindowState::Measured, *Number};
}

Expected<CommandResult> runShell(const BisectConfig &Config,
                                 StringRef Command) {
  Expected<Descriptor> Output = makeOutputFile();
  if (!Output)
    return Output.takeError();
  std::string Text = Command.str();
  char *Words[] = {const_cast<char *>("sh"), const_cast<char *>("-c"),
                   Text.data(), nullptr};
  // Not a process::Command: a probe keeps our group, our standard input and our
  // signals.
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_adddup2(&Actions, Output->get(), STDOUT_FILENO);
  pid_t Child;
  Clock::time_point Begin = Clock::now();
  int Problem =
      ::posix_spawn(&Child, "/bin/sh", &Actions, nullptr, Words, environ);
  posix_spawn_file_actions_destroy(&Actions);
  if (Problem)
    return createStringError("/bin/sh: " + sys::StrError(Problem));
  Expected<int> Code = awaitCommand(Config, {Child});
  if (!Code)
    return Code.takeError();
  return CommandResult{*Code, readAll(*Output), secondsSince(Begin)};
}

std::unique_ptr<PlacingOracle>
makeRunOracle(const BisectConfig &Config, ArrayRef<PageCandidate> Candidates) {
  return std::make_unique<RunOracle>(Config, Candidates);
}

} // namespace linesman::drive
