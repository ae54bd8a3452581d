// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One of our commands as a child process. It is asked to end and then waited
// for, because it ends what it has started, and puts pages back where they
// were; killing it would leave that undone.

#include "linesman/Drive/Hunt.h"
#include "linesman/Process/Command.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::drive {

namespace {

constexpr int PollMilliseconds = 50;
/// A command that ends its own children waits for them some seconds.
constexpr unsigned PatientPolls = 20000 / PollMilliseconds;

/// Its last error, or else how it ended.
std::string readProblem(StringRef Log, int Status) {
  if (auto File = MemoryBuffer::getFileAsStream(Log)) {
    StringRef Text = (*File)->getBuffer();
    constexpr StringLiteral Mark = "linesman: error: ";
    if (size_t Index = Text.rfind(Mark); Index != StringRef::npos)
      return Text.substr(Index + Mark.size())
          .take_until([](char C) { return C == '\n'; })
          .str();
  }
  if (WIFSIGNALED(Status))
    return formatv("it was killed by signal {0}, see {1}", WTERMSIG(Status),
                   Log);
  return formatv("exit code {0}, see {1}", WEXITSTATUS(Status), Log);
}

} // namespace

Expected<StepEnd> runOwnCommand(const Step &Action, StringRef Executable,
                                function_ref<bool()> IsUnwanted) {
  std::string Base =
      (sys::path::parent_path(Action.Result) + "/" + Action.Name).str();
  std::string Log = Base + ".log";
  Descriptor Output(
      ::open(Log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (Output.get() < 0)
    return createStringError(Log + ": " + sys::StrError());
  std::vector<std::string> Words = {Executable.str()};
  Words.insert(Words.end(), Action.Arguments.begin(), Action.Arguments.end());
  // Without the hunt nobody would ask it to end.
  Expected<std::unique_ptr<Command>> Child =
      Command::start({Words, Output.get(), Output.get(), SIGTERM});
  if (!Child)
    return Child.takeError();
  (*Child)->release();
  bool IsStopped = false;
  unsigned Waited = 0;
  while (!(*Child)->hasEnded(PollMilliseconds)) {
    if (!IsStopped && IsUnwanted()) {
      IsStopped = true;
      (*Child)->ask(SIGTERM);
    }
    Waited += IsStopped;
    if (Waited == PatientPolls)
      (*Child)->askGroup(SIGKILL);
  }
  const int Status = (*Child)->wait().Status;
  if (IsStopped) {
    sys::fs::rename(Action.Result, Base + ".partial");
    return StepEnd::Stopped;
  }
  // 1 is of a gate: something was found, and the report has it.
  if (WIFEXITED(Status) && WEXITSTATUS(Status) <= 1 &&
      sys::fs::exists(Action.Result))
    return StepEnd::Done;
  sys::fs::rename(Action.Result, Base + ".partial");
  return createStringError(readProblem(Log, Status));
}

} // namespace linesman::drive
