// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two reports of linesman layout, as lists of findings.

#include "linesman/Drive/UnitFindings.h"
#include "linesman/Drive/LayOut.h"
#include "linesman/Guard/Text.h"
#include "linesman/Input/Ranking.h"
#include "linesman/Layout/Contradict.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::drive {

namespace {

/// Nobody reads as far, and a large binary has many.
constexpr size_t FindingsOfUnit = 1000;

/// Of instances of a template, all have to be contradicted.
class Contradictions {
public:
  explicit Contradictions(StringMap<std::string> &Found) : Found(Found) {}
  void add(StringRef Id, StringRef Reason) {
    std::string Plain = report::plainIdentity(Id);
    if (Reason.empty()) {
      Found.erase(Plain);
      Cleared[Plain] = true;
    } else if (!Cleared.contains(Plain)) {
      Found[Plain] = Reason.str();
    }
  }

private:
  StringMap<std::string> &Found;
  StringMap<bool> Cleared;
};

LayoutRequest layoutRequest(StringRef Path, Judged Subject) {
  LayoutRequest Request;
  Request.Path = Path;
  Request.Subject = Subject;
  Request.MostShown = FindingsOfUnit;
  return Request;
}

Error addVariables(input::Binary &Binary, StringRef Path, FactFindings &Found) {
  auto Add = [&](LaidOut &Layout) -> Error {
    Found.Lists.push_back({("variables of " + Path).str(),
                           report::describeFindings(Layout.Shown)});
    return Error::success();
  };
  if (Error E = layOut(Binary, layoutRequest(Path, Judged::Lines), {}, Add))
    return E;
  Contradictions Known(Found.Contradicted);
  for (const AccessedObject &Object : Binary.Accesses.objects())
    Known.add(guard::demangle(Binary.Image.symbols()[Object.Symbol].name()),
              contradictSuspicion(Binary.Accesses, Object));
  for (const Symbol &S : Binary.Image.symbols())
    Found.Variables[report::plainIdentity(guard::demangle(S.name()))] = true;
  return Error::success();
}

Error addTypes(input::Binary &Binary, StringRef Path, FactFindings &Found) {
  if (Binary.Types.Types.empty())
    return Error::success();
  auto Add = [&](LaidOut &Layout) -> Error {
    Found.Lists.push_back(
        {("fields of " + Path).str(), report::describeFindings(Layout.Shown)});
    Contradictions Known(Found.Contradicted);
    const report::LayoutReport &Report = Layout.Shown;
    for (const AccessedObject &Object : Report.Accesses.objects())
      Known.add(Report.Image.symbols()[Object.Symbol].name(),
                contradictSuspicion(Report.Accesses, Object));
    return Error::success();
  };
  return layOut(Binary, layoutRequest(Path, Judged::Types), {}, Add);
}

} // namespace

Expected<FactFindings> readFactFindings(StringRef Path, StringRef Name) {
  input::ReadOptions Options;
  Options.Facts = input::FactsFrom::Auto;
  Options.Types = input::TypeFacts::Read;
  Options.Unlinked = input::Objects::Read;
  Expected<input::Binary> Binary = input::readBinary(Path, Options);
  if (!Binary)
    return Binary.takeError();
  if (!input::hasFacts(*Binary))
    return createFileError(Path, createStringError("no facts in this binary"));
  FactFindings Result;
  Result.IsOneProgram = !Binary->Unlinked || !Binary->Unlinked->Conflicts;
  Result.Blind = whyBlind(*Binary, Judged::Lines);
  if (Error E = addVariables(*Binary, Name, Result))
    return std::move(E);
  if (Error E = addTypes(*Binary, Name, Result))
    return std::move(E);
  return Result;
}

} // namespace linesman::drive
