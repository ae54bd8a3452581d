// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sites of an occupant.

#include "Sites.h"
#include "MemberUses.h"
#include "linesman/Guard/Text.h"
#include "linesman/Layout/Identity.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>
#include <tuple>

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

std::string sourceText(StringRef File, uint32_t Line) {
  return File.empty() ? "" : guard::printable((File + ":" + Twine(Line)).str());
}

std::string definitionText(const LayoutReport &Report,
                           const AccessedObject &Object) {
  if (Object.DeclFile || !Report.ObjectTypes)
    return sourceText(Report.Accesses.fileOf(Object), Object.DeclLine);
  const auto &Known = Report.ObjectTypes->Objects;
  auto It = Known.find(Report.Image.symbols()[Object.Symbol].Address.Value);
  return It == Known.end()
             ? ""
             : sourceText(It->second.Source.File, It->second.Source.Line);
}

/// A unit's hash changes with the unit, and says nothing to a reader.
static std::string shownName(StringRef LinkerName) {
  return guard::demangle(dropUnitHash(LinkerName));
}

std::string displayName(const Image &Image, OccupantIndex Occupant) {
  return shownName(Image.label(Occupant));
}

std::string nameAt(const LayoutReport &Report, LinkAddress Address) {
  std::optional<OccupantIndex> Occupant = Report.Image.occupantAt(Address);
  return Occupant ? displayName(Report.Image, *Occupant)
                  : "0x" + utohexstr(Address.Value, true);
}

/// Where a call handed the address on: "main.cpp:3", or an instruction.
static std::string callText(const LayoutReport &Report, const Passage &Way) {
  std::string Call = sourceText(Way.CallFile, Way.CallLine);
  if (Way.Callee == NoNode || !Call.empty() || !Way.CallInstruction.Value)
    return Call;
  if (Report.FindFrames)
    if (auto Frames = Report.FindFrames(Way.CallInstruction); !Frames.empty())
      Call = sourceText(Frames.front().File, Frames.front().Line);
  return Call.empty() ? "0x" + utohexstr(Way.CallInstruction.Value, true)
                      : Call;
}

/// "set(Item*), called at main.cpp:3", "Item+8", "cur".
static std::string passageText(const LayoutReport &Report, const Passage &Way,
                               StringRef Call) {
  std::string Text;
  if (!Way.Record.empty()) {
    std::string Record = guard::demangle(Way.Record);
    StringRef Plain = Record;
    Plain.consume_front("typeinfo name for ");
    Text = (Plain + "+" + Twine(Way.MemberOffset)).str();
  } else if (Way.Variable.Value) {
    Text = nameAt(Report, Way.Variable);
  } else if (Way.IsMember) {
    Text = Way.MemberOffset == UINT64_MAX
               ? "a member"
               : ("a member at +" + Twine(Way.MemberOffset)).str();
  }
  if (Way.Callee == NoNode)
    return Text;
  if (!Text.empty())
    Text += " and ";
  Text += Way.CalleeName.empty() ? "a function" : shownName(Way.CalleeName);
  if (!Call.empty())
    Text += ", called at " + sys::path::filename(Call).str();
  return Text;
}

std::vector<const ObjectAccess *> findAccesses(const LayoutReport &Report,
                                               const LineOccupant &Place) {
  std::vector<const ObjectAccess *> Result;
  if (!Place.Object)
    return Result;
  const Symbol &Object = Report.Image.symbols()[Place.Object->Symbol];
  for (const ObjectAccess &A : Place.Object->Accesses)
    if (canTouch(A, Object, Place.Range))
      Result.push_back(&A);
  return Result;
}

std::vector<Site> findSites(const LayoutReport &Report,
                            const LineOccupant &Place) {
  if (!Place.Object)
    return {};
  const Symbol &Object = Report.Image.symbols()[Place.Object->Symbol];
  // Facts of a compiler have their source, those of machine code get it here.
  // Where there is none, each instruction is a site.
  using Key = std::tuple<uint32_t, std::string, facts::AccessKind, uint64_t,
                         std::string, std::string, bool>;
  struct Sum {
    Site Touching;
    double StartUp = 0, Concurrent = 0;
    std::set<RoleIndex> RunBy;
    std::vector<const ObjectAccess *> Accesses;
  };
  std::map<Key, Sum> ByPlace;
  for (const ObjectAccess *Access : findAccesses(Report, Place)) {
    const ObjectAccess &A = *Access;
    const Function &F = Report.Accesses.functions()[A.Function];
    Site S{shownName(F.Name),
           sourceText(Report.Accesses.fileOf(A), A.line()),
           {},
           A.instruction(),
           "",
           "",
           "",
           /*IsMay=*/false,
           /*IsPerhaps=*/false,
           A.Kind,
           {},
           {},
           0};
    if (A.isMachineCode() && Report.FindFrames) {
      std::vector<Frame> Frames = Report.FindFrames(A.instruction());
      if (!Frames.empty()) {
        S.Source = sourceText(Frames.front().File, Frames.front().Line);
        S.InlinedInto.assign(Frames.begin() + 1, Frames.end());
      }
    }
    uint64_t Instruction = S.Source.empty() ? A.instruction().Value : 0;
    LinkAddress Address = F.Address;
    if (std::optional<Passage> Way = Report.Accesses.passageOf(A)) {
      std::string Call = callText(Report, *Way);
      S.Way = passageText(Report, *Way, Call);
      if (Way->Callee != NoNode && !StringRef(Call).starts_with("0x"))
        S.HandedOn = Call;
      S.IsMay = Way->IsMay;
      S.IsPerhaps = Report.Accesses.isPerhaps(A);
      if (Way->Site != NoNode) {
        S.Function = shownName(Way->SiteName);
        Address = Way->SiteAddress;
      }
    }
    if (S.Function.empty()) {
      S.Function = "function at 0x" + utohexstr(Address.Value, true);
      if (std::string Words =
              Report.DescribeFunction ? Report.DescribeFunction(Address) : "";
          !Words.empty())
        S.Function += " " + Words;
    }
    if (A.isMachineCode() && S.Way.empty() && Report.FindCallee)
      S.Callee = Report.FindCallee(F.Address, A.instruction());
    Sum &Total = ByPlace
                     .try_emplace({A.Function, S.Source, A.Kind, Instruction,
                                   S.Function, S.Way, S.IsMay},
                                  Sum{S, 0, 0, {}, {}})
                     .first->second;
    Total.Accesses.push_back(&A);
    Total.StartUp += A.Weight;
    Report.Accesses.visitShares(A, [&](const RoleShare &Share, double Weight) {
      Total.Concurrent += Weight;
      Total.RunBy.insert(Share.Role);
    });
  }

  std::vector<Site> Sites;
  for (auto &[Position, Total] : ByPlace) {
    Total.Touching.RunBy.assign(Total.RunBy.begin(), Total.RunBy.end());
    for (const Member &M : membersOf(Report, Object, Total.Accesses))
      Total.Touching.Members.push_back(M.Path);
    Total.Touching.Weight =
        Total.RunBy.empty() ? Total.StartUp : Total.Concurrent;
    Sites.push_back(std::move(Total.Touching));
  }
  // What is mostly to another object comes behind.
  stable_sort(Sites, [](const Site &A, const Site &B) {
    auto Key = [](const Site &S) {
      return std::tuple(S.isStartUp(), S.IsPerhaps, -S.Weight);
    };
    return Key(A) < Key(B);
  });
  return Sites;
}

size_t dropSites(std::vector<Site> &Sites, size_t Most) {
  size_t All = Sites.size(), Place = 0;
  std::set<facts::AccessKind> Seen;
  erase_if(Sites, [&](const Site &S) {
    bool IsFirst = Seen.insert(S.Kind).second;
    return ++Place > Most && !IsFirst;
  });
  return All - Sites.size();
}

Users findUsers(const LayoutReport &Report, const LineOccupant &Place) {
  std::set<RoleIndex> Writers, Readers;
  for (const ObjectAccess *A : findAccesses(Report, Place))
    Report.Accesses.visitShares(*A, [&](const RoleShare &S, double) {
      (A->writes() ? Writers : Readers).insert(S.Role);
    });
  return {{Writers.begin(), Writers.end()}, {Readers.begin(), Readers.end()}};
}

/// The first of template arguments, without those behind it.
static StringRef firstOf(StringRef Arguments) {
  unsigned Depth = 0;
  for (auto [I, C] : enumerate(Arguments)) {
    if ((C == ',' || C == '>') && Depth == 0)
      return Arguments.take_front(I).rtrim();
    Depth += C == '<' || C == '(' || C == '{';
    if (C == '>' || C == ')' || C == '}')
      Depth -= Depth > 0;
  }
  return Arguments;
}

/// "std::bind(A::*)" of "std::_Bind<void (A::* (A*))()>": the class is all that
/// its type says of a method.
static std::string nameOfBinding(StringRef Type) {
  StringRef Class = Type.split("::* (").first;
  if (Class.size() == Type.size())
    return Type.str();
  return ("std::bind(" + Class.rsplit('(').second + "::*)").str();
}

/// The lambda of a std::thread, or the type of the function that it is given:
/// its entry is a template's member.
static std::string nameOfThreadState(StringRef Entry) {
  StringRef Inner = Entry;
  if (!Inner.consume_front(
          "std::thread::_State_impl<std::thread::_Invoker<std::tuple<"))
    return Entry.str();
  Inner = firstOf(Inner.rsplit(">::_M_run").first);
  if (Inner.empty())
    return Entry.str();
  if (Inner.starts_with("std::_Bind<"))
    return nameOfBinding(Inner);
  return Inner.contains("*)(") ? ("std::thread(" + Inner + ")").str()
                               : Inner.str();
}

std::string roleName(const Role &Running) {
  if (Running.Kind == RoleKind::Unknown)
    return "unknown callers";
  if (Running.Kind == RoleKind::Outside)
    return "callers outside";
  if (Running.Name.empty())
    return word(Running.Kind).str();
  std::string Name = nameOfThreadState(shownName(Running.Name));
  // Without parameters, which say nothing about a thread's entry.
  return StringRef(Name).split("(void*)").first.str();
}

} // namespace linesman::report
