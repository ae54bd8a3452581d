// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts a command with the shim in LD_PRELOAD and one end of a socketpair
// inherited. The shim of the wanted program takes that end; shims of other
// programs on the way (a shell that runs a benchmark script) pass it on.

#include "linesman/Control/ShimClient.h"
#include "linesman/Runtime/Protocol.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace linesman::control {

namespace {

/// Above the numbers that shells and scripts use by hand.
constexpr int LowestControl = 200;

Error systemError(StringRef What) {
  return createStringError(What + Twine(": ") + sys::StrError(errno));
}

/// Our environment with the shim's variables.
std::vector<std::string> makeEnvironment(const LaunchConfig &Config,
                                         const struct stat &Program,
                                         int Control) {
  std::vector<std::string> Result;
  std::string Preload = Config.ShimPath;
  for (char **Entry = environ; *Entry; ++Entry) {
    StringRef Variable = *Entry;
    if (Variable.consume_front("LD_PRELOAD=")) {
      if (!Variable.empty())
        Preload += ":" + Variable.str();
    } else if (!Variable.starts_with(LINESMAN_ENV_CONTROL "=") &&
               !Variable.starts_with(LINESMAN_ENV_PROGRAM "=")) {
      Result.push_back(Variable.str());
    }
  }
  Result.push_back("LD_PRELOAD=" + Preload);
  Result.push_back(formatv(LINESMAN_ENV_CONTROL "={0}", Control));
  Result.push_back(formatv(LINESMAN_ENV_PROGRAM "={0}:{1}",
                           uint64_t(Program.st_dev), uint64_t(Program.st_ino)));
  append_range(Result, Config.Environment);
  return Result;
}

std::vector<char *> pointersTo(const std::vector<std::string> &Strings) {
  std::vector<char *> Result;
  for (const std::string &S : Strings)
    Result.push_back(const_cast<char *>(S.c_str()));
  Result.push_back(nullptr);
  return Result;
}

Expected<std::string> findProgram(StringRef Name) {
  if (Name.contains('/'))
    return Name.str();
  ErrorOr<std::string> Found = sys::findProgramByName(Name);
  if (!Found)
    return createStringError(Name + ": " + Found.getError().message());
  return *Found;
}

/// Whether an executable is one that no loader loads. The loader itself, run by
/// its name, has no interpreter either, but a name as a library.
bool isStatic(StringRef Bytes) {
  auto File = object::ELFFile<object::ELF64LE>::create(Bytes);
  if (!File) {
    consumeError(File.takeError());
    return false;
  }
  auto Segments = File->program_headers();
  auto Dynamic = File->dynamicEntries();
  // What can not be read is the kernel's to refuse.
  if (!Segments || !Dynamic) {
    consumeError(Segments.takeError());
    consumeError(Dynamic.takeError());
    return false;
  }
  return none_of(*Segments,
                 [](const auto &S) { return S.p_type == ELF::PT_INTERP; }) &&
         none_of(*Dynamic,
                 [](const auto &D) { return D.d_tag == ELF::DT_SONAME; });
}

/// Fails for a program that can not load the shim: before it has run. Other
/// rights (set-user-ID) are known to the kernel alone.
Error checkLoadsShim(StringRef Program) {
  auto File = MemoryBuffer::getFile(Program, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  // A program may be executable and not readable.
  if (!File)
    return Error::success();
  StringRef Bytes = (*File)->getBuffer();
  if (Bytes.starts_with("#!"))
    return createStringError(
        Program + ": a script, which can not load the shim: name the program "
                  "that it starts, or its interpreter, with --program");
  if (Bytes.starts_with(StringRef(ELF::ElfMagic, 4)) && isStatic(Bytes))
    return createStringError(
        Program + ": statically linked, and can not load the shim. It can be "
                  "moved from outside: linesman place PID");
  return Error::success();
}

} // namespace

Expected<std::unique_ptr<Launch>> Launch::start(LaunchConfig Config) {
  Expected<std::string> Path = findProgram(Config.Command.front());
  if (!Path)
    return Path.takeError();
  Expected<std::string> Program =
      Config.Program.empty() ? *Path : findProgram(Config.Program);
  if (!Program)
    return Program.takeError();
  struct stat ProgramStatus;
  if (::stat(Program->c_str(), &ProgramStatus) != 0)
    return systemError(*Program);
  if (::access(Config.ShimPath.c_str(), R_OK) != 0)
    return systemError(Config.ShimPath);
  if (Error E = checkLoadsShim(*Program))
    return std::move(E);

  int Pair[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, Pair) != 0)
    return systemError("socketpair");
  std::unique_ptr<Launch> Result(new Launch);
  Result->Control = Descriptor(Pair[0]);
  Descriptor Theirs(Pair[1]);
  // No F_DUPFD_CLOEXEC: this is the one that is inherited.
  Descriptor Inherited(::fcntl(Theirs.get(), F_DUPFD, LowestControl));
  if (Inherited.get() < 0)
    return systemError("fcntl");

  // All memory is ready before the fork: another thread may hold malloc's lock.
  std::vector<std::string> Environment =
      makeEnvironment(Config, ProgramStatus, Inherited.get());
  std::vector<char *> Arguments = pointersTo(Config.Command);
  std::vector<char *> Variables = pointersTo(Environment);
  int Report[2];
  if (::pipe2(Report, O_CLOEXEC) != 0)
    return systemError("pipe");
  Descriptor Read(Report[0]), Write(Report[1]);
  Result->Pid = ::fork();
  if (Result->Pid < 0)
    return systemError("fork");
  if (Result->Pid == 0) {
    if (Config.Output >= 0)
      ::dup2(Config.Output, STDOUT_FILENO);
    ::execve(Path->c_str(), Arguments.data(), Variables.data());
    int Failure = errno;
    (void)!::write(Write.get(), &Failure, sizeof Failure);
    ::_exit(127);
  }
  Write.reset();
  int Failure;
  if (::read(Read.get(), &Failure, sizeof Failure) == sizeof Failure) {
    errno = Failure;
    return systemError(*Path);
  }
  Result->Ended = Descriptor(::syscall(SYS_pidfd_open, Result->Pid, 0));
  if (Result->Ended.get() < 0)
    return systemError("pidfd_open");
  return std::move(Result);
}

Launch::~Launch() {
  if (Pid < 0)
    return;
  ::kill(Pid, SIGKILL);
  while (::waitpid(Pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

Expected<std::unique_ptr<ShimClient>> Launch::greetNext() {
  pollfd Files[] = {{Control.get(), POLLIN, 0}, {Ended.get(), POLLIN, 0}};
  while (::poll(Files, 2, -1) < 0)
    if (errno != EINTR)
      return systemError("poll");
  // A hung-up socket without a message: nobody can greet any more.
  if (!(Files[0].revents & POLLIN))
    return nullptr;
  char Byte;
  if (::recv(Control.get(), &Byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0)
    return nullptr;
  Descriptor Copy(::fcntl(Control.get(), F_DUPFD_CLOEXEC, 0));
  if (Copy.get() < 0)
    return systemError("fcntl");
  return ShimClient::greet(std::move(Copy));
}

Expected<std::unique_ptr<ShimClient>> Launch::greet() {
  Expected<std::unique_ptr<ShimClient>> Client = greetNext();
  if (!Client || *Client)
    return Client;
  return notLoaded();
}

Error Launch::notLoaded() {
  return createStringError(
      "the program did not load the shim: it runs with other rights "
      "(set-user-ID), or the command is a script that did not start it (name "
      "the program with --program)");
}

Expected<ExitState> Launch::wait() {
  int Status;
  while (::waitpid(Pid, &Status, 0) < 0)
    if (errno != EINTR)
      return systemError("waitpid");
  Pid = -1;
  if (WIFSIGNALED(Status))
    return ExitState{128 + WTERMSIG(Status), WTERMSIG(Status)};
  return ExitState{WEXITSTATUS(Status), 0};
}

} // namespace linesman::control
