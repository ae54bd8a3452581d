// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests to the shim. Long ranges are asked for in pieces of
// LINESMAN_MAX_PAGES.

#include "linesman/Control/ShimClient.h"
#include "LoadedFiles.h"
#include "linesman/Runtime/Protocol.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

using namespace llvm;

namespace linesman::control {

namespace {

/// The shim answers in microseconds, a full placement in milliseconds; a
/// process that is stopped answers never.
constexpr int AnswerMilliseconds = 20000;

/// It accepts within microseconds, too, and those that wait may be too many.
constexpr timeval ConnectTime = {5, 0};

Error noAnswer() {
  return createStringError("the shim does not answer: is the process "
                           "stopped?");
}

StringRef callName(uint16_t Call) {
  switch (Call) {
  case LINESMAN_CALL_MBIND:
    return "mbind";
  case LINESMAN_CALL_MOVE_PAGES:
    return "move_pages";
  case LINESMAN_CALL_MADVISE:
    return "madvise";
  case LINESMAN_CALL_GET_MEMPOLICY:
    return "get_mempolicy";
  case LINESMAN_CALL_USERFAULTFD:
    return "userfaultfd";
  case LINESMAN_CALL_PAGEMAP_SCAN:
    return "PAGEMAP_SCAN";
  case LINESMAN_CALL_OPEN_PAGEMAP:
    return "open /proc/self/pagemap";
  case LINESMAN_CALL_CLOSE_RANGE:
    return "close_range and unshare";
  default:
    return "a system call";
  }
}

Error statusError(const linesman_reply &Reply) {
  switch (Reply.status) {
  case LINESMAN_BAD_VERSION:
    return createStringError("the shim in the process is of another version");
  case LINESMAN_NOT_STATIC:
    return createStringError("the range is not static data of the process");
  case LINESMAN_CALL_FAILED:
    return callError(callName(Reply.call), Reply.error);
  case LINESMAN_BUSY:
    return createStringError("the process has as many clients as it can serve");
  case LINESMAN_WRONG_STATE:
    return createStringError("another client watches the process's writes");
  default:
    return createStringError(
        formatv("the shim refused the request (status {0})", Reply.status));
  }
}

/// Which file a module is, of which the loader knows the name that it opened;
/// of the program itself none.
void findFile(ArrayRef<LoadedFile> Files, Module &Of) {
  // All but a program with fixed addresses are linked at 0.
  auto File = find_if(
      Files, [&](const LoadedFile &F) { return F.Start.Value == Of.Bias; });
  if (File == Files.end() && Of.Path.empty())
    File = find_if(Files, [](const LoadedFile &F) { return F.IsExecutable; });
  if (File != Files.end() && Of.Path.empty())
    Of.Path = File->Path;
  Of.File = File != Files.end() ? File->File : Of.Path;
}

int nodeNumber(Placement To) {
  switch (To.To) {
  case Placement::Kind::Node:
    return To.Node;
  case Placement::Kind::Interleave:
    return LINESMAN_NODE_INTERLEAVE;
  case Placement::Kind::Default:
    return LINESMAN_NODE_DEFAULT;
  }
  llvm_unreachable("unknown placement");
}

linesman_request request(linesman_request_kind Kind, RunRange Range = {}) {
  linesman_request Request = {};
  Request.kind = Kind;
  Request.begin = Range.Begin.Value;
  Request.end = Range.End.Value;
  return Request;
}

} // namespace

struct ShimClient::Answer {
  linesman_reply Reply = {};
  std::string Entries;

  /// The entries as an array; fails when there are fewer than it says.
  template <typename T> Expected<std::vector<T>> entries() const {
    std::vector<T> Result(Reply.count);
    if (Entries.size() != Reply.count * sizeof(T))
      return createStringError("the shim's answer is malformed");
    if (!Result.empty())
      std::memcpy(Result.data(), Entries.data(), Entries.size());
    return Result;
  }
};

Expected<ShimClient::Answer> ShimClient::receive(uint32_t Wanted) {
  pollfd Wait = {Socket.get(), POLLIN, 0};
  int Ready;
  do
    Ready = ::poll(&Wait, 1, AnswerMilliseconds);
  while (Ready < 0 && errno == EINTR);
  if (Ready == 0)
    return noAnswer();
  std::string Buffer(LINESMAN_MAX_MESSAGE, '\0');
  ssize_t Size = ::recv(Socket.get(), Buffer.data(), Buffer.size(), 0);
  if (Size == 0 || (Size < 0 && errno == ECONNRESET))
    return createStringError("the process has ended");
  if (Size < 0)
    return createStringError("the shim's socket: " + sys::StrError(errno));
  Answer Result;
  if (size_t(Size) < sizeof Result.Reply)
    return createStringError("the shim's answer is malformed");
  std::memcpy(&Result.Reply, Buffer.data(), sizeof Result.Reply);
  Result.Entries.assign(Buffer, sizeof Result.Reply,
                        Size - sizeof Result.Reply);
  if (Result.Reply.magic != LINESMAN_MAGIC)
    return createStringError("the shim's answer is malformed");
  if (Result.Reply.status != LINESMAN_OK &&
      Result.Reply.status != LINESMAN_MORE)
    return statusError(Result.Reply);
  if (Result.Reply.serial != Wanted)
    return createStringError("the shim's answer is to another question");
  return Result;
}

Expected<ShimClient::Answer> ShimClient::ask(linesman_request Request) {
  Request.magic = LINESMAN_MAGIC;
  Request.version = LINESMAN_PROTOCOL_VERSION;
  Request.serial = ++Serial;
  if (::send(Socket.get(), &Request, sizeof Request, MSG_NOSIGNAL) < 0) {
    // A shim that is busy says so and closes: its words explain more.
    if (errno == EPIPE || errno == ECONNRESET)
      return receive(0);
    return createStringError("the shim's socket: " + sys::StrError(errno));
  }
  return receive(Serial);
}

Error ShimClient::takeHello(const Answer &Hello) {
  Expected<std::vector<linesman_hello>> Entries =
      Hello.entries<linesman_hello>();
  if (!Entries)
    return Entries.takeError();
  if (Entries->size() != 1)
    return createStringError("the shim's answer is malformed");
  Process = {Entries->front().pid};
  Modules = Entries->front().modules;
  RefusedCall = Hello.Reply.call;
  RefusedError = Hello.Reply.error;
  return Error::success();
}

Expected<std::unique_ptr<ShimClient>> ShimClient::attach(ProcessId Process) {
  // The socket is in a folder of the process's user.
  struct stat Status;
  if (::stat(formatv("/proc/{0}", Process.Value).str().c_str(), &Status) != 0)
    return createStringError(formatv("there is no process {0}", Process.Value));
  // What somebody else has put there is not to be trusted.
  if (Error E = checkSocketFolder(Status.st_uid)) {
    consumeError(std::move(E));
    return nullptr;
  }
  sockaddr_un Name = {};
  Name.sun_family = AF_UNIX;
  std::snprintf(Name.sun_path, sizeof Name.sun_path, LINESMAN_SOCKET_FILE,
                unsigned(Status.st_uid), Process.Value);
  Descriptor Socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (Socket.get() < 0)
    return createStringError("socket: " + sys::StrError(errno));
  ::setsockopt(Socket.get(), SOL_SOCKET, SO_SNDTIMEO, &ConnectTime,
               sizeof ConnectTime);
  if (::connect(Socket.get(), reinterpret_cast<sockaddr *>(&Name),
                sizeof Name) != 0) {
    if (errno == ENOENT || errno == ECONNREFUSED || errno == EACCES)
      return nullptr;
    if (errno == EAGAIN)
      return noAnswer();
    return createStringError(formatv("process {0}: {1}: {2}", Process.Value,
                                     Name.sun_path, sys::StrError(errno)));
  }
  std::unique_ptr<ShimClient> Client(new ShimClient(std::move(Socket)));
  Expected<Answer> Hello = Client->ask(request(LINESMAN_HELLO));
  if (!Hello)
    return Hello.takeError();
  if (Error E = Client->takeHello(*Hello))
    return std::move(E);
  // In another PID namespace it does not know the number that we use.
  Client->Process = Process;
  return std::move(Client);
}

Expected<std::unique_ptr<ShimClient>> ShimClient::greet(Descriptor Socket) {
  std::unique_ptr<ShimClient> Client(new ShimClient(std::move(Socket)));
  Expected<Answer> Hello = Client->receive(0);
  if (!Hello)
    return Hello.takeError();
  if (Error E = Client->takeHello(*Hello))
    return std::move(E);
  return std::move(Client);
}

Expected<std::vector<Module>> ShimClient::modules() {
  Expected<std::vector<LoadedFile>> Files = readLoadedFiles(Process);
  if (!Files)
    return Files.takeError();
  Expected<Answer> Hello = ask(request(LINESMAN_HELLO));
  if (!Hello)
    return Hello.takeError();
  if (Error E = takeHello(*Hello))
    return std::move(E);
  std::vector<Module> Result;
  for (uint32_t I = 0; I != Modules; ++I) {
    linesman_request Request = request(LINESMAN_MODULE);
    Request.begin = I;
    Expected<Answer> Reply = ask(Request);
    if (!Reply)
      return Reply.takeError();
    linesman_module Record;
    if (Reply->Entries.size() < sizeof Record)
      return createStringError("the shim's answer is malformed");
    std::memcpy(&Record, Reply->Entries.data(), sizeof Record);
    if (Reply->Entries.size() - sizeof Record != Record.path_size ||
        Record.range_count > LINESMAN_MAX_RANGES)
      return createStringError("the shim's answer is malformed");
    Module Found;
    Found.Path = Reply->Entries.substr(sizeof Record);
    Found.Bias = Record.bias;
    findFile(*Files, Found);
    for (const linesman_range &R : ArrayRef(Record.ranges, Record.range_count))
      Found.Ranges.push_back({{R.begin}, {R.end}});
    Result.push_back(std::move(Found));
  }
  return Result;
}

Expected<std::vector<PagePlace>> ShimClient::askPages(linesman_request Request,
                                                      RunRange Range) {
  std::vector<PagePlace> Result;
  uint64_t Step = LINESMAN_MAX_PAGES * pageSize();
  for (uint64_t A = Range.Begin.Value; A < Range.End.Value; A += Step) {
    Request.begin = A;
    Request.end = std::min(A + Step, Range.End.Value);
    Expected<Answer> Reply = ask(Request);
    if (!Reply)
      return Reply.takeError();
    Expected<std::vector<linesman_page>> Pages =
        Reply->entries<linesman_page>();
    if (!Pages)
      return Pages.takeError();
    for (const linesman_page &P : *Pages) {
      PagePlace Page;
      Page.Address = {A + (&P - Pages->data()) * pageSize()};
      Page.State = P.state <= LINESMAN_PAGE_UNKNOWN ? PageState(P.state)
                                                    : PageState::Unknown;
      if (P.node >= 0)
        Page.Node = P.node;
      Page.Reason = P.error;
      Result.push_back(Page);
    }
  }
  return Result;
}

Expected<std::vector<PagePlace>> ShimClient::query(RunRange Range) {
  return askPages(request(LINESMAN_QUERY), Range);
}

Expected<std::vector<PagePlace>> ShimClient::place(RunRange Range, Placement To,
                                                   Preparation How) {
  linesman_request Request = request(LINESMAN_PLACE);
  Request.node = nodeNumber(To);
  Request.flags = How == Preparation::Prepare ? LINESMAN_FLAG_PREPARE : 0;
  return askPages(Request, Range);
}

Error ShimClient::prepare(RunRange Range) {
  return askPages(request(LINESMAN_PREPARE), Range).takeError();
}

Error ShimClient::checkThread() const {
  return RefusedCall ? callError(callName(RefusedCall), RefusedError)
                     : Error::success();
}

Error ShimClient::start() { return ask(request(LINESMAN_START)).takeError(); }

Expected<unsigned> ShimClient::watchWrites() {
  Expected<Answer> Reply = ask(request(LINESMAN_WATCH_WRITES));
  if (!Reply)
    return Reply.takeError();
  return Reply->Reply.count;
}

Expected<std::vector<RunRange>> ShimClient::scanWrites() {
  std::vector<RunRange> Result;
  while (true) {
    Expected<Answer> Reply = ask(request(LINESMAN_SCAN_WRITES));
    if (!Reply)
      return Reply.takeError();
    Expected<std::vector<linesman_range>> Regions =
        Reply->entries<linesman_range>();
    if (!Regions)
      return Regions.takeError();
    for (const linesman_range &R : *Regions)
      Result.push_back({{R.begin}, {R.end}});
    if (Reply->Reply.status == LINESMAN_OK)
      return Result;
  }
}

Error checkSocketFolder(unsigned User) {
  std::string Folder(sizeof(sockaddr_un::sun_path), '\0');
  Folder.resize(std::snprintf(Folder.data(), Folder.size(),
                              LINESMAN_SOCKET_FOLDER, User));
  struct stat Status;
  std::string Found;
  // The shim makes it.
  if (::lstat(Folder.c_str(), &Status) != 0)
    return errno == ENOENT
               ? Error::success()
               : createStringError(Folder + ": " + sys::StrError(errno));
  if (!S_ISDIR(Status.st_mode))
    Found = "no folder";
  else if (Status.st_uid != User)
    Found = userName(Status.st_uid) + "'s";
  else if (Status.st_mode & 077)
    Found = formatv("open to others, with mode {0}",
                    format("%o", Status.st_mode & 07777));
  else
    return Error::success();
  return createStringError(
      formatv("{0}: expected a folder of {1}'s alone, for the shim's socket, "
              "and it is {2}; remove it",
              Folder, userName(User), Found));
}

Error explainAbsence(ProcessId Process) {
  if (Error E = checkReadable(Process))
    return E;
  struct stat Status;
  if (hasShim(Process) &&
      ::stat(formatv("/proc/{0}", Process.Value).str().c_str(), &Status) == 0)
    if (Error E = checkSocketFolder(Status.st_uid))
      return E;
  if (isShimRefused(Process))
    return createStringError(formatv(
        "the shim in process {0} was refused close_range and unshare, and "
        "nobody can attach to it; in a container, allow them with "
        "--security-opt seccomp=unconfined",
        Process.Value));
  return createStringError(formatv(
      "process {0} has no shim, and only from inside can writes be seen: "
      "start the program with 'linesman run -- COMMAND'",
      Process.Value));
}

Expected<std::unique_ptr<Actuator>> attachTo(ProcessId Process) {
  Expected<std::unique_ptr<ShimClient>> Shim = ShimClient::attach(Process);
  if (!Shim)
    return Shim.takeError();
  if (*Shim)
    return std::move(*Shim);
  return attachFromOutside(Process);
}

} // namespace linesman::control
