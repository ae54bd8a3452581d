// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop of a session.

#include "linesman/Watch/Session.h"
#include "SessionResults.h"
#include "StepEvidence.h"
#include "linesman/Process/State.h"
#include "linesman/Watch/Breakpoint.h"
#include "linesman/Watch/Budget.h"
#include "linesman/Watch/CatchCallers.h"
#include "linesman/Watch/ThreadChoice.h"
#include "linesman/Watch/WatchError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <chrono>
#include <random>
#include <set>
#include <thread>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

namespace {

/// The shortest time that a step stays armed where every thread has a
/// processor. A hot word fills its bound in a fraction of it.
constexpr double DwellSeconds = 0.004;

/// Where threads wait for processors a step must be longer, or it is over
/// before its threads have run.
constexpr double MaxDwellSeconds = 0.05;

/// Steps are up to this part longer or shorter, by chance: a program whose
/// period fits theirs would always do the same while a word is armed.
constexpr double DwellJitter = 0.3;

/// Between two looks at threads and their clocks, where these are few. Where
/// they are many a look costs some 20 µs a thread, and looks have this part of
/// the budget.
constexpr double LookSeconds = 0.1;
constexpr double LookShare = 0.25;

/// How often a word that only one thread touches is taken apart, so that its
/// bytes are known.
constexpr unsigned Sharpenings = 3;

/// An instruction whose bytes are undecided after this many rounds is too rare
/// for more of them to help; it stays with its whole word. On a machine where
/// threads wait for a processor, most rounds miss one.
constexpr unsigned RefinementsPerBatch = 16;

/// The part of the budget that is planned with: the canary's hits are those of
/// a quiet process, and in a busy one each hit costs its caches as well.
constexpr double BudgetMargin = 0.5;

/// What a step costs a running thread besides its hits, in hits of 15 µs: a
/// dozen interrupts from other processors that change its registers; and what a
/// bound costs, which ends with an interrupt (35 µs) and leaves an event to be
/// replaced. Rounded up until test/bench/watch-slowdown.sh agreed.
constexpr uint64_t HitsPerStep = 12;
constexpr uint64_t HitsPerCeiling = 4;

/// One turn in this many is also about lines that have a verdict and no rates.
constexpr unsigned TurnsOfPrice = 4;

/// Of its time, for which a thread runs that no price depends on.
constexpr double IdleShare = 0.01;

/// Looks for callers of libraries: how many, how long each lasts at most where
/// threads have processors and where they wait for some, and what a hit with a
/// stack costs in hits without.
constexpr unsigned MostCallerLooks = 6;
constexpr double CallerSeconds = 0.03, MostCallerSeconds = 0.1;
constexpr uint64_t HitsPerStack = 2;

/// The longest sleep between two looks at ShouldStop and the process.
constexpr double MaxSleepSeconds = 0.05;

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
        Random(static_cast<uint32_t>(monotonicTime())), Plan(Lines, Random()),
        Fraction(plannedFraction(Options)),
        Debt(Fraction, Options.SecondsPerHit, processors()),
        Start(Clock::now()), OwnTime(ownProcessorTime()) {
    for (const Line &L : Lines) {
      Result.Lines.emplace_back();
      Result.Lines.back().Watched = L;
    }
    Somewhere = Lines.front().Address;
    if (Options.Cost)
      Rates.emplace(*Options.Cost);
  }

  Expected<SessionResult> run();

private:
  using Clock = std::chrono::steady_clock;

  double elapsed() const {
    return std::chrono::duration<double>(Clock::now() - Start).count();
  }
  Error readMemory();
  bool isOver();
  void sleep(double Seconds);
  ThreadClock clock(ThreadId Thread) const { return clockOf(Process, Thread); }
  void look(ArrayRef<ThreadId> Alive);
  void noteRunning(ThreadId Thread, ThreadClock Now);
  void rate(unsigned Line);
  void lookAndJudge(ArrayRef<ThreadId> Alive);
  double dwell();
  Error runTurn(ArrayRef<ThreadId> Batch);
  Error runStep(ArrayRef<Aim> Aims);
  void note(ArrayRef<Aim> Aims, const StepResult &Step);
  void noteVanished(ArrayRef<ThreadId> Vanished);
  void refine();
  void judge();
  Error lookForCallers();

  ProcessId Process;
  const SessionOptions &Options;
  Instrument &Tool;
  function_ref<bool()> ShouldStop;
  std::minstd_rand Random;
  Schedule Plan;
  double Fraction;
  Budget Debt;
  Clock::time_point Start;
  /// What was charged already.
  double OwnTime;
  /// Processor time of linesman in the last step: the next one will take as
  /// much.
  double StepTime = 0;
  RunAddress Somewhere;
  SessionResult Result;
  std::set<ThreadId> Met, Watched, Taken;
  /// At the last look, of those that are there.
  std::map<ThreadId, uint64_t> RunTimes;
  ThreadChoice Choice;
  Evidence Known;
  std::optional<AccessRates> Rates;
  /// When each thread was met, and its clock then.
  std::map<ThreadId, std::pair<double, ThreadClock>> MetAt;
  double NextLook = 0;
  /// How much longer than it ran the process's threads waited for a processor.
  double Crowding = 1;
  ThreadClock Before;
  unsigned CallerLooks = 0;
  std::vector<CaughtAccess> Caught;
  bool AllJudged = false;
  bool Ended = false;
};

bool Session::isOver() {
  if (Ended)
    return true;
  if (ShouldStop()) {
    Result.End = EndReason::Interrupted;
    return Ended = true;
  }
  return Ended =
             elapsed() >= (AllJudged ? Options.Duration : Options.MostDuration);
}

/// In short naps, so that Ctrl-C and a stopped process are seen.
void Session::sleep(double Seconds) {
  double Until = std::min(elapsed() + Seconds, Options.MostDuration);
  while (elapsed() < Until && !ShouldStop()) {
    std::this_thread::sleep_for(std::chrono::duration<double>(
        std::min(Until - elapsed(), MaxSleepSeconds)));
    Result.WasStopped |=
        stateOf(Process) == ProcessState::Stopped && Tool.isStopForeign();
  }
}

Error Session::readMemory() {
  Expected<ModuleMap> Modules = ModuleMap::read(Process, Options.Modules);
  if (!Modules)
    return Modules.takeError();
  Result.Modules = std::move(*Modules);
  Expected<std::vector<Mapping>> Mappings = readMappings(Process);
  if (!Mappings)
    return Mappings.takeError();
  for (LineResult &L : Result.Lines)
    L.IsShared = isShared(*Mappings, L.Watched.Address);
  return Error::success();
}

Expected<SessionResult> Session::run() {
  // A program may be at its end already: then nobody was seen.
  if (Error E = ignoreGone(readMemory()))
    return std::move(E);
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
    if (State == ProcessState::Gone || All.empty()) {
      Result.End = EndReason::Exited;
      break;
    }
    if (elapsed() >= NextLook)
      lookAndJudge(All);
    if (Error E = runTurn(Choice.next(All, Tool.batchSize()))) {
      if (Plan.turns() == 0)
        return std::move(E);
      Result.End = EndReason::Failed;
      Result.Problem = toString(std::move(E));
      break;
    }
    if (Options.FindsCallers && CallerLooks != MostCallerLooks)
      if (Error E = ignoreGone(lookForCallers()))
        return std::move(E);
  }
  // Of a process that has exited the looks before are what is known.
  if (std::vector<ThreadId> Alive = listThreads(Process);
      !AllJudged && Result.End != EndReason::Exited &&
      Result.End != EndReason::Executed && !Alive.empty()) {
    look(Alive);
    judge();
  }
  for (unsigned I = 0; I != Result.Lines.size(); ++I)
    rate(I);
  Result.Elapsed = elapsed();
  Result.Callers = findCallers(Caught, Result.Modules);
  Result.Turns = Plan.turns();
  Result.ThreadsMet = Met.size();
  Result.ThreadsWatched = Watched.size();
  Result.ThreadsTaken = Taken.size();
  for (ThreadId Thread : Met)
    Result.ThreadsLeftOut += !Watched.count(Thread) && !Taken.count(Thread);
  Result.Spent = Debt.spent();
  return std::move(Result);
}

void Session::rate(unsigned Line) {
  LineResult &L = Result.Lines[Line];
  if (!Rates) {
    L.WhyNoRates = "what a hit costs is not known, so that its time cannot be "
                   "told from the program's (perf watches with known costs)";
    return;
  }
  // It makes others wait no longer than it runs.
  L.Rates = Rates->rates(Line, [&](ThreadId Thread) {
    auto Running = Result.Running.find(Thread);
    return Running != Result.Running.end() && Running->second < IdleShare;
  });
  L.WhyNoRates = Rates->whyNone(Line, L.Rates);
}

void Session::lookAndJudge(ArrayRef<ThreadId> Alive) {
  double Begin = ownProcessorTime();
  look(Alive);
  judge();
  double Cost = (ownProcessorTime() - Begin) / processors();
  NextLook = elapsed() + std::max(LookSeconds, Cost / (LookShare * Fraction));
}

/// Meets new threads, and reads all clocks; and the names of those that ran,
/// for which a thread usually names itself.
void Session::look(ArrayRef<ThreadId> Alive) {
  assert(is_sorted(Alive) && "it is searched");
  Known.lookAtProcess(runTimeOf(Process));
  ThreadClock Sum;
  for (ThreadId Thread : Alive) {
    ThreadClock Now = clock(Thread);
    // A main thread that has ended is still listed, with its clock.
    bool CanHaveEnded = Thread.Value == Process.Value || Now == ThreadClock();
    if (CanHaveEnded && !isRunning(Process, Thread)) {
      if (!Met.count(Thread))
        continue;
      Now = {};
    }
    bool IsNew = Met.insert(Thread).second;
    Known.look(Thread, Now, monotonicTime());
    Sum.Ran += Now.Ran;
    Sum.Waited += Now.Waited;
    if (IsNew || Now.Ran != RunTimes[Thread])
      if (std::string Name = threadName(Process, Thread); !Name.empty())
        Result.ThreadNames[Thread] = Name;
    RunTimes[Thread] = Now.Ran;
    noteRunning(Thread, Now);
  }
  for (ThreadId Thread : Met)
    if (!binary_search(Alive, Thread)) {
      Known.look(Thread, {}, monotonicTime());
      RunTimes.erase(Thread);
    }
  Choice.look(RunTimes);
  if (Sum.Ran > Before.Ran && Sum.Waited >= Before.Waited && Before.Ran)
    Crowding =
        1 + double(Sum.Waited - Before.Waited) / double(Sum.Ran - Before.Ran);
  Before = Sum;
}

/// Without what it waited for a processor: what others do on this machine is no
/// property of the program.
void Session::noteRunning(ThreadId Thread, ThreadClock Now) {
  double Seconds = elapsed();
  auto [Met, IsNew] = MetAt.try_emplace(Thread, Seconds, Now);
  const ThreadClock &Then = Met->second.second;
  if (IsNew || Now.Ran < Then.Ran || Now.Waited < Then.Waited)
    return;
  double Own =
      Seconds - Met->second.first - double(Now.Waited - Then.Waited) * 1e-9;
  double Ran = double(Now.Ran - Then.Ran) * 1e-9;
  if (Ran > 0)
    Result.Running[Thread] = Ran / std::max(Ran, Own);
}

/// As long as threads need to get a processor once.
double Session::dwell() {
  double Jitter = std::uniform_real_distribution<double>(
      1 - DwellJitter, 1 + DwellJitter)(Random);
  return Jitter * std::min(MaxDwellSeconds, DwellSeconds * Crowding);
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
            " are taken (watching needs two of a thread's four): " +
            (tracerOf(Batch.front()).Value
                 ? "a debugger is attached to it"
                 : "another linesman watches it, or an earlier debugger or "
                   "watch by ptrace reserved them, which Linux undoes when the "
                   "thread ends (--instrument=ptrace can use those); linesman "
                   "doctor --pid=" +
                       std::to_string(Process.Value) + " names who has them"));
  const unsigned Turn = Plan.turns();
  while (Turn == Plan.turns() && !isOver())
    if (Error E = runStep(Plan.next(Ready->Ranges)))
      return E;
  refine();
  return Error::success();
}

Error Session::runStep(ArrayRef<Aim> Aims) {
  if (Error E = Tool.arm(Aims, Options.Hits))
    return E;
  sleep(dwell());
  // What the step and its hits so far cost must be paid with time anyway: stay
  // armed meanwhile, because rare accesses cost little and are the ones to
  // miss.
  Instrument::Traps Traps = Tool.peek();
  Budget Preview = Debt;
  Preview.chargeTraps(Traps.Most + HitsPerStep, Traps.All + HitsPerStep);
  Preview.chargeOwnTime(StepTime);
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
  StepTime = Now - OwnTime;
  Debt.chargeOwnTime(StepTime);
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
    Result.Lines[A.Line].Matrix.add(H.Thread, H.Kind, H.Site, A.Bytes, 1,
                                    H.Time);
    if (!Result.ThreadNames.count(H.Thread))
      Result.ThreadNames[H.Thread] = threadName(Process, H.Thread);
    // A library that was loaded after the last look.
    if (!Result.Modules.find(H.Site)) {
      if (Expected<ModuleMap> Now = ModuleMap::read(Process, Result.Modules))
        Result.Modules = std::move(*Now);
      else
        consumeError(Now.takeError());
    }
  }
  if (Rates)
    Rates->add(Aims, Step);
  noteExposures(Aims, Step.Threads, Options.SecondsPerHit, Known);
  if (areHalves(Aims))
    excludeHalves(Aims, Step.Hits, Result.Lines[Aims[0].Line].Matrix);
  noteVanished(Step.Vanished);
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

/// Takes one word of each line apart, of those that threads share or, once the
/// line is judged, of all; the one that was so least often.
void Session::refine() {
  // Every batch of threads gets its share of the tries.
  unsigned Batches = 1 + Watched.size() / Tool.batchSize();
  auto Refine = [&](unsigned I, ArrayRef<ByteRange> Words, unsigned Tries) {
    auto Next = min_element(Words, [&](ByteRange A, ByteRange B) {
      return Plan.refinements(I, A) < Plan.refinements(I, B);
    });
    if (Next != Words.end())
      Plan.refine(I, *Next, Tries * Batches);
  };
  for (unsigned I = 0; I != Result.Lines.size(); ++I) {
    LineResult &L = Result.Lines[I];
    std::vector<ByteRange> Shared = L.Matrix.wordsToRefine();
    if (!Shared.empty())
      Refine(I, Shared, RefinementsPerBatch);
    else if (L.IsKindKnown &&
             (L.Absent.suffices() || outcomeOf(L.says()) == Outcome::Confirmed))
      Refine(I, L.Matrix.wordsToSharpen(), Sharpenings);
  }
}

/// Who called libraries that were met at a word: one look for those that are
/// not known yet.
Error Session::lookForCallers() {
  CallerSearch Search = searchCallers(Result.Lines, Result.Modules, Caught);
  if (Search.Words.empty())
    return Error::success();
  ++CallerLooks;
  // Gives all debug registers back; the next turn asks for them again.
  if (Expected<Preparation> None = Tool.prepare({}, Somewhere); !None)
    return None.takeError();
  CaughtAccesses Look = catchAccesses(
      Search.Threads, Search.Words,
      std::min(MostCallerSeconds, CallerSeconds * Crowding), ShouldStop);
  Debt.chargeTraps(HitsPerStack * Look.MostTraps + HitsPerStep,
                   HitsPerStack * Look.AllTraps + HitsPerStep);
  append_range(Caught, std::move(Look.All));
  double Now = ownProcessorTime();
  Debt.chargeOwnTime(Now - OwnTime);
  OwnTime = Now;
  sleep(Debt.pause(elapsed()));
  return Error::success();
}

/// What the rest of the time is for: the lines that need more.
void Session::judge() {
  AllJudged = true;
  std::map<ThreadId, bool> Ready;
  auto IsReady = [&](ThreadId Thread) {
    auto [Entry, IsNew] = Ready.try_emplace(Thread);
    if (IsNew)
      Entry->second = isReady(Process, Thread);
    return Entry->second;
  };
  for (unsigned I = 0; I != Result.Lines.size(); ++I) {
    LineResult &L = Result.Lines[I];
    const bool IsJudged = judgeLine(I, Known, IsReady, L);
    // A price is worth some of the time, and no longer session: verdicts on
    // the others come first.
    bool NeedsRates = outcomeOf(L.Matrix.verdict()) == Outcome::Confirmed &&
                      Plan.turns() % TurnsOfPrice == 0 && Rates &&
                      Rates->rates(I).empty();
    Plan.want(I, !IsJudged || NeedsRates);
    AllJudged &= IsJudged;
  }
}

} // namespace

Expected<SessionResult> watchLines(ProcessId Process, ArrayRef<Line> Lines,
                                   const SessionOptions &Options,
                                   Instrument &Tool,
                                   function_ref<bool()> ShouldStop) {
  return Session(Process, Lines, Options, Tool, ShouldStop).run();
}

} // namespace linesman::watch
