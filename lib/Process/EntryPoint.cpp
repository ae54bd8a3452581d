// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A breakpoint instruction at the address that the kernel hands to the dynamic
// loader (AT_ENTRY).

#include "EntryPoint.h"

#if defined(__x86_64__)

#include "linesman/Process/ProcFiles.h"
#include "linesman/Process/State.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <linux/auxvec.h> // <elf.h> has LLVM's names as macros
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

using namespace llvm;

namespace linesman::process {

namespace {

/// int3
constexpr uint64_t TrapCode = 0xcc, TrapCodeMask = 0xff;

long control(ProcessId Process, __ptrace_request Request, uintptr_t Address = 0,
             uintptr_t Data = 0) {
  return ::ptrace(Request, Process.Value, reinterpret_cast<void *>(Address),
                  reinterpret_cast<void *>(Data));
}

/// 0 where the kernel's vector has none, as that of a 32-bit program.
uint64_t entryPoint(ProcessId Process) {
  std::string Vector = executionMark(Process);
  for (StringRef Rest = Vector; Rest.size() >= 16; Rest = Rest.drop_front(16))
    if (support::endian::read64le(Rest.data()) == AT_ENTRY)
      return support::endian::read64le(Rest.data() + 8);
  return 0;
}

/// Lets \p Process have its signals until it is in the stop that \p Arrived
/// knows by its status.
Error awaitStop(ProcessId Process, function_ref<bool(int)> Arrived) {
  while (true) {
    int Status = 0;
    while (::waitpid(Process.Value, &Status, __WALL) < 0)
      if (errno != EINTR)
        return createStringError(Twine("waitpid: ") + std::strerror(errno));
    if (!WIFSTOPPED(Status))
      return createStringError(
          std::make_error_code(std::errc::no_such_process),
          "the program ended before its own code began (" +
              (WIFSIGNALED(Status) ? Twine(::strsignal(WTERMSIG(Status)))
                                   : "status " + Twine(WEXITSTATUS(Status))) +
              ")");
    if (Arrived(Status))
      return Error::success();
    const bool IsSignal = Status >> 16 == 0;
    control(Process, PTRACE_CONT, 0, IsSignal ? WSTOPSIG(Status) : 0);
  }
}

bool isExecution(int Status) { return Status >> 16 == PTRACE_EVENT_EXEC; }

/// Its next instruction is there.
bool isAt(ProcessId Process, uint64_t Address) {
  errno = 0;
  uint64_t Next = control(Process, PTRACE_PEEKUSER, offsetof(user, regs.rip));
  return errno == 0 && Next == Address;
}

bool isOf(ProcessId Process, StringRef Name) {
  ErrorOr<std::string> Found = sys::findProgramByName(Name);
  return Found && sys::fs::equivalent(*Found, procPath(Process, "exe"));
}

} // namespace

bool holdAtExecution(ProcessId Process) {
  return control(Process, PTRACE_SEIZE, 0,
                 PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL) == 0;
}

Error runToEntryPoint(ProcessId Process, ArrayRef<std::string> Launchers) {
  if (Error E = awaitStop(Process, isExecution))
    return E;
  // What stands there by a launcher's name may be a script, which starts the
  // next one in another process.
  for (const std::string &Launcher : Launchers) {
    if (!isOf(Process, Launcher))
      break;
    control(Process, PTRACE_CONT);
    if (Error E = awaitStop(Process, isExecution))
      return E;
  }
  const uint64_t Entry = entryPoint(Process);
  errno = 0;
  const uint64_t Code = control(Process, PTRACE_PEEKTEXT, Entry);
  // Where code cannot be changed it is held where it is: only the libraries are
  // not there yet.
  if (Entry == 0 || errno != 0 ||
      control(Process, PTRACE_POKETEXT, Entry,
              (Code & ~TrapCodeMask) | TrapCode) != 0)
    return Error::success();
  control(Process, PTRACE_CONT);
  Error Ended = awaitStop(Process, [&](int Status) {
    return isExecution(Status) || isAt(Process, Entry + 1);
  });
  // Or a library's constructor has executed another program.
  if (!Ended && isAt(Process, Entry + 1)) {
    control(Process, PTRACE_POKETEXT, Entry, Code);
    control(Process, PTRACE_POKEUSER, offsetof(user, regs.rip), Entry);
  }
  return Ended;
}

void releaseHeld(ProcessId Process) { control(Process, PTRACE_DETACH); }

} // namespace linesman::process

#else

namespace linesman::process {

bool holdAtExecution(ProcessId) { return false; }
llvm::Error runToEntryPoint(ProcessId, llvm::ArrayRef<std::string>) {
  return llvm::Error::success();
}
void releaseHeld(ProcessId) {}

} // namespace linesman::process

#endif
