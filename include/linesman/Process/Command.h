// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A command that is watched from outside to its end, with all that it starts:
// it has a process group of its own.

#ifndef LINESMAN_PROCESS_COMMAND_H
#define LINESMAN_PROCESS_COMMAND_H

#include "linesman/Process/Descriptor.h"
#include "linesman/Process/Ids.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <csignal>
#include <memory>
#include <string>
#include <unistd.h>

namespace linesman::process {

struct CommandStart {
  /// The first is the program's path. It has nothing to read.
  llvm::ArrayRef<std::string> Words;
  int Output = STDOUT_FILENO;
  int Errors = STDERR_FILENO;
  /// What it is sent if this process dies: nobody else would end it.
  int DeathSignal = SIGKILL;
};

/// How a command ended.
struct CommandEnd {
  /// As wait() has it.
  int Status = 0;
  /// Processor time of the process and of those that it waited for.
  double RunSeconds = 0;
};

class Command {
public:
  /// It stands still until release(), before it executes the program. A program
  /// that can not be executed ends with 127.
  static llvm::Expected<std::unique_ptr<Command>>
  start(const CommandStart &Start);

  /// Kills what is left of the group, unless somebody has waited.
  ~Command();

  ProcessId process() const { return Process; }
  void release() { Held.reset(); }

  /// A signal to the process alone, and to its group.
  void ask(int Signal);
  void askGroup(int Signal);

  /// Whether it has ended by then.
  bool hasEnded(int Milliseconds);

  /// Waits until it ends. Its number may be another's from then on. Once. What
  /// somebody else has waited for has ended with 127.
  CommandEnd wait();

private:
  explicit Command(ProcessId Process) : Process(Process) {}

  ProcessId Process;
  Descriptor Held, End;
  bool IsReaped = false;
};

} // namespace linesman::process

#endif // LINESMAN_PROCESS_COMMAND_H
