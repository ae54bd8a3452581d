// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One hardware watchpoint on one thread, and the ring in which the kernel
// notes the instructions that hit it. Both give their kernel object back when
// they are destroyed, and the kernel takes both away when this process dies:
// whoever kills linesman leaves nothing behind in the target.
//
//     Breakpoint (W)  --+                              ring of the thread:
//     Breakpoint (RW) --+-- arm(10) --> 10 hits each   W ip, RW ip, RW ip, ...

#ifndef LINESMAN_WATCH_BREAKPOINT_H
#define LINESMAN_WATCH_BREAKPOINT_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Descriptor.h"
#include "linesman/Process/Ids.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <optional>

namespace linesman::watch {

/// x86 has no watchpoint for reads alone: reads are ReadWrite minus Write.
enum class TriggerKind : uint8_t { Write, ReadWrite };

/// Why the kernel refused an event on \p Thread, by errno: a WatchError.
llvm::Error refusedEvent(process::ThreadId Thread, process::RunAddress Address,
                         int Number);

/// An address inside of the access that a data breakpoint reports: on x86 it
/// reports the instruction after that.
inline process::RunAddress siteOf(process::RunAddress Reported) {
#if defined(__x86_64__) || defined(__i386__)
  return {Reported.Value - 1};
#else
  return Reported;
#endif
}

/// CLOCK_MONOTONIC, in nanoseconds.
uint64_t monotonicTime();

class Breakpoint {
public:
  /// Reserves a debug register of \p Thread; it is not armed yet. \p Size is 1,
  /// 2, 4 or 8 bytes and \p Address a multiple of it. Only user-mode accesses
  /// count. Fails with a WatchError.
  static llvm::Expected<Breakpoint> open(process::ThreadId Thread,
                                         process::RunAddress Address,
                                         unsigned Size, TriggerKind Kind);

  /// Points the disarmed register at another address (1.7 µs, against 12 for
  /// opening anew).
  llvm::Error aim(process::RunAddress Address, unsigned Size);

  /// Lets the next \p Hits accesses through to the ring; the kernel disarms
  /// after them, so that a hot word costs its thread a bounded stall. Must not
  /// be spent.
  llvm::Error arm(unsigned Hits);

  /// The kernel disarmed it. It is of no use any more: seen on Linux 6.18, an
  /// event that was armed again after that traps on every access and counts
  /// none of them (reaching the limit stops the breakpoint, and enabling it
  /// does not start it), so the target is slowed without end.
  bool isSpent() const { return Spent; }

  /// What was counted since arm().
  struct Count {
    uint64_t Hits = 0;
    /// Nanoseconds for which the thread ran with the register armed: the
    /// kernel counts them only while both hold.
    uint64_t Ran = 0;
  };

  /// Stops counting.
  llvm::Expected<Count> disarm();

  /// Hits since arm(), while it is armed.
  uint64_t hits() const;

  /// The kernel dropped the event, because its thread died or executed another
  /// program.
  bool isGone() const;

  uint64_t id() const { return Id; }
  int descriptor() const { return Event.get(); }

private:
  /// Since it was opened; nothing when the event is gone.
  std::optional<Count> read() const;

  Breakpoint(process::Descriptor Event, uint64_t Id, TriggerKind Kind)
      : Event(std::move(Event)), Id(Id), Kind(Kind) {}

  process::Descriptor Event;
  uint64_t Id;
  TriggerKind Kind;
  /// The kernel adds to its limit when an event is armed; what was left of the
  /// last limit must be known to arm with an exact number.
  uint64_t Leftover = 0;
  Count AtArm;
  bool Spent = false;
};

/// The ring of a thread, owned by an event that counts nothing, so that
/// breakpoints can be replaced under it.
class SampleRing {
public:
  static llvm::Expected<SampleRing> open(process::ThreadId Thread);
  SampleRing(SampleRing &&Other) noexcept;
  SampleRing &operator=(SampleRing &&) = delete;
  ~SampleRing();

  /// Sends the samples of \p Source, a breakpoint on the same thread, here: all
  /// are in one order then.
  llvm::Error attach(const Breakpoint &Source);

  /// One hit.
  struct Sample {
    /// Of the breakpoint.
    uint64_t Id;
    /// On x86 that of the instruction *after* the access.
    process::RunAddress Instruction;
    /// CLOCK_MONOTONIC, in nanoseconds.
    uint64_t Time;
  };

  /// Calls \p Visit for each sample and empties the ring. Returns how many
  /// samples the kernel lost.
  uint64_t drain(llvm::function_ref<void(const Sample &)> Visit);

private:
  SampleRing(process::Descriptor Owner, void *Base, size_t Page)
      : Owner(std::move(Owner)), Base(Base), Page(Page) {}
  process::Descriptor Owner;
  void *Base;
  size_t Page;
};

} // namespace linesman::watch

#endif // LINESMAN_WATCH_BREAKPOINT_H
