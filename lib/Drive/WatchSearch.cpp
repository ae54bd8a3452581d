// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tries until it is there.

#include "linesman/Drive/WatchSearch.h"
#include "Clock.h"
#include "ObjectByUse.h"
#include "linesman/Layout/Address.h"
#include "linesman/Process/Modules.h"
#include "linesman/Process/State.h"
#include "linesman/Watch/WatchError.h"
#include "linesman/Watch/Watchable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <map>
#include <thread>

using namespace llvm;
using namespace linesman::process;
using namespace linesman::watch;

namespace linesman::drive {

namespace {

std::vector<std::string> filesOf(const ModuleMap &Modules) {
  std::vector<std::string> Files;
  for (const Module &M : Modules.modules())
    Files.push_back(M.File);
  return Files;
}

class Search {
public:
  Search(const WatchRequest &Request, ProcessId Process, Child *Program,
         function_ref<bool()> Interrupted)
      : Request(Request), Process(Process), Program(Program),
        Interrupted(Interrupted),
        End(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(Request.Wait))) {}

  Expected<Assignment> run() {
    Assignment Result;
    if (!Request.Report.empty()) {
      Expected<FindingsReport> Report = FindingsReport::read(Request.Report);
      if (!Report)
        return Report.takeError();
      if (Request.LineSize && *Request.LineSize != Report->lineSize())
        return createStringError("the report is of lines of " +
                                 Twine(Report->lineSize()) + " bytes, not of " +
                                 Twine(*Request.LineSize));
      Result.Report = std::move(*Report);
    }
    while (true) {
      Error Failed = find(Result);
      if (!Failed)
        return std::move(Result);
      Error Failure = Error::success();
      Refusal Reason = reasonOf(std::move(Failed), Failure);
      if (!Program)
        return std::move(Failure);
      if (!isTooEarly(Reason) || isOver())
        return std::move(Failure);
      consumeError(std::move(Failure));
      Program->release();
      // All symbol tables are read again only when there are other ones.
      do
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      while (Reason == Refusal::NotLoaded && !isOver() && !hasOtherModules());
    }
  }

private:
  const WatchRequest &Request;
  ProcessId Process;
  Child *Program;
  function_ref<bool()> Interrupted;
  Clock::time_point End;
  /// Where the last try looked.
  ModuleMap Searched;
  /// By finding: who uses the member that it is about.
  std::map<size_t, std::vector<input::MemberAccess>> UsesOf;

  Error find(Assignment &Work) {
    Expected<ModuleMap> Modules = ModuleMap::read(Process, Searched);
    if (!Modules)
      return Modules.takeError();
    Searched = *Modules;
    Work.Modules = *Modules;
    return Work.Report ? findFindings(Work, *Modules)
                       : findLines(Work, *Modules);
  }

  /// A finding of a type, in the object that the command line gives.
  Error findInObject(Assignment &Work, const ModuleMap &Modules) const {
    Expected<std::string> Field = Work.Report->fieldOfType(Request.Finding);
    if (!Field)
      return Field.takeError();
    ObjectChoice Choice = Request.Object;
    Choice.Type = *Field;
    Expected<ProcessObject> Object = findObject(Choice, Process, Modules);
    if (!Object)
      return Object.takeError();
    Expected<std::vector<Line>> Lines =
        linesOf(Object->Address, Object->Size, Work.Report->lineSize());
    if (!Lines)
      return Lines.takeError();
    if (Error E = checkAddress(Process, Lines->front().Address,
                               Lines->size() * Work.Report->lineSize()))
      return E;
    Work.Targets.push_back({Request.Finding,
                            {Lines->front()},
                            cantFail(Work.Report->indexOf(Request.Finding))});
    return Error::success();
  }

  Error findFindings(Assignment &Work, const ModuleMap &Modules) {
    if (!Request.Object.Expression.empty() || !Request.Object.Address.empty())
      return findInObject(Work, Modules);
    Expected<const Module *> Loaded = Work.Report->moduleIn(Modules);
    if (!Loaded)
      return Loaded.takeError();
    if (Error E = chooseFindings(Work, **Loaded))
      return E;
    Expected<SymbolTable> Symbols = SymbolTable::read(**Loaded);
    if (!Symbols) {
      // With a damaged file nothing can be compared.
      consumeError(Symbols.takeError());
      return Error::success();
    }
    for (const WatchTarget &T : Work.Targets)
      if (Error E = Work.Report->checkBuild(*T.Finding, **Loaded, *Symbols))
        return E;
    return Error::success();
  }

  /// A finding of a type, in an object that the process uses.
  Error findByUse(Assignment &Work, const Module &Loaded, size_t Index) {
    const report::Finding &Found = Work.Report->findings()[Index];
    auto [Uses, IsNew] = UsesOf.try_emplace(Index);
    if (IsNew) {
      auto Known = findUses(Found, Loaded);
      if (!Known) {
        UsesOf.erase(Uses);
        return Known.takeError();
      }
      Uses->second = std::move(*Known);
    }
    // A program of ours is let go first, and looked at again.
    constexpr double OneTry = 0.3;
    Expected<FoundMember> Member =
        findUsedMember(Uses->second, Process, Loaded,
                       Program ? OneTry : Request.Wait, Interrupted);
    if (!Member)
      return Member.takeError();
    Expected<std::vector<Line>> Lines =
        linesOf(Member->Address, 1, Work.Report->lineSize());
    if (!Lines)
      return Lines.takeError();
    if (Error E = checkAddress(Process, Lines->front().Address,
                               Work.Report->lineSize()))
      return E;
    Work.Targets.push_back(
        {Found.Id, std::move(*Lines), Index, true, Member->ThreadsApart});
    Work.Notes.push_back(
        formatv("{0}: watched in the object that {1} used, the member at {2:x}",
                Found.Id,
                Member->Threads == 1 ? "a thread"
                                     : utostr(Member->Threads) + " threads",
                Member->Address.Value));
    return Error::success();
  }

  Error chooseFindings(Assignment &Work, const Module &Loaded) {
    if (!Request.Finding.empty()) {
      Expected<size_t> Index = Work.Report->indexOf(Request.Finding);
      if (!Index)
        return Index.takeError();
      if (Work.Report->findings()[*Index].field())
        return findByUse(Work, Loaded, *Index);
      Expected<WatchTarget> Target = Work.Report->find(Request.Finding, Loaded);
      if (!Target)
        return Target.takeError();
      Work.Targets.push_back(std::move(*Target));
      return Error::success();
    }
    size_t Skipped = 0;
    Work.Targets = Work.Report->top(Request.Top, Loaded, Skipped);
    if (Work.Targets.empty())
      if (auto Field = find_if(
              Work.Report->findings(),
              [](const report::Finding &F) { return F.field() != nullptr; });
          Field != Work.Report->findings().end())
        return findByUse(Work, Loaded, Field - Work.Report->findings().begin());
    if (Work.Targets.empty())
      return createStringError(
          Skipped
              ? "no finding of " + Request.Report +
                    " has an address in this process"
              : Request.Report + " has no findings; linesman layout --guesses "
                                 "lists more where only machine code tells");
    if (Skipped)
      Work.Notes.push_back(utostr(Skipped) +
                           " findings have no address in this process and "
                           "were not watched");
    return Error::success();
  }

  Error findLines(Assignment &Work, const ModuleMap &Modules) const {
    Expected<ProcessObject> Object =
        findObject(Request.Object, Process, Modules);
    if (!Object)
      return Object.takeError();
    Expected<std::vector<Line>> Lines =
        linesOf(Object->Address, Object->Size,
                Request.LineSize.value_or(watch::OneLine));
    if (!Lines)
      return Lines.takeError();
    for (const Line &L : *Lines)
      if (Error E = checkAddress(Process, L.Address, L.Size))
        return E;
    for (size_t I = 0; I != Lines->size(); ++I) {
      std::string Subject = Object->Name;
      if (Lines->size() > 1)
        Subject +=
            " (line " + utostr(I + 1) + " of " + utostr(Lines->size()) + ")";
      Work.Targets.push_back({Subject, {(*Lines)[I]}, std::nullopt});
    }
    return Error::success();
  }

  bool hasOtherModules() const {
    Expected<ModuleMap> Modules = ModuleMap::read(Process, Searched);
    if (Modules)
      return filesOf(*Modules) != filesOf(Searched);
    consumeError(Modules.takeError());
    return true; // the next try says what is wrong
  }

  bool isOver() const {
    return Interrupted() || stateOf(Process) == ProcessState::Gone ||
           Clock::now() >= End;
  }

  bool isTooEarly(Refusal Reason) const {
    switch (Reason) {
    case Refusal::Gone:
      // Where the system does not let us hold it, it may not be mapped yet.
      return true;
    case Refusal::BadAddress:
      // A null pointer, a library that is about to be mapped, or code that
      // nobody has come to yet.
      return !Request.Object.Expression.empty() || Request.AwaitsLibraries ||
             !UsesOf.empty();
    case Refusal::NotLoaded:
      return Request.AwaitsLibraries;
    default:
      return false;
    }
  }
};

} // namespace

Expected<Assignment> findAssignment(const WatchRequest &Request,
                                    ProcessId Process, Child *Program,
                                    function_ref<bool()> Interrupted) {
  return Search(Request, Process, Program, Interrupted).run();
}

} // namespace linesman::drive
