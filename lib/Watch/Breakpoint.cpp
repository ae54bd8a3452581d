// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// perf_event_open(PERF_TYPE_BREAKPOINT), its ioctls and its ring.

#include "linesman/Watch/Breakpoint.h"
#include "linesman/Process/Descriptor.h"
#include "linesman/Watch/WatchError.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

namespace {

/// An event whose every occurrence is a sample.
perf_event_attr attributes(uint32_t Type) {
  perf_event_attr Attr;
  std::memset(&Attr, 0, sizeof(Attr));
  Attr.size = sizeof(Attr);
  Attr.type = Type;
  Attr.sample_period = 1;
  Attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TIME;
  Attr.use_clockid = 1;
  Attr.clockid = CLOCK_MONOTONIC;
  Attr.disabled = 1;
  // perf_event_paranoid 2, the usual setting, allows no kernel samples.
  Attr.exclude_kernel = 1;
  Attr.exclude_hv = 1;
  return Attr;
}

perf_event_attr breakpoint(RunAddress Address, unsigned Size,
                           TriggerKind Kind) {
  assert(has_single_bit(Size) && Size <= 8 && Address.Value % Size == 0 &&
         "what a debug register can watch");
  perf_event_attr Attr = attributes(PERF_TYPE_BREAKPOINT);
  Attr.bp_type =
      Kind == TriggerKind::Write ? HW_BREAKPOINT_W : HW_BREAKPOINT_RW;
  Attr.bp_addr = Address.Value;
  Attr.bp_len = Size;
  Attr.read_format = PERF_FORMAT_TOTAL_TIME_RUNNING;
  // After execve the address means something else.
  Attr.remove_on_exec = 1;
  return Attr;
}

Error controlError(const char *Subject, int Number) {
  return make_error<WatchError>(Number == ESRCH ? Refusal::Gone
                                                : Refusal::Other,
                                Twine(Subject) + ": " + std::strerror(Number));
}

} // namespace

Error refusedEvent(ThreadId Thread, RunAddress Address, int Number) {
  auto Make = [&](Refusal Reason, const Twine &Text) {
    return make_error<WatchError>(Reason, Text);
  };
  switch (Number) {
  case ESRCH:
    return Make(Refusal::Gone, "there is no thread " + Twine(Thread.Value));
  case ENOSPC:
    return Make(Refusal::RegistersTaken,
                "the debug registers of thread " + Twine(Thread.Value) +
                    " are taken: by another watcher, or by a debugger, which "
                    "need not be there any more; linesman doctor names who has "
                    "them");
  case EACCES:
  case EPERM:
    return Make(Refusal::NotPermitted,
                "perf_event_open for thread " + Twine(Thread.Value) +
                    " was refused: " + std::strerror(Number) +
                    " (kernel.perf_event_paranoid above 2, or a container "
                    "without --cap-add=PERFMON)");
  case ENOSYS:
  case ENODEV:
  case EOPNOTSUPP:
  case ENOENT:
    return Make(Refusal::NotSupported,
                Twine("this kernel offers no hardware watchpoints: ") +
                    std::strerror(Number));
  case EMFILE:
  case ENFILE:
    return Make(Refusal::LimitReached,
                "no file descriptor is left for thread " + Twine(Thread.Value) +
                    "; raise the limit (ulimit -n)");
  case EINVAL:
    return Make(Refusal::BadAddress, "address 0x" +
                                         Twine::utohexstr(Address.Value) +
                                         " cannot be watched");
  }
  return Make(Refusal::Other, "perf_event_open for thread " +
                                  Twine(Thread.Value) + ": " +
                                  std::strerror(Number));
}

uint64_t monotonicTime() {
  timespec Time;
  ::clock_gettime(CLOCK_MONOTONIC, &Time);
  return uint64_t(Time.tv_sec) * 1'000'000'000 + uint64_t(Time.tv_nsec);
}

Expected<Breakpoint> Breakpoint::open(ThreadId Thread, RunAddress Address,
                                      unsigned Size, TriggerKind Kind) {
  perf_event_attr Attr = breakpoint(Address, Size, Kind);
  Descriptor Event(static_cast<int>(::syscall(
      SYS_perf_event_open, &Attr, Thread.Value, -1, -1, PERF_FLAG_FD_CLOEXEC)));
  if (!Event.isOpen())
    return refusedEvent(Thread, Address, errno);
  uint64_t Id = 0;
  if (::ioctl(Event.get(), PERF_EVENT_IOC_ID, &Id) != 0)
    return controlError("PERF_EVENT_IOC_ID", errno);
  return Breakpoint(std::move(Event), Id, Kind);
}

Error Breakpoint::aim(RunAddress Address, unsigned Size) {
  perf_event_attr Attr = breakpoint(Address, Size, Kind);
  if (::ioctl(Event.get(), PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &Attr) != 0)
    return controlError("PERF_EVENT_IOC_MODIFY_ATTRIBUTES", errno);
  return Error::success();
}

std::optional<Breakpoint::Count> Breakpoint::read() const {
  Count Total;
  static_assert(sizeof(Total) == 2 * sizeof(uint64_t));
  if (::read(Event.get(), &Total, sizeof(Total)) != sizeof(Total))
    return std::nullopt;
  return Total;
}

Error Breakpoint::arm(unsigned Hits) {
  std::optional<Count> Now = read();
  if (!Now)
    return controlError("reading a watchpoint", ESRCH);
  AtArm = *Now;
  // REFRESH adds to the limit and enables, also when it adds nothing.
  uint64_t Add = Hits > Leftover ? Hits - Leftover : 0;
  if (::ioctl(Event.get(), PERF_EVENT_IOC_REFRESH, Add) != 0)
    return controlError("PERF_EVENT_IOC_REFRESH", errno);
  Leftover += Add;
  return Error::success();
}

Expected<Breakpoint::Count> Breakpoint::disarm() {
  if (::ioctl(Event.get(), PERF_EVENT_IOC_DISABLE, 0) != 0)
    return controlError("PERF_EVENT_IOC_DISABLE", errno);
  std::optional<Count> Now = read();
  if (!Now)
    return controlError("reading a watchpoint", ESRCH);
  Count Since = {Now->Hits - AtArm.Hits, Now->Ran - AtArm.Ran};
  Spent = Since.Hits >= Leftover;
  Leftover = Spent ? 0 : Leftover - Since.Hits;
  return Since;
}

uint64_t Breakpoint::hits() const {
  std::optional<Count> Now = read();
  return Now ? Now->Hits - AtArm.Hits : 0;
}

bool Breakpoint::isGone() const {
  if (!Event.isOpen())
    return true;
  pollfd Poll = {Event.get(), POLLIN, 0};
  return ::poll(&Poll, 1, 0) > 0 && (Poll.revents & (POLLHUP | POLLERR)) != 0;
}

Expected<SampleRing> SampleRing::open(ThreadId Thread) {
  perf_event_attr Attr = attributes(PERF_TYPE_SOFTWARE);
  Attr.config = PERF_COUNT_SW_DUMMY;
  Descriptor Owner(static_cast<int>(::syscall(
      SYS_perf_event_open, &Attr, Thread.Value, -1, -1, PERF_FLAG_FD_CLOEXEC)));
  if (!Owner.isOpen())
    return refusedEvent(Thread, {}, errno);
  // One data page holds 128 samples of 32 bytes; a step makes about 4 x 10.
  size_t Page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  void *Base = ::mmap(nullptr, 2 * Page, PROT_READ | PROT_WRITE, MAP_SHARED,
                      Owner.get(), 0);
  if (Base == MAP_FAILED)
    return make_error<WatchError>(
        errno == EPERM ? Refusal::LimitReached : Refusal::Other,
        Twine("mapping a sample ring: ") + std::strerror(errno) +
            "; kernel.perf_event_mlock_kb limits how many there can be");
  return SampleRing(std::move(Owner), Base, Page);
}

SampleRing::SampleRing(SampleRing &&Other) noexcept
    : Owner(std::move(Other.Owner)), Base(Other.Base), Page(Other.Page) {
  Other.Base = nullptr;
}

SampleRing::~SampleRing() {
  if (Base)
    ::munmap(Base, 2 * Page);
}

Error SampleRing::attach(const Breakpoint &Source) {
  if (::ioctl(Source.descriptor(), PERF_EVENT_IOC_SET_OUTPUT, Owner.get()) != 0)
    return controlError("PERF_EVENT_IOC_SET_OUTPUT", errno);
  return Error::success();
}

uint64_t SampleRing::drain(function_ref<void(const Sample &)> Visit) {
  auto *Control = static_cast<perf_event_mmap_page *>(Base);
  const char *Data = static_cast<const char *>(Base) + Page;
  uint64_t Head = __atomic_load_n(&Control->data_head, __ATOMIC_ACQUIRE);
  uint64_t Tail = Control->data_tail;
  uint64_t Lost = 0;
  // A record may wrap around the end of the page.
  auto Copy = [&](void *Target, uint64_t Position, size_t Size) {
    for (size_t I = 0; I != Size; ++I)
      static_cast<char *>(Target)[I] = Data[(Position + I) % Page];
  };
  while (Tail < Head) {
    perf_event_header Header;
    Copy(&Header, Tail, sizeof(Header));
    if (Header.size < sizeof(Header))
      break;
    // A sample is id, instruction, time; a loss is id, count.
    uint64_t Body[3] = {};
    Copy(Body, Tail + sizeof(Header),
         std::min(sizeof(Body), Header.size - sizeof(Header)));
    if (Header.type == PERF_RECORD_SAMPLE)
      Visit({Body[0], {Body[1]}, Body[2]});
    else if (Header.type == PERF_RECORD_LOST)
      Lost += Body[1];
    Tail += Header.size;
  }
  __atomic_store_n(&Control->data_tail, Tail, __ATOMIC_RELEASE);
  return Lost;
}

} // namespace linesman::watch
