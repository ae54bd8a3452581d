// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tried on the process, and read from /proc.

#include "linesman/Drive/RegisterHolders.h"
#include "linesman/Process/Handles.h"
#include "linesman/Process/ProcFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::drive {

namespace {

constexpr unsigned Registers = 4;

NamedProcess named(StringRef Root, int Process) {
  std::string Name = readProcFile(Root + "/proc/" + Twine(Process) + "/comm");
  return {Process, StringRef(Name).trim().str()};
}

/// A watchpoint on an address that nobody has: the kernel takes a register for
/// it all the same.
int openWatchpoint(int Process) {
  perf_event_attr Attr = {};
  Attr.size = sizeof Attr;
  Attr.type = PERF_TYPE_BREAKPOINT;
  Attr.bp_type = 2; // HW_BREAKPOINT_W
  Attr.bp_addr = 8;
  Attr.bp_len = 8;
  Attr.disabled = 1;
  Attr.exclude_kernel = 1;
  Attr.exclude_hv = 1;
  return int(::syscall(SYS_perf_event_open, &Attr, Process, -1, -1,
                       PERF_FLAG_FD_CLOEXEC));
}

std::optional<unsigned> countFree(int Process) {
  std::vector<Descriptor> Open;
  while (Open.size() != Registers) {
    Descriptor One(openWatchpoint(Process));
    if (One.get() < 0) {
      if (errno != ENOSPC)
        return std::nullopt;
      break;
    }
    Open.push_back(std::move(One));
  }
  return unsigned(Open.size());
}

/// Nothing for a process whose files we may not look at.
std::optional<bool> hasPerfEvents(StringRef Root, int Process) {
  std::error_code EC;
  if (any_of(listOpenFiles(Root + "/proc/" + Twine(Process) + "/fd", EC),
             [](const OpenFile &File) {
               return File.Target == "anon_inode:[perf_event]";
             }))
    return true;
  if (EC == std::errc::permission_denied)
    return std::nullopt;
  return false;
}

/// 0 when nobody does.
int readTracer(StringRef Status) {
  return int(statusField(Status, "TracerPid").value_or(0));
}

} // namespace

Expected<RegisterHolders> findRegisterHolders(int Process, StringRef Root) {
  Root = Root.rtrim('/');
  std::string Status =
      readProcFile(Root + "/proc/" + Twine(Process) + "/status");
  if (Status.empty())
    return createStringError(formatv("there is no process {0}", Process));
  RegisterHolders Result;
  if (int Tracer = readTracer(Status))
    Result.Tracer = named(Root, Tracer);
  Result.Free = countFree(Process);
  for (int Number : listNumbers(Root + "/proc"))
    if (Number != ::getpid() && hasPerfEvents(Root, Number).value_or(false))
      Result.WithEvents.push_back(named(Root, Number));
  return std::move(Result);
}

std::vector<Advice> diagnose(const RegisterHolders &Holders) {
  std::vector<Advice> Result;
  if (Holders.Free && *Holders.Free == Registers)
    return Result;
  std::string Owner;
  if (Holders.Tracer)
    Owner += formatv(" Process {0} ({1}) traces it: a debugger, or a watch by "
                     "ptrace.",
                     Holders.Tracer->Number, Holders.Tracer->Name);
  for (const NamedProcess &P : Holders.WithEvents)
    Owner += formatv(" Process {0} ({1}) has perf events, which may be "
                     "watchpoints on it.",
                     P.Number, P.Name);
  if (Owner.empty())
    Owner =
        " Nobody is known to hold them: an earlier watch by ptrace reserves "
        "them until the thread ends, and other users' processes cannot be "
        "looked at.";
  if (Holders.Free)
    Result.push_back(
        {Advice::Warning,
         formatv("{0} of {1} debug registers of the process's main thread are "
                 "free for watch.{2}",
                 *Holders.Free, Registers, Owner)});
  else if (Holders.Tracer)
    Result.push_back({Advice::Warning, StringRef(Owner).ltrim().str()});
  return Result;
}

RegisterUsers findRegisterUsers(StringRef Root) {
  Root = Root.rtrim('/');
  RegisterUsers Result;
  // Before our own events, of which there are none afterwards.
  Result.Free = countFree(0);
  for (int Number : listNumbers(Root + "/proc")) {
    if (int Tracer = readTracer(
            readProcFile(Root + "/proc/" + Twine(Number) + "/status")))
      Result.Traces.push_back({named(Root, Tracer), named(Root, Number)});
    std::optional<bool> HasEvents = hasPerfEvents(Root, Number);
    Result.HasHidden |= !HasEvents;
    if (Number != ::getpid() && HasEvents.value_or(false))
      Result.WithEvents.push_back(named(Root, Number));
  }
  return Result;
}

std::vector<Advice> diagnose(const RegisterUsers &Users) {
  std::vector<Advice> Result;
  for (const RegisterUsers::Trace &T : Users.Traces)
    Result.push_back(
        {Advice::Fact,
         formatv("process {0} ({1}) traces process {2} ({3}), and may have "
                 "debug registers of it that watch needs",
                 T.Tracer.Number, T.Tracer.Name, T.Traced.Number,
                 T.Traced.Name)});
  if (!Users.Free || *Users.Free == Registers)
    return Result;
  std::string Text =
      formatv("{0} of {1} debug registers of any thread are free for watch.",
              *Users.Free, Registers);
  for (const NamedProcess &P : Users.WithEvents)
    Text += formatv(" Process {0} ({1}) has perf events, which may be "
                    "watchpoints on whole processors.",
                    P.Number, P.Name);
  if (Users.WithEvents.empty()) {
    Text += " Who has the others is not known: no process that linesman may "
            "look into has perf events.";
    if (Users.HasHidden)
      Text += " There are processes that it may not look into; root may.";
    Text += " A process outside of this container may have them, or the "
            "kernel's debugger; or the machine has fewer.";
  }
  Result.push_back({Advice::Warning, Text});
  return Result;
}

} // namespace linesman::drive
