// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's numbers in words, and what the machine offers.

#include "linesman/Control/Actuator.h"
#include "linesman/Process/ProcFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::control {

Actuator::~Actuator() = default;

std::string describe(const PagePlace &Page) {
  std::string Place =
      Page.Node ? formatv("node {0}", *Page.Node).str() : "no node";
  switch (Page.State) {
  case PageState::Private:
    return Place;
  case PageState::File:
    return Place + ", page cache: not written here yet";
  case PageState::Untouched:
    return "untouched: no page yet";
  case PageState::Zero:
    return "only read: the shared zero page";
  case PageState::Shared:
    return Place + ", shared with a forked process";
  case PageState::Swapped:
    return "swapped out";
  case PageState::Unknown:
    return Place + ", state not known";
  }
  llvm_unreachable("unknown page state");
}

std::string describeReason(const PagePlace &Page) {
  switch (Page.State) {
  case PageState::File:
    return "it is the page cache's, and moving it would be lost at the first "
           "write; --prepare makes it private";
  case PageState::Shared:
    return "it is shared with a forked process; only the administrator may "
           "move it (CAP_SYS_NICE)";
  default:
    break;
  }
  switch (Page.Reason) {
  case ENOMEM:
    return "the node has no free memory";
  case EBUSY:
  case EAGAIN:
    return "the kernel was using it";
  case EACCES:
    return "it is shared with another process";
  case ENODEV:
    return "there is no such node";
  case 0:
    return "it was not asked to";
  default:
    return sys::StrError(Page.Reason);
  }
}

/// What to do about a refusal, by call. Docker's default profile blocks
/// move_pages and userfaultfd, and mbind without CAP_SYS_NICE.
static StringRef adviceFor(StringRef Call) {
  if (Call == "mbind" || Call == "move_pages" || Call == "get_mempolicy")
    return "in a container, allow it with --cap-add=SYS_NICE (docker, podman)";
  if (Call == "userfaultfd")
    return "in a container, allow it with --security-opt seccomp=PROFILE, "
           "where PROFILE is the default one plus userfaultfd";
  return "in a container, allow it with --security-opt seccomp=unconfined";
}

Error callError(StringRef Call, int Errno) {
  std::string Text = formatv("{0}: {1}", Call, sys::StrError(Errno));
  if (Errno == ENOSYS && Call == "userfaultfd")
    Text += "; listing written pages needs Linux 6.7 or newer";
  else if (Errno == ENOSYS && Call == "PAGEMAP_SCAN")
    Text += "; listing written pages needs Linux 6.7 or newer";
  else if (Errno == EPERM || Errno == ENOSYS || Errno == EACCES)
    Text += formatv("; the system refused the call: {0}", adviceFor(Call));
  else if (Errno == EINVAL && Call == "mbind")
    Text += "; there is no such node, or the process may not use it";
  return createStringError(Text);
}

Error deadlyCallError(StringRef Call) {
  return createStringError(
      formatv("{0}: not tried, because a seccomp filter kills the program for "
              "it; allow the call (of systemd: SystemCallFilter={0})",
              Call));
}

Expected<std::vector<int>> readNodes() {
  constexpr unsigned MaxNodes = 1024, Bits = 8 * sizeof(unsigned long);
  unsigned long Mask[MaxNodes / Bits] = {};
  if (::syscall(SYS_get_mempolicy, nullptr, Mask, MaxNodes, nullptr,
                MPOL_F_MEMS_ALLOWED) != 0)
    return callError("get_mempolicy", errno);
  std::vector<int> Nodes;
  for (unsigned I = 0; I != MaxNodes; ++I)
    if (Mask[I / Bits] >> (I % Bits) & 1)
      Nodes.push_back(I);
  return Nodes;
}

Balancing readBalancing() {
  std::string Mode = readProcFile("/proc/sys/kernel/numa_balancing");
  if (Mode.empty())
    return Balancing::Unknown;
  return Mode.front() == '0' ? Balancing::Off : Balancing::On;
}

} // namespace linesman::control
