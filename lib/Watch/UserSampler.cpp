// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// perf_event_open(PERF_TYPE_BREAKPOINT) with PERF_SAMPLE_REGS_USER and
// PERF_SAMPLE_STACK_USER.

#include "UserSampler.h"
#include "linesman/Watch/Breakpoint.h"
#include "linesman/Watch/WatchError.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include <cerrno>
#include <cstring>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

static size_t pageSize() {
  return static_cast<size_t>(::sysconf(_SC_PAGESIZE));
}

static perf_event_attr attributesOf(const UserSampler::Request &Asked) {
  const bool IsExecution = Asked.Kind == UserSampler::Trigger::Execution;
  perf_event_attr Attr;
  std::memset(&Attr, 0, sizeof(Attr));
  Attr.size = sizeof(Attr);
  Attr.type = PERF_TYPE_BREAKPOINT;
  Attr.bp_type = IsExecution ? HW_BREAKPOINT_X : HW_BREAKPOINT_RW;
  Attr.bp_addr = Asked.Address.Value;
  Attr.bp_len = IsExecution ? sizeof(long) : Asked.Bytes;
  Attr.sample_period = 1;
  Attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_REGS_USER;
  Attr.sample_regs_user = Asked.Registers;
  if (Asked.StackBytes) {
    Attr.sample_type |= PERF_SAMPLE_STACK_USER;
    Attr.sample_stack_user = Asked.StackBytes;
  }
  Attr.disabled = 1;
  Attr.exclude_kernel = 1;
  Attr.exclude_hv = 1;
  Attr.remove_on_exec = 1;
  return Attr;
}

Expected<UserSampler> UserSampler::open(const Request &Asked) {
  perf_event_attr Attr = attributesOf(Asked);
  Descriptor Event(
      static_cast<int>(::syscall(SYS_perf_event_open, &Attr, Asked.Thread.Value,
                                 -1, -1, PERF_FLAG_FD_CLOEXEC)));
  if (!Event.isOpen())
    return refusedEvent(Asked.Thread, Asked.Address, errno);
  // Headers and sizes besides what was asked for are less than 64 bytes.
  const uint64_t Needed =
      Asked.MostHits *
      (64 + 8 * uint64_t(llvm::popcount(Asked.Registers)) + Asked.StackBytes);
  const size_t Pages = PowerOf2Ceil(divideCeil(Needed, pageSize()));
  void *Ring = ::mmap(nullptr, (1 + Pages) * pageSize(), PROT_READ | PROT_WRITE,
                      MAP_SHARED, Event.get(), 0);
  if (Ring == MAP_FAILED)
    return make_error<WatchError>(Refusal::LimitReached,
                                  Twine("mapping a sample ring: ") +
                                      std::strerror(errno));
  UserSampler Result(std::move(Event), Ring, Pages, Asked);
  if (::ioctl(Result.Event.get(), PERF_EVENT_IOC_REFRESH, Asked.MostHits) != 0)
    return make_error<WatchError>(
        errno == ESRCH ? Refusal::Gone : Refusal::Other,
        Twine("PERF_EVENT_IOC_REFRESH: ") + std::strerror(errno));
  return std::move(Result);
}

UserSampler::UserSampler(UserSampler &&Other) noexcept
    : Event(std::move(Other.Event)), Ring(std::exchange(Other.Ring, nullptr)),
      RingPages(Other.RingPages), Asked(Other.Asked) {}

UserSampler::~UserSampler() {
  if (Ring)
    ::munmap(Ring, (1 + RingPages) * pageSize());
}

void UserSampler::drain(function_ref<void(const Sample &)> Visit) {
  auto *Control = static_cast<perf_event_mmap_page *>(Ring);
  const char *Data = static_cast<const char *>(Ring) + pageSize();
  const uint64_t Size = RingPages * pageSize();
  uint64_t Head = __atomic_load_n(&Control->data_head, __ATOMIC_ACQUIRE);
  uint64_t Tail = Control->data_tail;
  SmallVector<uint8_t, 1024> Body;
  while (Tail < Head) {
    perf_event_header Header;
    // Records are of 8 bytes each, so that none of them wraps in a header.
    std::memcpy(&Header, Data + Tail % Size, sizeof(Header));
    if (Header.size < sizeof(Header))
      break;
    Body.clear();
    for (uint64_t I = sizeof(Header); I != Header.size; ++I)
      Body.push_back(static_cast<uint8_t>(Data[(Tail + I) % Size]));
    Tail += Header.size;
    if (Header.type != PERF_RECORD_SAMPLE)
      continue;
    // Instruction; an ABI, and the registers unless there are none; the size of
    // a piece of the stack, the piece, and how much of it is filled.
    size_t Position = 0;
    auto Next = [&]() -> uint64_t {
      uint64_t Number = 0;
      if (Position + sizeof(Number) <= Body.size())
        std::memcpy(&Number, Body.data() + Position, sizeof(Number));
      Position += sizeof(Number);
      return Number;
    };
    const RunAddress Instruction = {Next()};
    if (Next() == PERF_SAMPLE_REGS_ABI_NONE)
      continue;
    KernelRegisters Registers = {};
    for (unsigned I = 0; I != Registers.size(); ++I)
      if (Asked.Registers >> I & 1)
        Registers[I] = Next();
    ArrayRef<uint8_t> Stack;
    if (Asked.StackBytes)
      if (uint64_t Bytes = Next();
          Bytes && Position + Bytes + 8 <= Body.size()) {
        Stack = ArrayRef(Body).slice(Position, Bytes);
        Position += Bytes;
        Stack = Stack.take_front(Next());
      }
    Visit({Instruction, Registers, Stack});
  }
  __atomic_store_n(&Control->data_tail, Tail, __ATOMIC_RELEASE);
}

} // namespace linesman::watch
