// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linesman's side of the guardian: requests, and what its answers mean.

#include "linesman/Watch/PtraceInstrument.h"
#include "Guardian.h"
#include "linesman/Layout/Address.h"
#include "linesman/Process/Descriptor.h"
#include "linesman/Process/Launch.h"
#include "linesman/Process/State.h"
#include "linesman/Watch/WatchError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

#if defined(__x86_64__)

namespace {

/// The guardian lets go in milliseconds, but for threads that do not stop, or
/// are stopped by others.
constexpr int LeaveMilliseconds = 1000;

Error systemError(const char *Call) {
  return make_error<WatchError>(Refusal::Other,
                                Twine(Call) + ": " + std::strerror(errno));
}

/// Memory for a T that forked processes share; null when there is none.
template <typename T> T *shareWithChildren() {
  void *Memory = ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return Memory == MAP_FAILED ? nullptr : new (Memory) T();
}

Error refusalOf(const GuardBoard::Thread &T) {
  if (ProcessId Tracer = tracerOf({T.Number}); Tracer.Value)
    return make_error<WatchError>(Refusal::RegistersTaken,
                                  "a debugger (process " + Twine(Tracer.Value) +
                                      ") is attached to thread " +
                                      Twine(T.Number) +
                                      ", and a thread can have only one");
  return make_error<WatchError>(
      Refusal::NotPermitted,
      "ptrace for thread " + Twine(T.Number) +
          " was refused: " + std::strerror(T.Error) +
          " (kernel.yama.ptrace_scope, or a container without "
          "--cap-add=SYS_PTRACE)");
}

} // namespace

Expected<std::unique_ptr<PtraceInstrument>> PtraceInstrument::start() {
  int Ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Ends) != 0)
    return systemError("socketpair");
  Descriptor Ours(Ends[0]), Theirs(Ends[1]);
  auto *Board = shareWithChildren<GuardBoard>();
  if (!Board)
    return systemError("mmap");
  pid_t Guardian = ::fork();
  if (Guardian == 0)
    runGuardian(*Board, Theirs.get());
  std::unique_ptr<PtraceInstrument> Result(
      new PtraceInstrument(Board, std::move(Ours), Guardian));
  if (Guardian < 0)
    return systemError("fork");
  Theirs.reset();
  char Ready;
  if (::recv(Result->Control.get(), &Ready, 1, 0) != 1)
    return make_error<WatchError>(Refusal::Other,
                                  "the guardian process did not start");
  return std::move(Result);
}

PtraceInstrument::~PtraceInstrument() {
  Control.reset();
  // A thread that cannot be let go yet is its business, not ours.
  if (Guardian > 0)
    awaitEnd({Guardian}, LeaveMilliseconds);
  ::munmap(Board, sizeof *Board);
}

unsigned PtraceInstrument::batchSize() const { return GuardBoard::MostThreads; }

Error PtraceInstrument::ask() {
  char Byte = 1;
  ssize_t Size = ::send(Control.get(), &Byte, 1, MSG_NOSIGNAL);
  while (Size == 1 && (Size = ::recv(Control.get(), &Byte, 1, 0)) < 0 &&
         errno == EINTR)
    Size = 1;
  if (Size == 1)
    return Error::success();
  return make_error<WatchError>(
      Refusal::Other, "the process that watches (" + Twine(Guardian) +
                          ") was killed; debug registers that it had armed "
                          "may be left in the target");
}

Expected<Preparation> PtraceInstrument::prepare(ArrayRef<ThreadId> Threads,
                                                RunAddress Somewhere) {
  // The kernel forces a hit's SIGTRAP on whoever ignores it, by making it the
  // default for good.
  for (ThreadId Thread : Threads)
    if (ignoresSignal(Thread, SIGTRAP))
      return make_error<WatchError>(
          Refusal::Other, "thread " + Twine(Thread.Value) +
                              " ignores SIGTRAP; watched by ptrace, it would "
                              "do so no longer, and die of the next one");
  Board->Call = GuardCall::Prepare;
  Board->WantedCount = Threads.size();
  for (auto [I, Thread] : enumerate(Threads))
    Board->Wanted[I] = Thread.Value;
  Board->Somewhere = Somewhere.Value & ~uint64_t(7);
  if (Error E = ask())
    return std::move(E);
  Preparation Result;
  Result.Ranges = Board->Ranges;
  for (const GuardBoard::Thread &T :
       ArrayRef(Board->Threads, Board->ThreadCount)) {
    if (T.State == GuardState::Taken)
      Result.Taken.push_back({T.Number});
    else if (T.State == GuardState::Vanished)
      Result.Vanished.push_back({T.Number});
    // A thread that has just ended is refused as well, also with EPERM.
    else if (T.State == GuardState::Refused &&
             isRunning({T.Number}, {T.Number}))
      return refusalOf(T);
  }
  return Result;
}

Error PtraceInstrument::arm(ArrayRef<Aim> Aims, unsigned Hits) {
  Board->Call = GuardCall::Arm;
  Board->AimCount = Aims.size();
  for (auto [I, A] : enumerate(Aims))
    Board->Aims[I] = {A.Address.Value, A.Bytes.Size};
  Board->Bound = Hits;
  return ask();
}

Instrument::Traps PtraceInstrument::peek() {
  return {Board->MostTraps.load(), Board->AllTraps.load()};
}

Expected<StepResult> PtraceInstrument::disarm() {
  Board->Call = GuardCall::Disarm;
  if (Error E = ask())
    return std::move(E);
  StepResult Result;
  for (const GuardBoard::Thread &T :
       ArrayRef(Board->Threads, Board->ThreadCount)) {
    if (T.State == GuardState::Missed) {
      Result.Missed.push_back({T.Number});
      continue;
    }
    if (T.State == GuardState::Vanished)
      Result.Vanished.push_back({T.Number});
    ThreadStep Step{{T.Number}, T.Traps, T.Ceilings, {}};
    for (unsigned Aim = 0; Aim != 2; ++Aim) {
      bool HasStored = T.Writes[Aim] != 0;
      Step.Exposures[Aim] = {T.Ran, T.Ran, HasStored,
                             HasStored || T.Accesses[Aim] != 0};
    }
    Result.Threads.push_back(Step);
  }
  // The instruction is the one after the access.
  for (const GuardBoard::Access &A : ArrayRef(Board->Hits, Board->HitCount))
    Result.Hits.push_back({{A.Thread},
                           A.AimIndex,
                           A.Kind,
                           {A.Instruction - 1},
                           A.AllArmed,
                           A.Time});
  Result.Lost = Board->Lost;
  return Result;
}

bool PtraceInstrument::isStopForeign() const { return Board->IsGroupStop; }

namespace {

/// The canary: a child that writes and reads when it is told to.
struct CanaryWord {
  static constexpr unsigned Timed = 64;
  alignas(8) volatile uint64_t Word = 0;
  alignas(layout::LineSize().Bytes) std::atomic<unsigned> Asked = 0, Done = 0;
  std::array<uint64_t, Timed> Times = {};
};

[[noreturn]] void runCanaryChild(CanaryWord &C, pid_t Parent) {
  // It must not outlive us, nor hold the guardian's connection open.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != Parent)
    ::_exit(0);
  ::syscall(SYS_close_range, 3u, ~0u, 0);
  while (C.Asked != 1)
    ::usleep(100);
  C.Word = 1;
  [[maybe_unused]] uint64_t Read = C.Word;
  C.Done = 1;
  while (C.Asked != 2)
    ::usleep(100);
  for (uint64_t &Time : C.Times) {
    uint64_t Start = monotonicTime();
    C.Word = Start;
    Time = monotonicTime() - Start;
  }
  C.Done = 2;
  while (true)
    ::pause();
}

} // namespace

Expected<CanaryResult> PtraceInstrument::runCanary() {
  auto *C = shareWithChildren<CanaryWord>();
  if (!C)
    return systemError("mmap");
  const pid_t Parent = ::getpid();
  pid_t Child = ::fork();
  if (Child < 0)
    return systemError("fork");
  if (Child == 0) {
    Control.reset();
    runCanaryChild(*C, Parent);
  }
  auto End = make_scope_exit([&] {
    ::kill(Child, SIGKILL);
    ::waitpid(Child, nullptr, 0);
    ::munmap(C, sizeof *C);
  });
  RunAddress Address = {reinterpret_cast<uint64_t>(&C->Word)};
  Expected<Preparation> Ready = prepare({{Child}}, Address);
  if (!Ready)
    return Ready.takeError();
  // One step of the child: what was seen of it.
  auto Step = [&](unsigned Number) -> Expected<StepResult> {
    if (Error E = arm({{0, {0, 8}, Address}}, 2 * CanaryWord::Timed))
      return std::move(E);
    C->Asked = Number;
    while (C->Done != Number && isRunning({Child}, {Child}))
      ::usleep(100);
    return disarm();
  };
  Expected<StepResult> Seen = Step(1);
  if (!Seen)
    return Seen.takeError();
  auto Kind = [](const Hit &H) { return H.Kind; };
  bool Right = Seen->Hits.size() == 2 &&
               Kind(Seen->Hits[0]) == AccessKind::Write &&
               Kind(Seen->Hits[1]) == AccessKind::Read;
  if (Right) {
    if (!(Seen = Step(2)))
      return Seen.takeError();
    Right = Seen->Hits.size() == CanaryWord::Timed;
  }
  if (!Right)
    return make_error<WatchError>(
        Refusal::DeadInstrument,
        "debug registers do not work through ptrace on this machine: " +
            Twine(Seen->Hits.size()) + " accesses of a test were seen");
  llvm::sort(C->Times);
  return CanaryResult{double(C->Times[CanaryWord::Timed / 2]) * 1e-9};
}

#else

static Error otherMachine() {
  return make_error<WatchError>(Refusal::NotSupported,
                                "watching by ptrace is for x86-64 only");
}
Expected<std::unique_ptr<PtraceInstrument>> PtraceInstrument::start() {
  return otherMachine();
}
PtraceInstrument::~PtraceInstrument() = default;
Expected<CanaryResult> PtraceInstrument::runCanary() { return otherMachine(); }
unsigned PtraceInstrument::batchSize() const { return 1; }
Expected<Preparation> PtraceInstrument::prepare(ArrayRef<ThreadId>,
                                                RunAddress) {
  return otherMachine();
}
Error PtraceInstrument::arm(ArrayRef<Aim>, unsigned) { return otherMachine(); }
Instrument::Traps PtraceInstrument::peek() { return {}; }
bool PtraceInstrument::isStopForeign() const { return true; }
Expected<StepResult> PtraceInstrument::disarm() { return otherMachine(); }

#endif

} // namespace linesman::watch
