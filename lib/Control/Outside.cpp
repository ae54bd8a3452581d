// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// move_pages(pid): no capability for processes of the same user, no policy, no
// preparation. Enough for pages that are written anyway, for static binaries,
// and where nothing can be preloaded.

#include "linesman/Control/Actuator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;

namespace linesman::control {

namespace {

/// EBUSY and EAGAIN pass.
constexpr int MoveAttempts = 3;

PagePlace describePage(RunAddress Address, int Answer, uint64_t Bits) {
  // Documentation/admin-guide/mm/pagemap.rst
  constexpr uint64_t Swapped = uint64_t(1) << 62, File = uint64_t(1) << 61,
                     Exclusive = uint64_t(1) << 56;
  PagePlace Page;
  Page.Address = Address;
  if (Answer >= 0) {
    Page.Node = Answer;
    Page.State = Bits & File        ? PageState::File
                 : Bits & Exclusive ? PageState::Private
                                    : PageState::Shared;
  } else if (Bits & Swapped) {
    Page.State = PageState::Swapped;
  } else if (Answer == -ENOENT) {
    Page.State = PageState::Untouched;
  } else if (Answer == -EFAULT) {
    Page.State = PageState::Zero;
  }
  return Page;
}

class OutsideActuator : public Actuator {
public:
  OutsideActuator(ProcessId Process, Descriptor Pagemap)
      : Process(Process), Pagemap(std::move(Pagemap)) {}

  ProcessId process() const override { return Process; }
  bool isInside() const override { return false; }
  Expected<std::vector<Module>> modules() override {
    return readModules(Process);
  }

  Expected<std::vector<PagePlace>> query(RunRange Range) override {
    std::vector<void *> Addresses;
    for (uint64_t A = Range.Begin.Value; A < Range.End.Value; A += pageSize())
      Addresses.push_back(reinterpret_cast<void *>(A));
    std::vector<int> Answers(Addresses.size());
    if (::syscall(SYS_move_pages, Process.Value, Addresses.size(),
                  Addresses.data(), nullptr, Answers.data(), 0) != 0)
      return moveError();
    std::vector<uint64_t> Bits(Addresses.size());
    size_t Size = Bits.size() * sizeof(uint64_t);
    if (::pread(Pagemap.get(), Bits.data(), Size,
                Range.Begin.Value / pageSize() * sizeof(uint64_t)) !=
        ssize_t(Size))
      return createStringError(
          formatv("there is no process {0} any more", Process.Value));
    std::vector<PagePlace> Pages;
    for (auto [Address, Answer, Bit] : zip_equal(Addresses, Answers, Bits))
      Pages.push_back(
          describePage({reinterpret_cast<uint64_t>(Address)}, Answer, Bit));
    return Pages;
  }

  Expected<std::vector<PagePlace>> place(RunRange Range, Placement To,
                                         Preparation How) override {
    if (How == Preparation::Prepare)
      return prepare(Range);
    if (To.To != Placement::Kind::Node)
      return createStringError("from outside pages can only be moved to a "
                               "node; a policy needs the shim");
    Expected<std::vector<PagePlace>> Pages = query(Range);
    for (int Attempt = 0; Pages && Attempt != MoveAttempts; ++Attempt) {
      if (Error E = moveOnce(*Pages, To.Node))
        return std::move(E);
      std::vector<PagePlace> Before = std::move(*Pages);
      Pages = query(Range);
      if (!Pages)
        break;
      bool Done = true;
      for (auto [Now, Then] : zip_equal(*Pages, Before)) {
        if (!Now.Node || *Now.Node == To.Node)
          continue;
        Now.Reason = Then.Reason ? Then.Reason : EAGAIN;
        Done &= Now.State != PageState::Private;
      }
      if (Done)
        break;
    }
    return Pages;
  }

  Error prepare(RunRange) override {
    return createStringError("from outside pages can not be prepared: start "
                             "the program with 'linesman run'");
  }

private:
  ProcessId Process;
  Descriptor Pagemap;

  Error moveError() const {
    if (errno == ESRCH)
      return createStringError(
          formatv("there is no process {0} any more", Process.Value));
    return callError("move_pages", errno);
  }

  /// Asks for each private page that is elsewhere; notes the reasons.
  Error moveOnce(MutableArrayRef<PagePlace> Pages, int Node) {
    std::vector<PagePlace *> Misplaced;
    for (PagePlace &Page : Pages)
      if (Page.State == PageState::Private && Page.Node != Node)
        Misplaced.push_back(&Page);
    if (Misplaced.empty())
      return Error::success();
    std::vector<void *> Addresses;
    for (PagePlace *Page : Misplaced)
      Addresses.push_back(reinterpret_cast<void *>(Page->Address.Value));
    std::vector<int> Nodes(Misplaced.size(), Node), Answers(Misplaced.size());
    long Left =
        ::syscall(SYS_move_pages, Process.Value, Addresses.size(),
                  Addresses.data(), Nodes.data(), Answers.data(), MPOL_MF_MOVE);
    if (Left < 0 && errno == ENODEV)
      return createStringError(formatv("there is no node {0}", Node));
    if (Left < 0 && errno != ENOMEM)
      return moveError();
    for (auto [Page, Answer] : zip_equal(Misplaced, Answers))
      Page->Reason = Left < 0 ? ENOMEM : Answer < 0 ? -Answer : 0;
    return Error::success();
  }
};

} // namespace

Expected<std::unique_ptr<Actuator>> attachFromOutside(ProcessId Process) {
  std::string Path = formatv("/proc/{0}/pagemap", Process.Value);
  Descriptor Pagemap(::open(Path.c_str(), O_RDONLY | O_CLOEXEC));
  if (Pagemap.get() < 0) {
    int Reason = errno;
    if (Error E = checkReadable(Process))
      return std::move(E);
    return createStringError(Path + ": " + sys::StrError(Reason));
  }
  return std::make_unique<OutsideActuator>(Process, std::move(Pagemap));
}

} // namespace linesman::control
