// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions to the pointers that threads come by with.

#include "linesman/Watch/CatchPointers.h"
#include "UserSampler.h"
#include "linesman/Process/State.h"
#include "linesman/Watch/WatchError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include <asm/perf_regs.h>
#include <chrono>
#include <map>
#include <thread>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

namespace {

using Clock = std::chrono::steady_clock;

/// Times that a thread is stopped at one instruction: some microseconds each.
constexpr unsigned MostStops = 8;

/// The kernel's number of a register; nothing for what is none.
std::optional<unsigned> kernelRegister(uint8_t Register) {
#if defined(__x86_64__)
  constexpr unsigned Low[] = {PERF_REG_X86_AX, PERF_REG_X86_CX, PERF_REG_X86_DX,
                              PERF_REG_X86_BX, PERF_REG_X86_SP, PERF_REG_X86_BP,
                              PERF_REG_X86_SI, PERF_REG_X86_DI};
  if (Register < std::size(Low))
    return Low[Register];
  if (Register < 16)
    return PERF_REG_X86_R8 + (Register - 8);
#elif defined(__aarch64__)
  if (Register < 31)
    return PERF_REG_ARM64_X0 + Register;
#endif
  return std::nullopt;
}

/// One instruction, one thread.
class Trap {
public:
  static Expected<Trap> open(ThreadId Thread, const PointerUse &Use) {
    std::optional<unsigned> Register = kernelRegister(Use.Register);
    std::optional<unsigned> Index =
        Use.IndexBytes ? kernelRegister(Use.Index) : Register;
    if (!Register || !Index)
      return make_error<WatchError>(Refusal::NotSupported,
                                    "this register can not be asked for");
    UserSampler::Request Asked;
    Asked.Thread = Thread;
    Asked.Address = Use.Instruction;
    Asked.Registers = uint64_t(1) << *Register | uint64_t(1) << *Index;
    Asked.MostHits = MostStops;
    Expected<UserSampler> Sampler = UserSampler::open(Asked);
    if (!Sampler)
      return Sampler.takeError();
    return Trap(std::move(*Sampler), Thread, Use, *Register, *Index);
  }

  void drain(std::vector<CaughtPointer> &Drained) {
    Sampler.drain([&](const UserSampler::Sample &S) {
      Drained.push_back(
          {Thread,
           {S.Registers[Register] + Use.IndexBytes * S.Registers[Index] +
            static_cast<uint64_t>(Use.Distance)}});
    });
  }

private:
  Trap(UserSampler Sampler, ThreadId Thread, const PointerUse &Use,
       unsigned Register, unsigned Index)
      : Sampler(std::move(Sampler)), Thread(Thread), Use(Use),
        Register(Register), Index(Index) {}

  UserSampler Sampler;
  ThreadId Thread;
  PointerUse Use;
  /// By the kernel's numbers.
  unsigned Register, Index;
};

/// Threads that use an address, and how often it was used.
struct Popularity {
  SmallSet<int, 4> Threads;
  uint64_t Times = 0;
};

std::map<uint64_t, Popularity> countUses(ArrayRef<CaughtPointer> Caught) {
  std::map<uint64_t, Popularity> ByAddress;
  for (const CaughtPointer &C : Caught) {
    Popularity &P = ByAddress[C.Address.Value];
    P.Threads.insert(C.Thread.Value);
    ++P.Times;
  }
  return ByAddress;
}

bool isShared(ArrayRef<CaughtPointer> Caught) {
  return any_of(countUses(Caught),
                [](const auto &P) { return P.second.Threads.size() > 1; });
}

} // namespace

RunAddress mostShared(ArrayRef<CaughtPointer> Caught) {
  assert(!Caught.empty() && "nobody came");
  std::map<uint64_t, Popularity> ByAddress = countUses(Caught);
  auto Best = max_element(ByAddress, [](const auto &A, const auto &B) {
    return std::pair(A.second.Threads.size(), A.second.Times) <
           std::pair(B.second.Threads.size(), B.second.Times);
  });
  return {Best->first};
}

Expected<std::vector<CaughtPointer>>
catchPointers(ProcessId Process, ArrayRef<PointerUse> Uses, double Seconds,
              function_ref<bool()> ShouldStop) {
  const auto End = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(Seconds));
  std::map<int, std::vector<Trap>> Traps;
  std::vector<CaughtPointer> Caught;
  std::string Refused;
  bool Opens = false;
  do {
    for (ThreadId Thread : listThreads(Process)) {
      auto [It, IsNew] = Traps.try_emplace(Thread.Value);
      if (!IsNew)
        continue;
      for (const PointerUse &Use : Uses.take_front(MostPointerUses)) {
        Expected<Trap> Opened = Trap::open(Thread, Use);
        if (Opened) {
          It->second.push_back(std::move(*Opened));
          Opens = true;
          continue;
        }
        Error Failure = Error::success();
        Refusal Reason = reasonOf(Opened.takeError(), Failure);
        // One that has ended is passed over, and where there is no room for
        // more, or somebody has its registers, others may come.
        if (Reason == Refusal::RegistersTaken ||
            Reason == Refusal::LimitReached)
          Refused = toString(std::move(Failure));
        else if (Reason == Refusal::Gone)
          consumeError(std::move(Failure));
        else
          return std::move(Failure);
        break;
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    for (auto &[Thread, OfThread] : Traps)
      for (Trap &T : OfThread)
        T.drain(Caught);
  } while (!isShared(Caught) && Clock::now() < End && !ShouldStop() &&
           stateOf(Process) != ProcessState::Gone);
  if (!Opens && !Refused.empty())
    return make_error<WatchError>(Refusal::RegistersTaken, Refused);
  return Caught;
}

} // namespace linesman::watch
