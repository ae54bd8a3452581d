// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Standard files, signals, and the last word on both.

#include "terminal/Startup.h"
#include "linesman/Guard/Text.h"
#include "linesman/Process/Descriptor.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::terminal {

int fail(Error E) {
  handleAllErrors(std::move(E), [](const ErrorInfoBase &Problem) {
    guard::PrintableStream(errs())
        << "linesman: error: " << Problem.message() << '\n';
  });
  return Failure;
}

std::error_code prepareStandardFiles() {
  bool IsClosed = ::fcntl(STDOUT_FILENO, F_GETFD) < 0;
  if (std::error_code EC = sys::Process::FixupStandardFileDescriptors())
    return EC;
  if (IsClosed) {
    Descriptor NotWritable(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (::dup2(NotWritable.get(), STDOUT_FILENO) < 0)
      return std::error_code(errno, std::generic_category());
  }
  return {};
}

IgnoredSignals::IgnoredSignals() {
  struct sigaction Now;
  for (int Signal = 1; Signal != SIGRTMIN; ++Signal)
    // Ignored, SIGCHLD would lose how a command of ours ended.
    if (Signal != SIGCHLD && ::sigaction(Signal, nullptr, &Now) == 0 &&
        Now.sa_handler == SIG_IGN)
      Signals.push_back(Signal);
}

void IgnoredSignals::restore() const {
  for (int Signal : Signals)
    ::signal(Signal, SIG_IGN);
}

/// A file that was mapped and is shorter now: somebody rewrites what is being
/// read.
static void reportShorterFile(int Signal, siginfo_t *Info, void *) {
  if (Info->si_code != BUS_ADRERR) {
    ::signal(Signal, SIG_DFL);
    ::raise(Signal);
    return;
  }
  constexpr StringLiteral Message =
      "linesman: error: a file became shorter while it was read; try again "
      "when it is complete\n";
  [[maybe_unused]] ssize_t Written =
      ::write(STDERR_FILENO, Message.data(), Message.size());
  sys::RunInterruptHandlers(); // temporary files
  ::_exit(Failure);
}

/// LLVM takes SIGQUIT for a crash, with a backtrace.
static void quit(int Signal) {
  sys::RunInterruptHandlers();
  ::signal(Signal, SIG_DFL);
  ::raise(Signal);
}

void handleSignals(const IgnoredSignals &Ignored) {
  ::signal(SIGQUIT, quit);
  struct sigaction Shorter = {};
  Shorter.sa_sigaction = reportShorterFile;
  Shorter.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &Shorter, nullptr);
  ::signal(SIGCHLD, SIG_DFL);
  Ignored.restore();
}

static void checkStreams() {
  outs().flush();
  std::error_code EC = outs().error();
  outs().clear_error();
  if (EC)
    fail(createFileError("stdout", EC));
  // Nobody can be told.
  errs().clear_error();
  if (EC)
    ::_exit(Failure);
}

void checkStreamsAtExit() {
  // Before the destructors of these two, which it makes now.
  outs(), errs();
  std::atexit(checkStreams);
}

void endProcess(int Code) {
  checkStreams();
  // Sanitizers look for leaks when all is destroyed.
  sys::Process::Exit(Code, /*NoCleanup=*/!LLVM_ADDRESS_SANITIZER_BUILD &&
                               !LLVM_THREAD_SANITIZER_BUILD);
}

} // namespace linesman::terminal
