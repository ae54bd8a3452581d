// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// move_pages(pid): no capability for processes of the same user, no code in the
// process, no policy, no preparation. Enough for pages that are written anyway,
// for static binaries, and where nothing can be preloaded.

#include "linesman/Control/Actuator.h"
#include "linesman/Process/Handles.h"
#include "linesman/Process/State.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

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
  OutsideActuator(ProcessId Process, Descriptor Pagemap, SharedPages Shared,
                  ModuleMap Known)
      : Process(Process), Pagemap(std::move(Pagemap)), Shared(Shared),
        Known(std::move(Known)) {}

  ProcessId process() const override { return Process; }
  bool isInside() const override { return false; }
  Expected<std::vector<StaticModule>> modules() override {
    Expected<ModuleMap> Loaded = ModuleMap::read(Process, Known);
    if (!Loaded)
      return Loaded.takeError();
    Known = std::move(*Loaded);
    return staticModules(Known);
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

  Expected<std::vector<PagePlace>> place(RunRange Range, Placement Wanted,
                                         Preparation Preparing) override {
    if (Preparing == Preparation::Prepare)
      return prepare(Range);
    if (Wanted.Target == Placement::Kind::Default ||
        Wanted.Target == Placement::Kind::Held)
      return createStringError(
          "a running program's policy stays as it is: it "
          "can only be set before main, by 'linesman run'");
    Expected<std::vector<int>> Targets = chooseTargets(Range, Wanted);
    if (!Targets)
      return Targets.takeError();
    Expected<std::vector<PagePlace>> Pages = query(Range);
    for (int Attempt = 0; Pages && Attempt != MoveAttempts; ++Attempt) {
      if (Error E = moveOnce(*Pages, *Targets))
        return std::move(E);
      std::vector<PagePlace> Before = std::move(*Pages);
      Pages = query(Range);
      if (!Pages)
        break;
      bool Done = true;
      for (auto [Now, Then, Target] : zip_equal(*Pages, Before, *Targets)) {
        if (!Now.Node || *Now.Node == Target)
          continue;
        Now.Reason = Then.Reason ? Then.Reason : EAGAIN;
        Done &= !isOurs(Now);
      }
      if (Done)
        break;
    }
    return Pages;
  }

  Error prepare(RunRange) override {
    return createStringError("a running program's pages can not be prepared: "
                             "start it with 'linesman run --prepare'");
  }

private:
  ProcessId Process;
  Descriptor Pagemap;
  SharedPages Shared;
  /// What is loaded, when it was asked for last.
  ModuleMap Known;

  Error moveError() const {
    if (errno == ESRCH)
      return createStringError(
          formatv("there is no process {0} any more", Process.Value));
    return callError("move_pages", errno);
  }

  /// A page that the kernel lets us move.
  bool isOurs(const PagePlace &Page) const {
    return Page.State == PageState::Private ||
           (Page.State == PageState::Shared && Shared == SharedPages::Move);
  }

  /// The node of each page. Interleaved pages are numbered by address, so that
  /// neighbouring ranges go on with the pattern.
  Expected<std::vector<int>> chooseTargets(RunRange Range,
                                           Placement Target) const {
    size_t Count = Range.size() / pageSize();
    if (Target.Target == Placement::Kind::Node)
      return std::vector<int>(Count, Target.Node);
    Expected<std::vector<int>> Nodes = readNodes();
    if (!Nodes)
      return Nodes.takeError();
    std::vector<int> Targets;
    for (size_t I = 0; I != Count; ++I)
      Targets.push_back(
          (*Nodes)[(Range.Begin.Value / pageSize() + I) % Nodes->size()]);
    return std::move(Targets);
  }

  /// Asks for each page of ours that is elsewhere; notes the reasons.
  Error moveOnce(MutableArrayRef<PagePlace> Pages, ArrayRef<int> Targets) {
    std::vector<PagePlace *> Misplaced;
    std::vector<int> Nodes;
    std::vector<void *> Addresses;
    for (auto [Page, Target] : zip_equal(Pages, Targets)) {
      if (!isOurs(Page) || Page.Node == Target)
        continue;
      Misplaced.push_back(&Page);
      Nodes.push_back(Target);
      Addresses.push_back(reinterpret_cast<void *>(Page.Address.Value));
    }
    if (Misplaced.empty())
      return Error::success();
    std::vector<int> Answers(Misplaced.size());
    auto Move = [&](int Flag) {
      return ::syscall(SYS_move_pages, Process.Value, Addresses.size(),
                       Addresses.data(), Nodes.data(), Answers.data(), Flag);
    };
    long Left =
        Move(Shared == SharedPages::Move ? MPOL_MF_MOVE_ALL : MPOL_MF_MOVE);
    if (Left < 0 && errno == EPERM && Shared == SharedPages::Move) {
      // No CAP_SYS_NICE: what is shared stays, and says so.
      Shared = SharedPages::Stay;
      Left = Move(MPOL_MF_MOVE);
    }
    if (Left < 0 && errno == ENODEV)
      return createStringError(formatv("there is no node {0}", Nodes.front()));
    if (Left < 0 && errno != ENOMEM)
      return moveError();
    for (auto [Page, Answer] : zip_equal(Misplaced, Answers))
      Page->Reason = Left < 0 ? ENOMEM : Answer < 0 ? -Answer : 0;
    return Error::success();
  }
};

} // namespace

Expected<std::unique_ptr<Actuator>>
attachFromOutside(ProcessId Process, SharedPages Shared, ModuleMap Known) {
  Expected<Descriptor> Pagemap = openPagemap(Process);
  if (!Pagemap)
    return Pagemap.takeError();
  return std::make_unique<OutsideActuator>(Process, std::move(*Pagemap), Shared,
                                           std::move(Known));
}

} // namespace linesman::control
