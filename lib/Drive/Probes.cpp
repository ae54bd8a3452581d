// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each call is made once, on memory of our own or on a child.

#include "linesman/Drive/Probes.h"
#include "linesman/Control/Actuator.h"
#include "linesman/Process/Descriptor.h"
#include "linesman/Process/ProcFiles.h"
#include "linesman/Process/State.h"
#include "linesman/Report/TextLines.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/mempolicy.h>
#include <linux/perf_event.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::drive {

namespace {

/// 0, or the errno of what was refused.
using Try = int (*)();

/// A page of our own.
class ScratchPage {
public:
  ScratchPage()
      : Address(::mmap(nullptr, pageSize(), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (Address != MAP_FAILED)
      *static_cast<volatile char *>(Address) = 1;
  }
  ~ScratchPage() {
    if (Address != MAP_FAILED)
      ::munmap(Address, pageSize());
  }
  ScratchPage(const ScratchPage &) = delete;
  ScratchPage &operator=(const ScratchPage &) = delete;
  void *Address;
};

int openEvent(uint32_t Type, uint64_t Config, void *Watched) {
  perf_event_attr Attr = {};
  Attr.size = sizeof Attr;
  Attr.type = Type;
  Attr.config = Config;
  Attr.disabled = 1;
  Attr.exclude_kernel = 1;
  Attr.exclude_hv = 1;
  if (Type == PERF_TYPE_BREAKPOINT) {
    // HW_BREAKPOINT_W, which linux/hw_breakpoint.h has as an enumerator.
    Attr.bp_type = 2;
    Attr.bp_addr = reinterpret_cast<uintptr_t>(Watched);
    Attr.bp_len = 8;
  }
  Descriptor Event(int(
      ::syscall(SYS_perf_event_open, &Attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
  return Event.get() < 0 ? errno : 0;
}

int trySoftwareEvents() {
  return openEvent(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, nullptr);
}

int tryHardwareCounters() {
  return openEvent(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, nullptr);
}

int tryWatchpoints() {
  ScratchPage Page;
  return openEvent(PERF_TYPE_BREAKPOINT, 0, Page.Address);
}

int tryMbind() {
  ScratchPage Page;
  unsigned long Nodes = 1;
  // The kernel takes one bit fewer than it is told.
  return ::syscall(SYS_mbind, Page.Address, pageSize(), MPOL_PREFERRED, &Nodes,
                   8 * sizeof Nodes + 1, 0) == 0
             ? 0
             : errno;
}

int tryMovePages() {
  ScratchPage Page;
  void *Pages[] = {Page.Address};
  int Status[1];
  return ::syscall(SYS_move_pages, 0, 1, Pages, nullptr, Status, 0) == 0
             ? 0
             : errno;
}

Descriptor openUserfault() {
  return Descriptor(int(::syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK |
                                                       UFFD_USER_MODE_ONLY)));
}

int tryUserfaultfd() { return openUserfault().get() < 0 ? errno : 0; }

int tryPagemapScan() {
#ifdef PAGEMAP_SCAN
  constexpr unsigned long Request = PAGEMAP_SCAN;
#else
  // _IOWR('f', 16, struct pm_scan_arg), of 96 bytes, since Linux 6.7.
  constexpr unsigned long Request = 0xc0606610;
#endif
  Descriptor Map(
      ::open(procPath({::getpid()}, "pagemap").c_str(), O_RDONLY | O_CLOEXEC));
  if (Map.get() < 0)
    return errno;
  ScratchPage Page;
  // size, flags, start, end, walk_end, vec, vec_len, max_pages, and four masks.
  uint64_t Arguments[12] = {};
  Arguments[0] = sizeof Arguments;
  Arguments[2] = reinterpret_cast<uintptr_t>(Page.Address);
  Arguments[3] = Arguments[2] + pageSize();
  return ::ioctl(Map.get(), Request, Arguments) >= 0 ? 0 : errno;
}

int tryPtrace() {
  int Pipe[2];
  if (::pipe2(Pipe, O_CLOEXEC) != 0)
    return errno;
  Descriptor Read(Pipe[0]), Write(Pipe[1]);
  int Child = ::fork();
  if (Child < 0)
    return errno;
  if (Child == 0) {
    char Byte;
    ::close(Pipe[1]);
    (void)!::read(Pipe[0], &Byte, 1);
    ::_exit(0);
  }
  int Result = ::ptrace(PTRACE_SEIZE, Child, nullptr, nullptr) == 0 ? 0 : errno;
  ::kill(Child, SIGKILL);
  ::waitpid(Child, nullptr, __WALL);
  return Result;
}

struct Row {
  const char *Name, *NeededFor;
  Try Attempt;
  /// The system call, which a profile of seccomp names.
  const char *Call;
  /// What would allow it when it is refused, and what its absence means.
  const char *WhenRefused, *WhenAbsent;
};

constexpr char Paranoid[] =
    "sysctl kernel.perf_event_paranoid=2 or lower allows it; in a container, "
    "--cap-add=PERFMON";
constexpr char Nice[] = "in a container, --cap-add=SYS_NICE allows it";

constexpr Row Rows[] = {
    {"perf events", "watch, ab --metric=task-clock and its kin",
     trySoftwareEvents, "perf_event_open", Paranoid,
     "the kernel was built without them"},
    {"hardware counters", "ab --metric=cycles and its kin; nothing else",
     tryHardwareCounters, "perf_event_open", Paranoid,
     "this machine has none; many virtual machines do not"},
    {"watchpoints", "watch", tryWatchpoints, "perf_event_open", Paranoid,
     "all debug registers are taken, or the machine has none"},
    {"ptrace", "watch, where perf is refused; watch and record of a command",
     tryPtrace, "ptrace",
     "sysctl kernel.yama.ptrace_scope=1 or lower allows it; in a container, "
     "--cap-add=SYS_PTRACE",
     "the kernel refuses it"},
    {"mbind", "run, place and bisect with the shim", tryMbind, "mbind", Nice,
     "the kernel was built without NUMA"},
    {"move_pages", "pages, place and bisect", tryMovePages, "move_pages", Nice,
     "the kernel was built without NUMA"},
    {"userfaultfd", "dirty, bisect --dirty", tryUserfaultfd, "userfaultfd",
     "a security module refuses it", "the kernel was built without it"},
    {"PAGEMAP_SCAN", "dirty, bisect --dirty", tryPagemapScan, "ioctl",
     "in a container, mount /proc with pagemap", "it needs Linux 6.7 or newer"},
};

Probe probeOf(const Seccomp &Filters) {
  Probe P{"seccomp off", "all of these, which a filter can refuse",
          !Filters.IsFiltering, ""};
  if (Filters.IsFiltering)
    P.Problem = formatv(
        "{0} on this process, as containers have; in one, --security-opt "
        "seccomp=unconfined, or a profile that allows what is refused",
        Filters.Filters ? report::plural(*Filters.Filters, "filter") +
                              (*Filters.Filters == 1 ? " is" : " are")
                        : "a filter is");
  return P;
}

/// Filters refuse with EPERM, and with ENOSYS, as if the kernel were older.
std::string explain(const Row &R, int Refused,
                    const std::optional<Seccomp> &Filters) {
  bool IsFiltering = Filters && Filters->IsFiltering;
  std::string Text = sys::StrError(Refused) + "; ";
  if (IsFiltering && (Refused == EPERM || Refused == ENOSYS))
    Text += formatv("the seccomp filter may be the reason: --security-opt "
                    "seccomp=unconfined, or a profile with {0}, allows it; if "
                    "that is not it, ",
                    R.Call);
  bool IsForbidden = Refused == EPERM || Refused == EACCES;
  return Text + (IsForbidden ? R.WhenRefused : R.WhenAbsent);
}

} // namespace

std::vector<Probe> runProbes(std::optional<Seccomp> Filters) {
  std::vector<Probe> Result;
  if (Filters)
    Result.push_back(probeOf(*Filters));
  for (const Row &R : Rows) {
    int Refused = R.Attempt();
    Result.push_back({R.Name, R.NeededFor, Refused == 0,
                      Refused ? explain(R, Refused, Filters) : ""});
  }
  return Result;
}

} // namespace linesman::drive
