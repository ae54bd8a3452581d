// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch of a program under the shim, and the client of the shim's
// protocol, which is spoken until the program's main.

#ifndef LINESMAN_CONTROL_SHIMCLIENT_H
#define LINESMAN_CONTROL_SHIMCLIENT_H

#include "linesman/Control/Actuator.h"
#include "linesman/Process/Address.h"
#include "linesman/Process/Descriptor.h"
#include "linesman/Process/Ids.h"

struct linesman_reply;
struct linesman_request;

namespace linesman::control {

/// A program that stands before main. One that has not been started when this
/// goes away is killed: nothing of it may run.
class ShimClient : public Actuator {
public:
  ~ShimClient() override;
  /// Whether the message that waits in \p Shared is a hello. Drops it
  /// otherwise: whatever a script starts inherits the socket, and can write to
  /// it.
  static bool hasHello(const process::Descriptor &Shared);
  /// Takes the hello that waits in \p Shared, the socket of all programs that a
  /// script may start, and the connection that comes with it.
  static llvm::Expected<std::unique_ptr<ShimClient>>
  greet(const process::Descriptor &Shared);

  process::ProcessId process() const override { return Process; }
  llvm::Expected<std::vector<StaticModule>> modules() override;
  llvm::Expected<std::vector<PagePlace>>
  query(process::RunRange Range) override;
  llvm::Expected<std::vector<PagePlace>> place(process::RunRange Range,
                                               Placement Target,
                                               Preparation Preparing) override;
  llvm::Error prepare(process::RunRange Range) override;
  bool isInside() const override { return true; }

  /// What was loaded when modules() was asked last.
  const process::ModuleMap &known() const { return Known; }

  /// A userfaultfd of the process, for WriteWatch; no copy stays in it.
  llvm::Expected<process::Descriptor> takeWatcher();
  /// The program runs on to main, and knows nothing of us from here on.
  llvm::Error start();

private:
  struct Answer;

  explicit ShimClient(process::Descriptor Socket) : Socket(std::move(Socket)) {}
  llvm::Expected<Answer> ask(linesman_request Request);
  llvm::Expected<Answer> receive(uint32_t Serial);
  llvm::Expected<std::vector<PagePlace>> askPages(linesman_request Request,
                                                  process::RunRange Range);

  process::Descriptor Socket;
  process::ProcessId Process;
  bool IsStarted = false;
  uint32_t Serial = 0;
  uint32_t Modules = 0;
  process::ModuleMap Known;
};

struct LaunchConfig {
  std::vector<std::string> Command;
  /// The program to drive, when Command is a script that starts it; empty for
  /// the command itself, or what its launchers start (skipLaunchers).
  std::string Program;
  /// liblinesman-shim.so.
  std::string ShimPath;
  /// Libraries behind the shim in LD_PRELOAD.
  std::vector<std::string> Preload;
  /// NAME=VALUE, added to the environment.
  std::vector<std::string> Environment;
  /// Where its standard output goes; -1 for ours.
  int Output = -1;
  /// Where readable, greet and wait give up: somebody wants an end. -1: never.
  int Interrupt = -1;
  /// All memory of it is preferably on this node; -1: as it comes.
  int MemoryNode = -1;
};

/// How a process ended.
struct ExitState {
  /// The exit code, or 128 + the signal, as shells say it.
  int Code = 0;
  int Signal = 0;
};

/// What greet and wait say when LaunchConfig::Interrupt is readable.
class Interrupted : public llvm::ErrorInfo<Interrupted> {
public:
  static char ID;
  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;
};

/// A program under the shim. Kills it when it is destroyed before its end.
class Launch {
public:
  /// Fails, and runs nothing, when the program is one that can not load the
  /// shim.
  static llvm::Expected<std::unique_ptr<Launch>> start(LaunchConfig Config);
  ~Launch();

  process::ProcessId child() const { return {Pid}; }
  /// Waits until the program stands before main. Fails when the command ended
  /// before: it is set-user-ID, or does not start the program.
  llvm::Expected<std::unique_ptr<ShimClient>> greet();
  /// Waits for another start of the program while the command runs: a
  /// script may start it several times. Null when the command has ended, or can
  /// start no more.
  llvm::Expected<std::unique_ptr<ShimClient>> greetNext();
  /// Waits for the end of the command.
  llvm::Expected<ExitState> wait();
  /// What greet says when the command ended without starting the program: the
  /// reason, as far as the program's file tells it.
  llvm::Error notLoaded() const;

private:
  Launch() = default;
  llvm::Error awaitInterrupt(int File) const;

  std::string Program;
  int Interrupt = -1;
  process::Descriptor Control;
  process::Descriptor Ended;
  int Pid = -1;
};

} // namespace linesman::control

#endif // LINESMAN_CONTROL_SHIMCLIENT_H
