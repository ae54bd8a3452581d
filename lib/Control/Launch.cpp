// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts a command with the shim in LD_PRELOAD and one end of a socketpair
// inherited. The shim of the wanted program takes that end, and all of this out
// of the program's environment; shims of other programs on the way (a shell
// that runs a benchmark script) pass it on.

#include "linesman/Control/ShimClient.h"
#include "linesman/Process/DynamicNames.h"
#include "linesman/Process/Execution.h"
#include "linesman/Process/Handles.h"
#include "linesman/Process/Launchers.h"
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
#include <linux/mempolicy.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::control {

namespace {

/// Above the numbers that shells and scripts use by hand, where the limit of
/// open files allows it.
constexpr int LowestControl[] = {200, 10, 3};

constexpr int SoCookie = 57; // SO_COOKIE, Linux 4.6.

Error systemError(StringRef Subject) {
  return createStringError(Subject + Twine(": ") + sys::StrError(errno));
}

/// Our environment with the shim's variables. \p Before goes before the shim in
/// LD_PRELOAD.
std::vector<std::string> makeEnvironment(const LaunchConfig &Config,
                                         const struct stat &Program,
                                         int Control, uint64_t Cookie,
                                         StringRef Before) {
  std::vector<std::string> Result;
  std::string Preload = (Before + Config.ShimPath).str();
  for (const std::string &Library : Config.Preload)
    Preload += ":" + Library;
  const size_t Ours = Preload.size();
  bool Placed = false;
  for (char **Entry = environ; *Entry; ++Entry) {
    StringRef Variable = *Entry;
    if (Variable.starts_with(LINESMAN_ENV_CONTROL "=") ||
        Variable.starts_with(LINESMAN_ENV_PROGRAM "="))
      continue;
    if (Variable.consume_front("LD_PRELOAD=")) {
      // The order stays: the shim leaves what was there.
      Result.push_back("LD_PRELOAD=" + Preload + ":" + Variable.str());
      Placed = true;
    } else {
      Result.push_back(Variable.str());
    }
  }
  append_range(Result, Config.Environment);
  if (!Placed)
    Result.push_back("LD_PRELOAD=" + Preload);
  Result.push_back(
      formatv(LINESMAN_ENV_CONTROL "={0}:{1}:{2}", Control, Cookie, Ours));
  Result.push_back(formatv(LINESMAN_ENV_PROGRAM "={0}:{1}",
                           uint64_t(Program.st_dev), uint64_t(Program.st_ino)));
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

/// What an executable's headers say about how it is loaded.
struct Loading {
  /// No loader loads it. The loader itself, run by its name, has no interpreter
  /// either, but a name as a library.
  bool IsStatic = false;
  /// The runtime of AddressSanitizer, where it is a library: it insists on
  /// being the first one.
  std::string Sanitizer;
};

Loading readLoading(StringRef Bytes) {
  Loading Result;
  auto File = object::ELFFile<object::ELF64LE>::create(Bytes);
  if (!File) {
    consumeError(File.takeError());
    return Result;
  }
  auto Segments = File->program_headers();
  // What can not be read is the kernel's to refuse.
  if (!Segments) {
    consumeError(Segments.takeError());
    return Result;
  }
  process::DynamicNames Names = process::readDynamicNames(Bytes);
  Result.IsStatic =
      Names.Soname.empty() && none_of(*Segments, [](const auto &S) {
        return S.p_type == ELF::PT_INTERP;
      });
  for (std::string &Name : Names.Needed)
    if (StringRef(Name).starts_with("libasan.") ||
        StringRef(Name).starts_with("libclang_rt.asan"))
      Result.Sanitizer = std::move(Name);
  return Result;
}

/// Fails for a program that can not load the shim: before it has run. Other
/// rights (set-user-ID) are known to the kernel alone.
Expected<Loading> checkLoadsShim(StringRef Program) {
  auto File = MemoryBuffer::getFile(Program, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  // A program may be executable and not readable.
  if (!File)
    return Loading{};
  StringRef Bytes = (*File)->getBuffer();
  if (Bytes.starts_with("#!"))
    return createStringError(
        Program + ": a script, which can not load the shim: name the program "
                  "that it starts, or its interpreter, with --program");
  Loading Result;
  if (Bytes.starts_with(StringRef(ELF::ElfMagic, 4)))
    Result = readLoading(Bytes);
  if (Result.IsStatic)
    return createStringError(
        Program + ": statically linked, and can not load the shim. It can be "
                  "moved from outside: linesman place PID");
  return Result;
}

} // namespace

char Interrupted::ID = 0;
void Interrupted::log(raw_ostream &OS) const { OS << "interrupted"; }
std::error_code Interrupted::convertToErrorCode() const {
  return std::make_error_code(std::errc::interrupted);
}

Expected<std::unique_ptr<Launch>> Launch::start(LaunchConfig Config) {
  Expected<std::string> Path = findProgram(Config.Command.front());
  if (!Path)
    return Path.takeError();
  Expected<std::string> Program = findProgram(
      Config.Program.empty() ? skipLaunchers(Config.Command).Words.front()
                             : Config.Program);
  if (!Program)
    return Program.takeError();
  struct stat ProgramStatus;
  if (::stat(Program->c_str(), &ProgramStatus) != 0)
    return systemError(*Program);
  if (::access(Config.ShimPath.c_str(), R_OK) != 0)
    return systemError(Config.ShimPath);
  Expected<Loading> Loads = checkLoadsShim(*Program);
  if (!Loads)
    return Loads.takeError();
  // A shell on the way would get the sanitizer, too.
  std::string Before = Config.Program.empty() && !Loads->Sanitizer.empty()
                           ? Loads->Sanitizer + ":"
                           : "";

  int Pair[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, Pair) != 0)
    return systemError("socketpair");
  std::unique_ptr<Launch> Result(new Launch);
  Result->Program = *Program;
  Result->Interrupt = Config.Interrupt;
  Result->Control = Descriptor(Pair[0]);
  Descriptor Theirs(Pair[1]);
  // The kernel says of each message who sent it.
  const int Yes = 1;
  if (::setsockopt(Pair[0], SOL_SOCKET, SO_PASSCRED, &Yes, sizeof Yes) != 0)
    return systemError("the shim's socket");
  // No F_DUPFD_CLOEXEC: this is the one that is inherited.
  Descriptor Inherited;
  for (int Lowest : LowestControl)
    if (Inherited.get() < 0)
      Inherited = Descriptor(::fcntl(Theirs.get(), F_DUPFD, Lowest));
  uint64_t Cookie;
  socklen_t CookieSize = sizeof Cookie;
  if (Inherited.get() < 0 || ::getsockopt(Inherited.get(), SOL_SOCKET, SoCookie,
                                          &Cookie, &CookieSize) != 0)
    return systemError("the shim's socket");

  // All memory is ready before the fork: another thread may hold malloc's lock.
  std::vector<std::string> Environment =
      makeEnvironment(Config, ProgramStatus, Inherited.get(), Cookie, Before);
  std::vector<char *> Arguments = wordsForExecution(Config.Command);
  std::vector<char *> Variables = wordsForExecution(Environment);
  Expected<ExecutionPipe> Executed = ExecutionPipe::make();
  if (!Executed)
    return Executed.takeError();
  Result->Pid = ::fork();
  if (Result->Pid < 0)
    return systemError("fork");
  if (Result->Pid == 0) {
    if (Config.Output >= 0)
      ::dup2(Config.Output, STDOUT_FILENO);
    if (Config.MemoryNode >= 0) {
      unsigned long Nodes[16] = {};
      Nodes[Config.MemoryNode / 64] = 1ul << Config.MemoryNode % 64;
      ::syscall(SYS_set_mempolicy, MPOL_PREFERRED, Nodes, 1025);
    }
    ::execve(Path->c_str(), Arguments.data(), Variables.data());
    Executed->fail();
  }
  if (int Failure = Executed->await())
    return createStringError(*Path + ": " + sys::StrError(Failure));
  Result->Ended = openProcess({Result->Pid});
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
  pollfd Files[] = {{Control.get(), POLLIN, 0},
                    {Ended.get(), POLLIN, 0},
                    {Interrupt, POLLIN, 0}};
  while (true) {
    if (::poll(Files, 3, -1) < 0) {
      if (errno == EINTR)
        continue;
      return systemError("poll");
    }
    if (Files[2].revents)
      return make_error<Interrupted>();
    // A hung-up socket without a message: nobody can greet any more.
    if (!(Files[0].revents & POLLIN))
      return nullptr;
    char Byte;
    if (::recv(Control.get(), &Byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0)
      return nullptr;
    if (ShimClient::hasHello(Control))
      return ShimClient::greet(Control);
  }
}

Expected<std::unique_ptr<ShimClient>> Launch::greet() {
  Expected<std::unique_ptr<ShimClient>> Client = greetNext();
  if (!Client || *Client)
    return Client;
  return notLoaded();
}

Error Launch::notLoaded() const {
  struct stat Status;
  auto Because = [&](StringRef Reason) {
    return createStringError("the program did not load the shim: " + Reason);
  };
  if (::stat(Program.c_str(), &Status) == 0 &&
      Status.st_mode & (S_ISUID | S_ISGID))
    return Because(Program + " is set-user-ID or set-group-ID");
  if (::getxattr(Program.c_str(), "security.capability", nullptr, 0) > 0)
    return Because(Program + " has capabilities of its file (setcap)");
  Expected<Loading> Loads = checkLoadsShim(Program);
  if (!Loads)
    return Loads.takeError();
  if (!Loads->Sanitizer.empty())
    return Because(formatv("{0} must be the first library of the program: run "
                           "it without a script, or link it with "
                           "-static-libasan",
                           Loads->Sanitizer)
                       .str());
  return Because("the command is a script that did not start it (name the "
                 "program with --program) or closed the descriptor or dropped "
                 "the environment that it was given, or another libc than "
                 "glibc loads the program");
}

Error Launch::awaitInterrupt(int File) const {
  pollfd Files[] = {{File, POLLIN, 0}, {Interrupt, POLLIN, 0}};
  while (::poll(Files, 2, -1) < 0)
    if (errno != EINTR)
      return systemError("poll");
  return Files[1].revents && !Files[0].revents ? make_error<Interrupted>()
                                               : Error::success();
}

Expected<ExitState> Launch::wait() {
  if (Error E = awaitInterrupt(Ended.get()))
    return std::move(E);
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
