// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop of a session.

#include "linesman/Watch/Session.h"
#include "linesman/Watch/Budget.h"
#include "linesman/Watch/Process.h"
#include "linesman/Watch/ThreadChoice.h"
#include "linesman/Watch/WatchError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <set>
#include <thread>
#include <tuple>

using namespace llvm;

namespace linesman::watch {

namespace {

/// The shortest time that a step stays armed where every thread has a
/// processor. A hot word fills its bound in a fraction of it; a turn over one
/// line takes four of them.
constexpr double DwellSeconds = 0.004;

/// Where threads wait for processors a step must be longer, or it is over
/// before its threads have run.
constexpr double MaxDwellSeconds = 0.05;

/// An instruction whose bytes are undecided after so many rounds is too rare
/// for more of them to help; it stays with its whole word. On a machine where
/// threads wait for a processor, most rounds miss one.
constexpr unsigned RefinementsPerBatch = 16;

/// The part of the budget that is planned with: the canary's hits are those of
/// a quiet process, and in a busy one each hit costs its caches as well.
constexpr double BudgetMargin = 0.5;

/// Hits at one half of a range, with the other half armed as well, that show
/// that an instruction does not touch the other half. One is enough where each
/// hit is one access; a loop over bytes needs a few to come round.
constexpr unsigned HitsToExclude = 3;

/// What a step costs a running thread besides its hits, in hits of 15 µs: a
/// dozen interrupts from other processors that change its registers; and what a
/// bound costs, which ends with an interrupt (35 µs) and leaves an event to be
/// replaced. Rounded up until test/bench/watch-slowdown.sh agreed.
constexpr uint64_t HitsPerStep = 12;
constexpr uint64_t HitsPerCeiling = 4;

/// The longest sleep between two looks at ShouldStop and the process.
constexpr double MaxSleepSeconds = 0.05;

double ownProcessorTime() {
  timespec Time;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Time);
  return double(Time.tv_sec) + double(Time.tv_nsec) * 1e-9;
}

unsigned processors() {
  return std::max(1U, std::thread::hardware_concurrency());
}

/// Starting this program has cost the machine something already; that is spread
/// over the session, because paying it first would take half of a short one.
double plannedFraction(const SessionOptions &Options) {
  double Fraction = Options.BudgetFraction * BudgetMargin;
  double StartUp = ownProcessorTime() / processors() / Options.Duration;
  return std::max(Fraction - StartUp, Fraction / 2);
}

class Session {
public:
  Session(ProcessId Process, ArrayRef<Line> Lines,
          const SessionOptions &Options, Instrument &Tool,
          function_ref<bool()> ShouldStop)
      : Process(Process), Options(Options), Tool(Tool), ShouldStop(ShouldStop),
        Plan(Lines),
        Debt(plannedFraction(Options), Options.SecondsPerHit, processors()),
        Start(Clock::now()), OwnTime(ownProcessorTime()) {
    for (const Line &L : Lines)
      Result.Lines.push_back({L, {}, false});
    Somewhere = Lines.front().Address;
  }

  Expected<SessionResult> run();

private:
  using Clock = std::chrono::steady_clock;

  double elapsed() const {
    return std::chrono::duration<double>(Clock::now() - Start).count();
  }
  bool isOver();
  void sleep(double Seconds);
  std::vector<ThreadId> threadsAlive() const;
  Error runTurn(ArrayRef<ThreadId> Batch);
  ThreadClock clock(ThreadId Thread) const { return clockOf(Process, Thread); }
  Error runStep(ArrayRef<Aim> Aims);
  void note(ArrayRef<Aim> Aims, const StepResult &Step);
  void noteAbsences(ArrayRef<Aim> Aims, const StepResult &Step);
  void noteVanished(ArrayRef<ThreadId> Vanished);
  void refineShared();

  ProcessId Process;
  const SessionOptions &Options;
  Instrument &Tool;
  function_ref<bool()> ShouldStop;
  Schedule Plan;
  Budget Debt;
  Clock::time_point Start;
  /// What was charged already.
  double OwnTime;
  RunAddress Somewhere;
  SessionResult Result;
  std::set<ThreadId> Watched, Taken;
  /// In a step of this turn.
  std::set<ThreadId> Missed;
  ThreadChoice Choice;
  Evidence Known;
  double Dwell = DwellSeconds;
  bool Ended = false;
};

bool Session::isOver() {
  if (Ended)
    return true;
  if (ShouldStop()) {
    Result.End = EndReason::Interrupted;
    return Ended = true;
  }
  return Ended = elapsed() >= Options.Duration;
}

/// In short naps, so that Ctrl-C and a stopped process are seen.
void Session::sleep(double Seconds) {
  double Until = std::min(elapsed() + Seconds, Options.Duration);
  while (elapsed() < Until && !ShouldStop()) {
    std::this_thread::sleep_for(std::chrono::duration<double>(
        std::min(Until - elapsed(), MaxSleepSeconds)));
    Result.WasStopped |=
        stateOf(Process) == ProcessState::Stopped && Tool.isStopForeign();
  }
}

Expected<SessionResult> Session::run() {
  Expected<ModuleMap> Modules = ModuleMap::read(Process);
  if (!Modules)
    return Modules.takeError();
  Result.Modules = std::move(*Modules);
  Expected<std::vector<Mapping>> Mappings = readMappings(Process);
  if (!Mappings)
    return Mappings.takeError();
  for (LineResult &L : Result.Lines)
    L.IsShared = isShared(*Mappings, L.Where.Address);
  const std::string Mark = executionMark(Process);
  while (!isOver()) {
    ProcessState State = stateOf(Process);
    // While the session rests nothing is armed that could vanish.
    if (std::string Now = executionMark(Process);
        !Now.empty() && !Mark.empty() && Now != Mark) {
      Result.End = EndReason::Executed;
      break;
    }
    std::vector<ThreadId> All = listThreads(Process);
    for (ThreadId Thread : All)
      if (!Known.knows(Thread))
        Known.meet(Thread, clock(Thread));
    std::vector<ThreadId> Batch =
        Choice.next(All, Tool.batchSize(),
                    [&](ThreadId Thread) { return clock(Thread).Ran; });
    Dwell = std::min(MaxDwellSeconds,
                     DwellSeconds *
                         std::max(1.0, double(Choice.busy()) / processors()));
    if (State == ProcessState::Gone || Batch.empty()) {
      Result.End = EndReason::Exited;
      break;
    }
    if (Error E = runTurn(Batch)) {
      if (Plan.turns() == 0)
        return std::move(E);
      Result.End = EndReason::Failed;
      Result.Problem = toString(std::move(E));
      break;
    }
  }
  Result.Elapsed = elapsed();
  Result.Turns = Plan.turns();
  Result.CanRefute =
      Result.End != EndReason::Failed &&
      Known.suffices(threadsAlive(), [&](ThreadId T) { return clock(T); });
  Result.ThreadsWatched = Watched.size();
  Result.ThreadsTaken = Taken.size();
  Result.Spent = Debt.spent();
  return std::move(Result);
}

/// Without those that have ended and are still listed, as main threads are.
std::vector<ThreadId> Session::threadsAlive() const {
  std::vector<ThreadId> Threads = listThreads(Process);
  erase_if(Threads, [&](ThreadId T) { return !isRunning(Process, T); });
  return Threads;
}

/// One turn of the schedule on one batch of threads.
Error Session::runTurn(ArrayRef<ThreadId> Batch) {
  Expected<Preparation> Ready = Tool.prepare(Batch, Somewhere);
  if (!Ready)
    return Ready.takeError();
  noteVanished(Ready->Vanished);
  Taken.insert(Ready->Taken.begin(), Ready->Taken.end());
  for (ThreadId Thread : Batch)
    if (!Taken.count(Thread))
      Watched.insert(Thread);
  if (Watched.empty() && !Taken.empty())
    return make_error<WatchError>(
        Refusal::RegistersTaken,
        "the debug registers of process " + Twine(Process.Value) +
            " are taken (watching needs two of a thread's four): a debugger "
            "with hardware watchpoints or another linesman is attached to it");
  std::vector<ThreadClock> Begin;
  for (ThreadId Thread : Batch)
    Begin.push_back(clock(Thread));
  Missed.clear();
  const unsigned Turn = Plan.turns();
  while (Turn == Plan.turns() && !isOver())
    if (Error E = runStep(Plan.next(Ready->Ranges)))
      return E;
  if (Turn != Plan.turns())
    for (auto [Thread, From] : zip(Batch, Begin))
      if (!Taken.count(Thread) && !Missed.count(Thread))
        Known.addTurn(Thread, From, clock(Thread));
  refineShared();
  return Error::success();
}

Error Session::runStep(ArrayRef<Aim> Aims) {
  if (Error E = Tool.arm(Aims, Options.Hits))
    return E;
  sleep(Dwell);
  // What the hits so far cost must be paid with time anyway: stay armed
  // meanwhile, because rare accesses cost little and are the ones to miss.
  Instrument::Traps Traps = Tool.peek();
  Budget Preview = Debt;
  Preview.chargeTraps(Traps.Most, Traps.All);
  sleep(Preview.pause(elapsed()));
  Expected<StepResult> Step = Tool.disarm();
  if (!Step)
    return Step.takeError();
  Traps = {};
  for (const ThreadStep &T : Step->Threads) {
    uint64_t Cost = T.Traps + HitsPerCeiling * llvm::popcount(T.Ceilings);
    Traps.Most = std::max(Traps.Most, Cost);
    Traps.All += Cost;
  }
  Traps.Most += HitsPerStep;
  Traps.All +=
      HitsPerStep * std::min<uint64_t>(Step->Threads.size(), processors());
  note(Aims, *Step);
  Debt.chargeTraps(Traps.Most, Traps.All);
  double Now = ownProcessorTime();
  Debt.chargeOwnTime(Now - OwnTime);
  OwnTime = Now;
  sleep(Debt.pause(elapsed()));
  return Error::success();
}

void Session::note(ArrayRef<Aim> Aims, const StepResult &Step) {
  Result.Lost += Step.Lost;
  for (const ThreadStep &T : Step.Threads)
    for (unsigned I = 0; I != Aims.size(); ++I)
      if (T.Ceilings & (1U << I))
        Result.Lines[Aims[I].Line].Matrix.addCeiling(T.Thread, Aims[I].Bytes);
  for (const Hit &H : Step.Hits) {
    const Aim &A = Aims[H.AimIndex];
    Result.Lines[A.Line].Matrix.add(H.Thread, H.Kind, H.Site, A.Bytes, 1);
    if (!Result.ThreadNames.count(H.Thread))
      Result.ThreadNames[H.Thread] = threadName(Process, H.Thread);
    // A library that was loaded after the last look.
    if (!Result.Modules.find(H.Site)) {
      if (Expected<ModuleMap> Now = ModuleMap::read(Process))
        Result.Modules = std::move(*Now);
      else
        consumeError(Now.takeError());
    }
  }
  Missed.insert(Step.Missed.begin(), Step.Missed.end());
  noteAbsences(Aims, Step);
  noteVanished(Step.Vanished);
}

/// Two halves of one range were watched together: who was met at one of them
/// only does not touch the other one.
void Session::noteAbsences(ArrayRef<Aim> Aims, const StepResult &Step) {
  if (Aims.size() != 2 || Aims[0].Bytes.Size == 8)
    return;
  struct Counts {
    std::array<unsigned, 2> All = {}, Together = {};
  };
  std::map<std::tuple<ThreadId, AccessKind, RunAddress>, Counts> Met;
  for (const Hit &H : Step.Hits) {
    Counts &C = Met[{H.Thread, H.Kind, H.Site}];
    ++C.All[H.AimIndex];
    C.Together[H.AimIndex] += H.AllArmed;
  }
  SharingMatrix &Matrix = Result.Lines[Aims[0].Line].Matrix;
  for (const auto &[Who, C] : Met)
    for (unsigned I = 0; I != 2; ++I)
      if (C.All[I] == 0 && C.Together[1 - I] >= HitsToExclude)
        Matrix.exclude(std::get<0>(Who), std::get<1>(Who), std::get<2>(Who),
                       Aims[I].Bytes);
}

/// A watchpoint vanishes with its thread, or with execve, which replaces the
/// program under the same number.
void Session::noteVanished(ArrayRef<ThreadId> Vanished) {
  for (ThreadId Thread : Vanished)
    if (isRunning(Process, Thread)) {
      Result.End = EndReason::Executed;
      Ended = true;
    }
}

void Session::refineShared() {
  // Every batch of threads gets its share of the tries.
  unsigned Tries =
      RefinementsPerBatch * (1 + Watched.size() / Tool.batchSize());
  for (unsigned I = 0; I != Result.Lines.size(); ++I)
    for (ByteRange Word : Result.Lines[I].Matrix.wordsToRefine())
      Plan.refine(I, Word, Tries);
}

} // namespace

Expected<SessionResult> watchLines(ProcessId Process, ArrayRef<Line> Lines,
                                   const SessionOptions &Options,
                                   Instrument &Tool,
                                   function_ref<bool()> ShouldStop) {
  return Session(Process, Lines, Options, Tool, ShouldStop).run();
}

} // namespace linesman::watch
