// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every process is asked anew before and after each window: a server forks when
// it likes.

#include "linesman/Drive/FamilyPlacer.h"
#include "linesman/Process/State.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <csignal>

using namespace llvm;
using namespace linesman::control;
using namespace linesman::process;

namespace linesman::drive {

/// A member that has ended is no failure, and is forgotten by the next refresh.
Expected<bool> FamilyPlacer::isGone(ProcessId Process, Error Problem) {
  if (::kill(Process.Value, 0) != 0 && errno == ESRCH) {
    consumeError(std::move(Problem));
    return true;
  }
  // A process that has ended and that nobody has waited for yet.
  if (!is_contained(Started.members(), Process)) {
    consumeError(std::move(Problem));
    return true;
  }
  return std::move(Problem);
}

Error FamilyPlacer::refresh() {
  std::vector<ProcessId> Now = Started.members();
  if (Now.empty())
    return createStringError(
        "the program ended before the search did: let it run longer");
  for (auto I = Members.begin(); I != Members.end();)
    I = is_contained(Now, I->first) ? std::next(I) : Members.erase(I);
  for (ProcessId Process : Now) {
    if (Members.contains(Process))
      continue;
    Expected<std::unique_ptr<Actuator>> Mover =
        attachFromOutside(Process, SharedPages::Move);
    if (!Mover) {
      Expected<bool> Gone = isGone(Process, Mover.takeError());
      if (!Gone)
        return Gone.takeError();
      continue;
    }
    std::map<RunAddress, int> Nodes;
    for (RunRange Range : Ranges) {
      Expected<std::vector<PagePlace>> Places = (*Mover)->query(Range);
      if (!Places) {
        consumeError(Places.takeError());
        break;
      }
      for (const PagePlace &Page : *Places)
        if (Page.Node)
          Nodes[Page.Address] = *Page.Node;
    }
    // A child that comes later has the pages where we have put them.
    const bool IsLate = !FirstHome.empty() && Most != 0;
    Home.insert({Process, IsLate ? FirstHome : Nodes});
    if (FirstHome.empty())
      FirstHome = Nodes;
    Members[Process] = {std::move(*Mover), std::nullopt,
                        countEndedChildren(Process)};
  }
  return Error::success();
}

size_t FamilyPlacer::candidateAt(RunAddress Address) const {
  return find_if(Ranges,
                 [&](RunRange R) {
                   return R.Begin <= Address && Address < R.End;
                 }) -
         Ranges.begin();
}

Error FamilyPlacer::begin() {
  IsStaying.assign(Ranges.size(), false);
  if (Error E = refresh())
    return E;
  // There and back again: what does not follow is left out.
  for (bool Remote : {true, false})
    for (auto &[Process, M] : Members) {
      Expected<std::vector<PagePlace>> Elsewhere =
          placeCandidates(*M.Mover, Config, Ranges,
                          std::vector<bool>(Ranges.size(), Remote), M.Last);
      if (!Elsewhere) {
        Expected<bool> Gone = isGone(Process, Elsewhere.takeError());
        if (!Gone)
          return Gone.takeError();
        continue;
      }
      for (const PagePlace &Page : *Elsewhere) {
        size_t I = candidateAt(Page.Address);
        if (IsStaying[I])
          continue;
        IsStaying[I] = true;
        Stayed[describeReason(Page)].push_back(I);
      }
    }
  Most = Members.size();
  return Error::success();
}

Expected<Placed> FamilyPlacer::place(const std::vector<bool> &Remote) {
  if (Error E = refresh())
    return std::move(E);
  Most = std::max(Most, Members.size());
  Placed Result = Placed::Done;
  for (auto &[Process, M] : Members) {
    M.EndedChildren = countEndedChildren(Process);
    Expected<std::vector<PagePlace>> Elsewhere =
        placeCandidates(*M.Mover, Config, Ranges, Remote, M.Last);
    if (!Elsewhere) {
      Expected<bool> Gone = isGone(Process, Elsewhere.takeError());
      if (!Gone)
        return Gone.takeError();
      continue;
    }
    for (const PagePlace &Page : *Elsewhere)
      // The page cache's page: not written here, and so not slow either.
      if (!IsStaying[candidateAt(Page.Address)] &&
          Page.State != PageState::File) {
        Reason = formatv("a page of process {0} did not move: {1}",
                         Process.Value, describeReason(Page));
        M.Last.reset();
        Result = Placed::Elsewhere;
      }
  }
  return Result;
}

Expected<Placed> FamilyPlacer::check(const std::vector<bool> &Remote) {
  if (Error E = refresh())
    return std::move(E);
  Placed Result = Placed::Done;
  for (auto &[Process, M] : Members) {
    Fleeting |= countEndedChildren(Process) != M.EndedChildren;
    for (auto [I, Range] : enumerate(Ranges)) {
      if (IsStaying[I])
        continue;
      Expected<std::vector<PagePlace>> Places = M.Mover->query(Range);
      if (!Places) {
        Expected<bool> Gone = isGone(Process, Places.takeError());
        if (!Gone)
          return Gone.takeError();
        break;
      }
      int Node = Remote[I] ? Config.RemoteNode : Config.LocalNode;
      for (const PagePlace &Page : *Places)
        if (Page.Node && *Page.Node != Node && Page.State != PageState::File) {
          Reason = formatv("a page of process {0} came to another node during "
                           "the window",
                           Process.Value);
          M.Last.reset();
          Result = Placed::Elsewhere;
        }
    }
  }
  return Result;
}

Expected<FamilyPlacer::Restoration> FamilyPlacer::restore() {
  Restoration Result;
  if (Home.empty())
    return Result;
  // New children, too.
  consumeError(refresh());
  for (auto &[Process, M] : Members) {
    const std::map<RunAddress, int> &Nodes = Home[Process];
    for (auto I = Nodes.begin(); I != Nodes.end();) {
      auto End = std::next(I);
      uint64_t Size = pageSize();
      for (; End != Nodes.end() && End->second == I->second &&
             End->first.Value == I->first.Value + Size;
           ++End)
        Size += pageSize();
      RunRange Range = {I->first, {I->first.Value + Size}};
      Expected<std::vector<PagePlace>> Places =
          M.Mover->place(Range, {Placement::Kind::Node, I->second},
                         control::Preparation::AsTheyAre);
      if (!Places) {
        Expected<bool> Gone = isGone(Process, Places.takeError());
        if (!Gone)
          return Gone.takeError();
        break;
      }
      for (const PagePlace &Page : *Places) {
        ++Result.Pages;
        Result.Back += !Page.Node || *Page.Node == I->second;
      }
      I = End;
    }
  }
  Home.clear();
  return Result;
}

} // namespace linesman::drive
