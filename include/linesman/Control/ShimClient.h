// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The client of the shim's protocol, and the launch of a program under it.

#ifndef LINESMAN_CONTROL_SHIMCLIENT_H
#define LINESMAN_CONTROL_SHIMCLIENT_H

#include "linesman/Control/Actuator.h"

struct linesman_reply;
struct linesman_request;

namespace linesman::control {

class ShimClient : public Actuator {
public:
  /// To the socket file of a process. Null when the process has no shim that
  /// this user could attach to; explainAbsence says why.
  static llvm::Expected<std::unique_ptr<ShimClient>> attach(ProcessId Process);
  /// Over a connection whose shim has said hello.
  static llvm::Expected<std::unique_ptr<ShimClient>> greet(Descriptor Socket);

  ProcessId process() const override { return Process; }
  llvm::Expected<std::vector<Module>> modules() override;
  llvm::Expected<std::vector<PagePlace>> query(RunRange Range) override;
  llvm::Expected<std::vector<PagePlace>> place(RunRange Range, Placement To,
                                               Preparation How) override;
  llvm::Error prepare(RunRange Range) override;
  bool isInside() const override { return true; }

  /// Ends the handshake: the program runs on to main.
  llvm::Error start();
  /// Watches writes to all ranges; returns how many ranges it can not watch.
  llvm::Expected<unsigned> watchWrites();
  /// The pages written since the last scan.
  llvm::Expected<std::vector<RunRange>> scanWrites();
  /// Fails when the system refuses the shim its thread: then this connection
  /// ends with start(), and the process can not be attached to.
  llvm::Error checkThread() const;

private:
  struct Answer;

  explicit ShimClient(Descriptor Socket) : Socket(std::move(Socket)) {}
  llvm::Expected<Answer> ask(linesman_request Request);
  llvm::Expected<Answer> receive(uint32_t Serial);
  llvm::Error takeHello(const Answer &Hello);
  llvm::Expected<std::vector<PagePlace>> askPages(linesman_request Request,
                                                  RunRange Range);

  Descriptor Socket;
  ProcessId Process;
  uint32_t Serial = 0;
  uint32_t Modules = 0;
  uint16_t RefusedCall = 0;
  int RefusedError = 0;
};

/// Fails when a process of \p User can not be attached to, because the folder
/// of its sockets, in /tmp, is not that user's alone.
llvm::Error checkSocketFolder(unsigned User);

/// Why there is no shim to attach to, as an error.
llvm::Error explainAbsence(ProcessId Process);

/// The shim where it is, the way from outside where it is not.
llvm::Expected<std::unique_ptr<Actuator>> attachTo(ProcessId Process);

struct LaunchConfig {
  std::vector<std::string> Command;
  /// The program to drive, when Command is a script that starts it; empty for
  /// the command itself.
  std::string Program;
  /// liblinesman-shim.so.
  std::string ShimPath;
  /// NAME=VALUE, added to the environment.
  std::vector<std::string> Environment;
  /// Where its standard output goes; -1 for ours.
  int Output = -1;
};

/// How a process ended.
struct ExitState {
  /// The exit code, or 128 + the signal, as shells say it.
  int Code = 0;
  int Signal = 0;
};

/// A program under the shim. Kills it when it is destroyed before its end.
class Launch {
public:
  /// Fails, and runs nothing, when the program is one that can not load the
  /// shim.
  static llvm::Expected<std::unique_ptr<Launch>> start(LaunchConfig Config);
  ~Launch();

  ProcessId child() const { return {Pid}; }
  /// Waits until the program stands before main. Fails when the command ended
  /// before: it is set-user-ID, or does not start the program.
  llvm::Expected<std::unique_ptr<ShimClient>> greet();
  /// Waits for another start of the program while the command runs: a
  /// script may start it several times. Null when the command has ended, or can
  /// start no more.
  llvm::Expected<std::unique_ptr<ShimClient>> greetNext();
  /// Waits for the end of the command.
  llvm::Expected<ExitState> wait();
  /// What greet says when the command ended without starting the program.
  static llvm::Error notLoaded();

private:
  Launch() = default;
  Descriptor Control;
  Descriptor Ended;
  int Pid = -1;
};

} // namespace linesman::control

#endif // LINESMAN_CONTROL_SHIMCLIENT_H
