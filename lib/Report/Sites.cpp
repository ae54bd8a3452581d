// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sites of an occupant.

#include "Sites.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include <map>
#include <set>
#include <tuple>

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

std::string sourceText(StringRef File, uint32_t Line) {
  return File.empty() ? "" : (File + ":" + Twine(Line)).str();
}

std::string displayName(const Image &Image, OccupantIndex Occupant) {
  return demangle(Image.label(Occupant));
}

std::vector<Site> findSites(const LayoutReport &Report,
                            const LineOccupant &Place) {
  if (!Place.Object)
    return {};
  const Symbol &Object = Report.Image.symbols()[Place.Object->Symbol];
  using Key = std::tuple<uint32_t, StringRef, uint32_t, facts::AccessKind>;
  struct Sum {
    double StartUp = 0, Concurrent = 0;
    std::set<RoleIndex> RunBy;
  };
  std::map<Key, Sum> Sums;
  for (const ObjectAccess &A : Place.Object->Accesses) {
    if (!canTouch(A, Object, Place.Range))
      continue;
    Sum &At = Sums[{A.Function, A.File, A.Line, A.Kind}];
    At.StartUp += A.Weight;
    for (const RoleShare &S : Report.Accesses.sharesOf(A)) {
      At.Concurrent += S.Weight;
      At.RunBy.insert(S.Role);
    }
  }

  std::vector<Site> Sites;
  for (const auto &[Where, At] : Sums) {
    const auto &[FunctionIndex, File, Line, Kind] = Where;
    const Function &F = Report.Accesses.functions()[FunctionIndex];
    Sites.push_back({demangle(F.Name),
                     sourceText(File, Line),
                     Kind,
                     {At.RunBy.begin(), At.RunBy.end()},
                     At.RunBy.empty() ? At.StartUp : At.Concurrent});
  }
  stable_sort(Sites, [](const Site &A, const Site &B) {
    return std::tuple(A.isStartUp(), -A.Weight) <
           std::tuple(B.isStartUp(), -B.Weight);
  });
  return Sites;
}

Users findUsers(const LayoutReport &Report, const LineOccupant &Place) {
  std::set<RoleIndex> Writers, Readers;
  if (Place.Object) {
    const Symbol &Object = Report.Image.symbols()[Place.Object->Symbol];
    for (const ObjectAccess &A : Place.Object->Accesses)
      if (canTouch(A, Object, Place.Range))
        for (const RoleShare &S : Report.Accesses.sharesOf(A))
          (A.writes() ? Writers : Readers).insert(S.Role);
  }
  return {{Writers.begin(), Writers.end()}, {Readers.begin(), Readers.end()}};
}

/// The function or lambda of a std::thread: its entry is a template's member.
static StringRef nameOfThreadState(StringRef Entry) {
  StringRef Inner = Entry;
  if (!Inner.consume_front(
          "std::thread::_State_impl<std::thread::_Invoker<std::tuple<"))
    return Entry;
  Inner = Inner.rsplit(">::_M_run").first.rtrim("> ");
  return Inner.empty() ? Entry : Inner;
}

std::string roleName(const Role &Of) {
  if (Of.Kind == RoleKind::Unknown)
    return "unknown callers";
  if (Of.Name.empty())
    return word(Of.Kind).str();
  std::string Name = nameOfThreadState(demangle(Of.Name)).str();
  // Without parameters, which say nothing about a thread's entry.
  return StringRef(Name).split("(void*)").first.str();
}

} // namespace linesman::report
