// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows: one process each, or stretches of one process.

#include "BisectSetup.h"
#include "linesman/Drive/OutputNumber.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Program.h"
#include <chrono>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::bisect;
using namespace linesman::control;
using Clock = std::chrono::steady_clock;

namespace linesman::tool {

WindowOutcome PlacingOracle::stop(Error E) {
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

double secondsSince(Clock::time_point Begin) {
  return std::chrono::duration<double>(Clock::now() - Begin).count();
}

/// A file without a name, for a command's output.
Expected<Descriptor> makeOutputFile() {
  Descriptor File(::memfd_create("linesman-output", MFD_CLOEXEC));
  if (File.get() < 0)
    return createStringError("memfd_create: " + sys::StrError(errno));
  return std::move(File);
}

std::string readAll(const Descriptor &File) {
  std::string Text(::lseek(File.get(), 0, SEEK_END), '\0');
  ssize_t Size = ::pread(File.get(), Text.data(), Text.size(), 0);
  Text.resize(std::max<ssize_t>(0, Size));
  return Text;
}

/// A process for each window, placed before main.
class RunOracle : public PlacingOracle {
public:
  RunOracle(const BisectConfig &Config, ArrayRef<PageCandidate> Candidates)
      : Config(Config), Candidates(Candidates) {}

  WindowOutcome measure(const WindowRequest &Window) override {
    Expected<Descriptor> Output = makeOutputFile();
    if (!Output)
      return stop(Output.takeError());
    LaunchConfig Launching{
        Config.Command, Config.Program, Config.ShimPath, {}, Output->get()};
    Expected<std::unique_ptr<Launch>> Process = Launch::start(Launching);
    if (!Process)
      return stop(Process.takeError());
    Expected<std::unique_ptr<ShimClient>> Shim = (*Process)->greetNext();
    Clock::time_point Begin = Clock::now();
    bool Started = false;
    while (true) {
      if (!Shim)
        return stop(Shim.takeError());
      if (!*Shim)
        break;
      Started = true;
      std::optional<std::vector<bool>> Nothing;
      if (Error E = placeWindow(**Shim, Config, Candidates, Window, Nothing))
        return stop(std::move(E));
      Begin = Clock::now();
      if (Error E = (*Shim)->start())
        return stop(std::move(E));
      Shim = (*Process)->greetNext();
    }
    Expected<ExitState> End = (*Process)->wait();
    if (!End)
      return stop(End.takeError());
    double Seconds = secondsSince(Begin);
    if (End->Signal)
      return stop(createStringError(
          formatv("the command was killed by signal {0}", End->Signal)));
    std::optional<WindowOutcome> Outcome = verdictOf(End->Code);
    if (!Outcome)
      return stop(createStringError(
          formatv("the command ended with exit code {0}; above 127 stops the "
                  "search, as in git bisect run",
                  End->Code)));
    // A script may decide before it starts the program, but only to skip.
    if (!Started && Outcome->State != WindowState::Skipped)
      return stop(Launch::notLoaded());
    if (Outcome->State == WindowState::Skipped ||
        Config.Metric == MetricSource::ExitCode)
      return *Outcome;
    if (Outcome->Value != 0)
      return stop(createStringError(
          formatv("the command failed with exit code {0}", End->Code)));
    if (Config.Metric == MetricSource::Time)
      return {WindowState::Measured, Seconds};
    Expected<double> Number = drive::readNumber(readAll(*Output), Config.Match);
    if (!Number)
      return stop(Number.takeError());
    return {WindowState::Measured, *Number};
  }

private:
  const BisectConfig &Config;
  ArrayRef<PageCandidate> Candidates;
};

/// One process; pages move between windows.
class LiveOracle : public PlacingOracle {
public:
  LiveOracle(const BisectConfig &Config, ArrayRef<PageCandidate> Candidates,
             LiveProcess Process)
      : Config(Config), Candidates(Candidates), Process(std::move(Process)),
        Matches(Config.LiveMatches) {}

  WindowOutcome measure(const WindowRequest &Window) override {
    if (Error E = placeWindow(*Process.With, Config, Candidates, Window, Last))
      return stop(std::move(E));
    WindowOutcome Outcome = Config.Probe.empty() ? readWindow() : runProbe();
    if (Outcome.State != WindowState::Measured)
      return Outcome;
    // Whoever moved a page back, the kernel's balancing or the program, the
    // window was not what it should be.
    bool Drifted = false;
    std::optional<std::vector<bool>> Again;
    if (Error E = checkPlaces(Window, Drifted))
      return stop(std::move(E));
    if (Drifted) {
      Last.reset();
      return {WindowState::Skipped};
    }
    return Outcome;
  }

  Lengthening lengthen(double Factor) override {
    if (!Config.Probe.empty())
      return Lengthening::NotPossible;
    Matches = unsigned(Matches * Factor + 0.5);
    return Lengthening::Done;
  }

private:
  const BisectConfig &Config;
  ArrayRef<PageCandidate> Candidates;
  LiveProcess Process;
  unsigned Matches;
  std::optional<std::vector<bool>> Last;
  /// Output that has been read and is not a whole line yet.
  std::string Partial;

  Error checkPlaces(const WindowRequest &Window, bool &Drifted) {
    std::vector<bool> Remote(Candidates.size());
    for (CandidateRange Range : Window.Remote)
      std::fill(Remote.begin() + Range.Begin, Remote.begin() + Range.End, true);
    Expected<std::vector<Module>> Modules = Process.With->modules();
    if (!Modules)
      return Modules.takeError();
    for (auto [C, IsRemote] : zip_equal(Candidates, Remote)) {
      for (const Module &M : *Modules) {
        if (M.Path != C.Module)
          continue;
        Expected<std::vector<PagePlace>> Places = Process.With->query(
            {{C.Pages.Begin.Value + M.Bias}, {C.Pages.End.Value + M.Bias}});
        if (!Places)
          return Places.takeError();
        int Node = IsRemote ? Config.RemoteNode : Config.LocalNode;
        for (const PagePlace &Page : *Places)
          Drifted |= Page.Node && *Page.Node != Node;
      }
    }
    return Error::success();
  }

  /// The next line of the program's output; nothing at its end.
  std::optional<std::string> readLine() {
    while (true) {
      if (size_t End = Partial.find('\n'); End != std::string::npos) {
        std::string Line = Partial.substr(0, End);
        Partial.erase(0, End + 1);
        return Line;
      }
      char Buffer[4096];
      ssize_t Size = ::read(Process.Output.get(), Buffer, sizeof Buffer);
      if (Size < 0 && errno == EINTR)
        continue;
      if (Size <= 0)
        return std::nullopt;
      Partial.append(Buffer, Size);
    }
  }

  /// Throws away what was printed while pages moved, and the first match after
  /// it, which began before.
  WindowOutcome readWindow() {
    drain();
    double Sum = 0;
    for (unsigned Seen = 0; Seen != Matches + 1;) {
      std::optional<std::string> Line = readLine();
      if (!Line)
        return stop(createStringError(
            "the program ended before the search did: let it run longer"));
      if (!drive::findLastMatch(*Line, Config.Match))
        continue;
      Expected<double> Number = drive::readNumber(*Line, Config.Match);
      if (!Number)
        return stop(Number.takeError());
      if (Seen++)
        Sum += *Number;
    }
    return {WindowState::Measured, Sum / Matches};
  }

  /// What the pipe holds, and no more of a program that prints faster than it
  /// is read.
  void drain() {
    int Flags = ::fcntl(Process.Output.get(), F_GETFL);
    ::fcntl(Process.Output.get(), F_SETFL, Flags | O_NONBLOCK);
    char Buffer[4096];
    ssize_t Size;
    for (int Left = ::fcntl(Process.Output.get(), F_GETPIPE_SZ);
         Left > 0 &&
         (Size = ::read(Process.Output.get(), Buffer, sizeof Buffer)) > 0;
         Left -= Size)
      Partial.append(Buffer, Size);
    ::fcntl(Process.Output.get(), F_SETFL, Flags);
    // The last, unfinished line stays: its end is still to come.
    size_t End = Partial.rfind('\n');
    if (End != std::string::npos)
      Partial.erase(0, End + 1);
  }

  WindowOutcome runProbe() {
    Expected<Descriptor> Output = makeOutputFile();
    if (!Output)
      return stop(Output.takeError());
    std::string Path = formatv("/proc/{0}/fd/{1}", ::getpid(), Output->get());
    std::string Pid = std::to_string(Process.With->process().Value);
    ::setenv("LINESMAN_PID", Pid.c_str(), /*replace=*/1);
    std::optional<StringRef> Redirects[] = {std::nullopt, StringRef(Path),
                                            std::nullopt};
    Clock::time_point Begin = Clock::now();
    std::string Problem;
    int Code = sys::ExecuteAndWait("/bin/sh", {"sh", "-c", Config.Probe},
                                   std::nullopt, Redirects, 0, 0, &Problem);
    double Seconds = secondsSince(Begin);
    std::optional<WindowOutcome> Outcome = verdictOf(Code);
    if (!Outcome)
      return stop(createStringError(
          formatv("the probe ended with exit code {0} {1}", Code, Problem)));
    if (Outcome->State == WindowState::Skipped ||
        Config.Metric == MetricSource::ExitCode)
      return *Outcome;
    if (Outcome->Value != 0)
      return stop(createStringError(
          formatv("the probe failed with exit code {0}", Code)));
    if (Config.Metric == MetricSource::Time)
      return {WindowState::Measured, Seconds};
    Expected<double> Number = drive::readNumber(readAll(*Output), Config.Match);
    if (!Number)
      return stop(Number.takeError());
    return {WindowState::Measured, *Number};
  }
};

} // namespace

std::unique_ptr<PlacingOracle>
makeRunOracle(const BisectConfig &Config, ArrayRef<PageCandidate> Candidates) {
  return std::make_unique<RunOracle>(Config, Candidates);
}

Expected<LiveProcess> startLive(const BisectConfig &Config) {
  LiveProcess Result;
  if (Config.Attach.Value) {
    Expected<std::unique_ptr<Actuator>> With = attachTo(Config.Attach);
    if (!With)
      return With.takeError();
    Result.With = std::move(*With);
    return std::move(Result);
  }
  int Pipe[2];
  if (::pipe2(Pipe, O_CLOEXEC) != 0)
    return createStringError("pipe: " + sys::StrError(errno));
  Result.Output = Descriptor(Pipe[0]);
  Descriptor Write(Pipe[1]);
  LaunchConfig Launching{Config.Command,
                         Config.Program,
                         Config.ShimPath,
                         {},
                         Config.LiveMatches ? Write.get() : STDERR_FILENO};
  Expected<std::unique_ptr<Launch>> Process = Launch::start(Launching);
  if (!Process)
    return Process.takeError();
  Result.Started = std::move(*Process);
  Expected<std::unique_ptr<ShimClient>> Shim = Result.Started->greet();
  if (!Shim)
    return Shim.takeError();
  if (Error E = (*Shim)->checkThread())
    return std::move(E);
  if (Error E = (*Shim)->start())
    return std::move(E);
  Result.With = std::move(*Shim);
  return std::move(Result);
}

std::unique_ptr<PlacingOracle>
makeLiveOracle(const BisectConfig &Config, ArrayRef<PageCandidate> Candidates,
               LiveProcess Process) {
  return std::make_unique<LiveOracle>(Config, Candidates, std::move(Process));
}

} // namespace linesman::tool
