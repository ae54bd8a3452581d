// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests to the shim of a program that stands before main. Long ranges are
// asked for in pieces of LINESMAN_MAX_PAGES.

#include "linesman/Control/ShimClient.h"
#include "linesman/Process/Descriptor.h"
#include "linesman/Process/Modules.h"
#include "linesman/Process/State.h"
#include "linesman/Runtime/Protocol.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::control {

namespace {

/// The shim answers in microseconds, a full placement in milliseconds; a
/// process that is stopped answers never.
constexpr int AnswerMilliseconds = 20000;

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
  case LINESMAN_CALL_OPEN_PAGEMAP:
    return "open /proc/self/pagemap";
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
  case LINESMAN_CALL_KILLS:
    return deadlyCallError(callName(Reply.call));
  default:
    return createStringError(
        formatv("the shim refused the request (status {0})", Reply.status));
  }
}

/// Which file a module is, of which the loader knows the name that it opened;
/// of the program itself none.
void findFile(ArrayRef<Module> Loaded, StaticModule &Static) {
  auto Found =
      find_if(Loaded, [&](const Module &M) { return M.Bias == Static.Bias; });
  if (Found == Loaded.end())
    return;
  if (Static.Path.empty())
    Static.Path = Found->Path;
  Static.Bytes = Found->Bytes;
}

int nodeNumber(Placement Target) {
  switch (Target.Target) {
  case Placement::Kind::Node:
    return Target.Node;
  case Placement::Kind::Interleave:
    return LINESMAN_NODE_INTERLEAVE;
  case Placement::Kind::Default:
    return LINESMAN_NODE_DEFAULT;
  case Placement::Kind::Held:
    return LINESMAN_NODE_HELD;
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
  Descriptor File;
  /// Who sent it, as the kernel knows: of the shared socket only.
  pid_t Sender = 0;

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
  iovec Bytes = {Buffer.data(), Buffer.size()};
  alignas(
      cmsghdr) char Space[CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(ucred))];
  msghdr Header = {};
  Header.msg_iov = &Bytes;
  Header.msg_iovlen = 1;
  Header.msg_control = Space;
  Header.msg_controllen = sizeof Space;
  ssize_t Size = ::recvmsg(Socket.get(), &Header, MSG_CMSG_CLOEXEC);
  if (Size == 0 || (Size < 0 && errno == ECONNRESET))
    return createStringError("the process has ended");
  if (Size < 0)
    return createStringError("the shim's socket: " + sys::StrError(errno));
  Answer Result;
  for (cmsghdr *Control = CMSG_FIRSTHDR(&Header); Control;
       Control = CMSG_NXTHDR(&Header, Control)) {
    if (Control->cmsg_level != SOL_SOCKET)
      continue;
    if (Control->cmsg_type == SCM_CREDENTIALS) {
      ucred Peer;
      std::memcpy(&Peer, CMSG_DATA(Control), sizeof Peer);
      Result.Sender = Peer.pid;
    }
    if (Control->cmsg_type != SCM_RIGHTS)
      continue;
    // All of them are ours now; the last one stays.
    for (size_t Index = CMSG_LEN(0); Index + sizeof(int) <= Control->cmsg_len;
         Index += sizeof(int)) {
      int Number;
      std::memcpy(&Number, reinterpret_cast<char *>(Control) + Index,
                  sizeof Number);
      Result.File = Descriptor(Number);
    }
  }
  if (size_t(Size) < sizeof Result.Reply)
    return createStringError("the shim's answer is malformed");
  std::memcpy(&Result.Reply, Buffer.data(), sizeof Result.Reply);
  Result.Entries.assign(Buffer, sizeof Result.Reply,
                        Size - sizeof Result.Reply);
  if (Result.Reply.magic != LINESMAN_MAGIC)
    return createStringError("the shim's answer is malformed");
  if (Result.Reply.status != LINESMAN_OK)
    return statusError(Result.Reply);
  if (Result.Reply.serial != Wanted)
    return createStringError("the shim's answer is to another question");
  return std::move(Result);
}

Expected<ShimClient::Answer> ShimClient::ask(linesman_request Request) {
  Request.magic = LINESMAN_MAGIC;
  Request.version = LINESMAN_PROTOCOL_VERSION;
  Request.serial = ++Serial;
  if (::send(Socket.get(), &Request, sizeof Request, MSG_NOSIGNAL) < 0)
    return createStringError(errno == EPIPE || errno == ECONNRESET
                                 ? "the process has ended"
                                 : "the shim's socket: " +
                                       sys::StrError(errno));
  return receive(Serial);
}

bool ShimClient::hasHello(const Descriptor &Shared) {
  char Bytes[sizeof(linesman_reply) + sizeof(linesman_hello) + 1];
  ssize_t Size = ::recv(Shared.get(), Bytes, sizeof Bytes, MSG_PEEK);
  linesman_reply Reply;
  if (Size == sizeof Bytes - 1) {
    std::memcpy(&Reply, Bytes, sizeof Reply);
    if (Reply.magic == LINESMAN_MAGIC && Reply.kind == LINESMAN_HELLO &&
        Reply.serial == 0 && Reply.count == 1)
      return true;
  }
  // The kernel closes descriptors that nobody takes.
  (void)!::recv(Shared.get(), Bytes, sizeof Bytes, 0);
  return false;
}

Expected<std::unique_ptr<ShimClient>>
ShimClient::greet(const Descriptor &Shared) {
  Descriptor Copy(::fcntl(Shared.get(), F_DUPFD_CLOEXEC, 0));
  if (Copy.get() < 0)
    return createStringError("fcntl: " + sys::StrError(errno));
  std::unique_ptr<ShimClient> Client(new ShimClient(std::move(Copy)));
  Expected<Answer> Hello = Client->receive(0);
  if (!Hello)
    return Hello.takeError();
  Expected<std::vector<linesman_hello>> Entries =
      Hello->entries<linesman_hello>();
  if (!Entries)
    return Entries.takeError();
  if (Entries->size() != 1)
    return createStringError("the shim's answer is malformed");
  // Not the number in the message, which anybody could have written and which
  // is of the sender's PID namespace: the kernel's. We may kill it.
  if (Hello->Sender <= 0)
    return createStringError("the program that greets is in another PID "
                             "namespace");
  Client->Process = {Hello->Sender};
  Client->Modules = Entries->front().modules;
  if (Hello->File.get() >= 0)
    Client->Socket = std::move(Hello->File);
  return std::move(Client);
}

Expected<std::vector<StaticModule>> ShimClient::modules() {
  Expected<ModuleMap> Loaded = ModuleMap::read(Process, Known);
  if (!Loaded)
    return Loaded.takeError();
  Known = std::move(*Loaded);
  std::vector<StaticModule> Result;
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
    StaticModule Found;
    Found.Path = Reply->Entries.substr(sizeof Record);
    Found.Bias = {Record.bias};
    findFile(Known.modules(), Found);
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

Expected<std::vector<PagePlace>>
ShimClient::place(RunRange Range, Placement Target, Preparation Preparing) {
  linesman_request Request = request(LINESMAN_PLACE);
  Request.node = nodeNumber(Target);
  Request.flags = Preparing == Preparation::Prepare ? LINESMAN_FLAG_PREPARE : 0;
  return askPages(Request, Range);
}

Error ShimClient::prepare(RunRange Range) {
  return askPages(request(LINESMAN_PREPARE), Range).takeError();
}

Expected<Descriptor> ShimClient::takeWatcher() {
  Expected<Answer> Reply = ask(request(LINESMAN_WATCHER));
  if (!Reply)
    return Reply.takeError();
  if (Reply->File.get() < 0)
    return createStringError("the shim's answer is malformed");
  return std::move(Reply->File);
}

Error ShimClient::start() {
  // Also when the answer is lost: then it may run already.
  IsStarted = true;
  return ask(request(LINESMAN_START)).takeError();
}

ShimClient::~ShimClient() {
  // Before the socket is closed, which lets it go on. It cannot have ended, and
  // its number be another's, while it waits for us.
  if (!IsStarted && Process.Value > 0)
    ::kill(Process.Value, SIGKILL);
}

} // namespace linesman::control
