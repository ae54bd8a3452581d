// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hit is a SIGTRAP that the kernel forces on the thread; its registers say
// which of them was hit. Every other stop is passed on as it was: signals are
// delivered, a stopped process stays stopped.

#include "Tracee.h"

#if defined(__x86_64__)

#include "linesman/Process/State.h"
#include "linesman/Watch/Breakpoint.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <sys/user.h>
#include <sys/wait.h>

namespace linesman::watch {

namespace {

constexpr unsigned Registers = 4, StatusRegister = 6, ControlRegister = 7;
constexpr uint64_t TrapMask = uint64_t(1) << (SIGTRAP - 1);

uintptr_t offsetOf(unsigned Register) {
  return offsetof(user, u_debugreg) + Register * sizeof(uint64_t);
}

/// DR7's bits for one register: enabled, its kind of access, its length.
uint64_t controlBits(unsigned Register, unsigned Size, bool Reads) {
  uint64_t Length = Size == 8 ? 2 : Size - 1;
  uint64_t Kind = Reads ? 3 : 1;
  return uint64_t(1) << (2 * Register) | (Kind | Length << 2)
                                             << (16 + 4 * Register);
}

} // namespace

long Tracee::control(__ptrace_request Request, uintptr_t Address,
                     uintptr_t Data) const {
  return ::ptrace(Request, Thread, reinterpret_cast<void *>(Address),
                  reinterpret_cast<void *>(Data));
}

int Tracee::seize(int Number) {
  *this = {};
  Thread = Number;
  return control(PTRACE_SEIZE, 0, PTRACE_O_TRACEEXEC) == 0 ? 0 : errno;
}

void Tracee::take(int Status, GuardBoard &Board) {
  if (!WIFSTOPPED(Status)) {
    IsGone = true;
    return;
  }
  IsStopped = true;
  IsListening = false;
  Signal = 0;
  int Number = WSTOPSIG(Status), Event = Status >> 16;
  if (Event == PTRACE_EVENT_STOP)
    IsListening = Number != SIGTRAP;
  else if (Event == PTRACE_EVENT_EXEC)
    detach(); // The kernel has cleared the registers.
  else if (Event == 0 && !(Number == SIGTRAP && takeHit(Board)))
    Signal = Number;
}

void Tracee::resume() {
  if (IsGone)
    return;
  IsStopped = false;
  if (IsListening)
    control(PTRACE_LISTEN);
  else
    control(PTRACE_CONT, 0, Signal);
}

void Tracee::detach() {
  control(PTRACE_DETACH, 0, IsListening ? 0 : Signal);
  IsGone = true;
}

uint64_t Tracee::clock() const {
  return process::clockOf({Thread}, {Thread}).Ran;
}

bool Tracee::arm(const GuardBoard &Board) {
  Traps = 0;
  Ran = 0;
  ClockAtArm = clock();
  std::fill_n(Accesses, 2, 0);
  std::fill_n(Writes, 2, 0);
  uint64_t Mask = 0;
  control(PTRACE_GETSIGMASK, sizeof Mask, uintptr_t(&Mask));
  BlocksTrap = Mask & TrapMask;
  control(PTRACE_POKEUSER, offsetOf(StatusRegister), 0);
  IsArmed = true;
  return setRegisters(Board) || (disarm(Board), false);
}

bool Tracee::disarm(const GuardBoard &Board) {
  if (IsArmed) {
    uint64_t Now = clock();
    Ran = Now > ClockAtArm && ClockAtArm ? Now - ClockAtArm : 0;
  }
  IsArmed = false;
  return setRegisters(Board);
}

bool Tracee::isBelowBound(const GuardBoard &Board, unsigned Aim,
                          bool Reads) const {
  return (Reads ? Accesses : Writes)[Aim] < Board.Bound;
}

unsigned Tracee::ceilings(const GuardBoard &Board) const {
  unsigned Bits = 0;
  for (unsigned Aim = 0; Aim != Board.AimCount; ++Aim)
    Bits |= unsigned(!isBelowBound(Board, Aim, true)) << Aim;
  return Bits;
}

/// What is armed by the bounds, or nothing. Lengths are cleared before
/// addresses change, because the kernel compares each with the other one.
bool Tracee::setRegisters(const GuardBoard &Board) const {
  uint64_t Bits = 0;
  bool Done = control(PTRACE_POKEUSER, offsetOf(ControlRegister), 0) == 0;
  for (unsigned Aim = 0; IsArmed && Aim != Board.AimCount; ++Aim)
    for (bool Reads : {false, true}) {
      const GuardBoard::Range &R = Board.Aims[Aim];
      unsigned Register = 2 * Aim + Reads;
      Done &= control(PTRACE_POKEUSER, offsetOf(Register), R.Address) == 0;
      if (isBelowBound(Board, Aim, Reads))
        Bits |= controlBits(Register, R.Size, Reads);
    }
  if (Bits && Done)
    Done = control(PTRACE_POKEUSER, offsetOf(ControlRegister), Bits) == 0;
  return Done;
}

/// Writing an address reserves a register.
void Tracee::reserve(uint64_t Somewhere) {
  unsigned Free = 0;
  control(PTRACE_POKEUSER, offsetOf(ControlRegister), 0);
  while (Free != Registers &&
         control(PTRACE_POKEUSER, offsetOf(Free), Somewhere) == 0)
    ++Free;
  Ranges = Free / 2;
}

bool Tracee::hasTrapPending() const {
  siginfo_t Infos[32];
  __ptrace_peeksiginfo_args Arguments = {0, 0, 32};
  long Pending =
      control(PTRACE_PEEKSIGINFO, uintptr_t(&Arguments), uintptr_t(Infos));
  return std::any_of(
      Infos, Infos + std::max(0L, Pending), [](const siginfo_t &Info) {
        return Info.si_signo == SIGTRAP && Info.si_code == TRAP_HWBKPT;
      });
}

void Tracee::keepTrapBlocked() const {
  uint64_t Mask = 0;
  if (!BlocksTrap ||
      control(PTRACE_GETSIGMASK, sizeof Mask, uintptr_t(&Mask)) != 0)
    return;
  Mask |= TrapMask;
  control(PTRACE_SETSIGMASK, sizeof Mask, uintptr_t(&Mask));
}

bool Tracee::takeHit(GuardBoard &Board) {
  siginfo_t Info;
  if (control(PTRACE_GETSIGINFO, 0, uintptr_t(&Info)) != 0 ||
      Info.si_code != TRAP_HWBKPT)
    return false;
  keepTrapBlocked();
  // It was on its way when the step ended.
  if (!IsArmed)
    return true;
  errno = 0;
  uint64_t Status = control(PTRACE_PEEKUSER, offsetOf(StatusRegister));
  uint64_t Instruction = control(PTRACE_PEEKUSER, offsetof(user, regs.rip));
  if (errno)
    return true;
  control(PTRACE_POKEUSER, offsetOf(StatusRegister), 0);
  ++Traps;
  ++Board.AllTraps;
  if (Traps > Board.MostTraps)
    Board.MostTraps = Traps;
  bool AllArmed = true;
  for (unsigned Aim = 0; Aim != Board.AimCount; ++Aim)
    AllArmed &= isBelowBound(Board, Aim, true);
  bool Reached = false;
  for (unsigned Aim = 0; Aim != Board.AimCount; ++Aim) {
    // A write shows in both registers.
    bool IsWrite = Status >> (2 * Aim) & 1;
    bool IsAccess = Status >> (2 * Aim + 1) & 1;
    if (!IsWrite && !IsAccess)
      continue;
    if (Board.HitCount == GuardBoard::MostHits)
      ++Board.Lost;
    else
      Board.Hits[Board.HitCount++] = {
          Thread,
          uint8_t(Aim),
          IsWrite ? AccessKind::Write : AccessKind::Read,
          AllArmed,
          Instruction,
          monotonicTime()};
    Accesses[Aim] += IsAccess;
    Writes[Aim] += IsWrite;
    Reached |= Accesses[Aim] == Board.Bound || Writes[Aim] == Board.Bound;
  }
  if (Reached)
    setRegisters(Board);
  return true;
}

} // namespace linesman::watch

#endif
