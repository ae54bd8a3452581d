// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// perf_event_open(PERF_TYPE_BREAKPOINT) for execution, with the registers of
// the user in each sample.

#include "linesman/Watch/CatchPointers.h"
#include "linesman/Process/Descriptor.h"
#include "linesman/Process/State.h"
#include "linesman/Watch/Breakpoint.h"
#include "linesman/Watch/WatchError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include <array>
#include <asm/perf_regs.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <map>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

namespace {

using Clock = std::chrono::steady_clock;

/// Times that a thread is stopped at one instruction: some microseconds each.
constexpr unsigned MostHits = 8;

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
    perf_event_attr Attr;
    std::memset(&Attr, 0, sizeof(Attr));
    Attr.size = sizeof(Attr);
    Attr.type = PERF_TYPE_BREAKPOINT;
    Attr.bp_type = HW_BREAKPOINT_X;
    Attr.bp_addr = Use.Instruction.Value;
    Attr.bp_len = sizeof(long);
    Attr.sample_period = 1;
    Attr.sample_type = PERF_SAMPLE_REGS_USER;
    Attr.sample_regs_user = uint64_t(1) << *Register | uint64_t(1) << *Index;
    Attr.disabled = 1;
    Attr.exclude_kernel = 1;
    Attr.exclude_hv = 1;
    Attr.remove_on_exec = 1;
    Descriptor Event(
        static_cast<int>(::syscall(SYS_perf_event_open, &Attr, Thread.Value, -1,
                                   -1, PERF_FLAG_FD_CLOEXEC)));
    if (!Event.isOpen())
      return refusedEvent(Thread, Use.Instruction, errno);
    size_t Page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
    void *Ring = ::mmap(nullptr, 2 * Page, PROT_READ | PROT_WRITE, MAP_SHARED,
                        Event.get(), 0);
    if (Ring == MAP_FAILED)
      return make_error<WatchError>(Refusal::LimitReached,
                                    Twine("mapping a sample ring: ") +
                                        std::strerror(errno));
    Trap Result(std::move(Event), Ring, Page, Thread, Use.Distance);
    // The kernel gives the registers in the order of its numbers.
    if (*Register == *Index)
      Result.Times = {1 + uint64_t(Use.IndexBytes), 0};
    else if (*Register < *Index)
      Result.Times = {1, Use.IndexBytes};
    else
      Result.Times = {Use.IndexBytes, 1};
    if (::ioctl(Result.Event.get(), PERF_EVENT_IOC_REFRESH, MostHits) != 0)
      return make_error<WatchError>(
          errno == ESRCH ? Refusal::Gone : Refusal::Other,
          Twine("PERF_EVENT_IOC_REFRESH: ") + std::strerror(errno));
    return std::move(Result);
  }

  Trap(Trap &&Other) noexcept
      : Event(std::move(Other.Event)), Ring(std::exchange(Other.Ring, nullptr)),
        Page(Other.Page), Thread(Other.Thread), Distance(Other.Distance),
        Times(Other.Times) {}
  ~Trap() {
    if (Ring)
      ::munmap(Ring, 2 * Page);
  }

  void drain(std::vector<CaughtPointer> &Into) {
    auto *Control = static_cast<perf_event_mmap_page *>(Ring);
    const char *Data = static_cast<const char *>(Ring) + Page;
    uint64_t Head = __atomic_load_n(&Control->data_head, __ATOMIC_ACQUIRE);
    uint64_t Tail = Control->data_tail;
    // Records are of 8 bytes each and do not wrap within a number.
    auto numberAt = [&](uint64_t Position) {
      uint64_t Number;
      std::memcpy(&Number, Data + Position % Page, sizeof(Number));
      return Number;
    };
    while (Tail < Head) {
      perf_event_header Header;
      uint64_t First = numberAt(Tail);
      std::memcpy(&Header, &First, sizeof(Header));
      if (Header.size < sizeof(Header))
        break;
      // An ABI, and the registers unless there are none.
      uint64_t Registers = Times[1] ? 2 : 1;
      if (Header.type == PERF_RECORD_SAMPLE &&
          Header.size >= sizeof(Header) + 8 + 8 * Registers &&
          numberAt(Tail + 8) != PERF_SAMPLE_REGS_ABI_NONE) {
        uint64_t Address = static_cast<uint64_t>(Distance);
        for (uint64_t I = 0; I != Registers; ++I)
          Address += Times[I] * numberAt(Tail + 16 + 8 * I);
        Into.push_back({Thread, {Address}});
      }
      Tail += Header.size;
    }
    __atomic_store_n(&Control->data_tail, Tail, __ATOMIC_RELEASE);
  }

private:
  Trap(Descriptor Event, void *Ring, size_t Page, ThreadId Thread,
       int64_t Distance)
      : Event(std::move(Event)), Ring(Ring), Page(Page), Thread(Thread),
        Distance(Distance) {}

  Descriptor Event;
  void *Ring;
  size_t Page;
  ThreadId Thread;
  int64_t Distance;
  /// How often each register that is sampled counts; 0 where there is one.
  std::array<uint64_t, 2> Times = {};
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
        Refusal Why = reasonOf(Opened.takeError(), Failure);
        // One that has ended is passed over, and where there is no room for
        // more, or somebody has its registers, others may come.
        if (Why == Refusal::RegistersTaken || Why == Refusal::LimitReached)
          Refused = toString(std::move(Failure));
        else if (Why == Refusal::Gone)
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
