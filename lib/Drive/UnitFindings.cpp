// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two reports of linesman layout, as lists of findings.

#include "linesman/Drive/UnitFindings.h"
#include "linesman/Guard/Text.h"
#include "linesman/Input/Ranking.h"
#include "linesman/Input/TypeLayouts.h"
#include "linesman/Layout/Contradict.h"
#include "linesman/Report/Report.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::drive {

namespace {

/// Nobody reads as far, and a large binary has many.
constexpr size_t MostFindings = 1000;

Expected<json::Array> toJson(const report::LayoutReport &Report) {
  std::string Text;
  raw_string_ostream OS(Text);
  report::writeJson(Report, OS);
  return report::readFindings(Text);
}

/// Of instances of a template, all have to be contradicted.
class Contradictions {
public:
  explicit Contradictions(StringMap<std::string> &Into) : Into(Into) {}
  void add(StringRef Id, StringRef Why) {
    std::string Plain = report::plainIdentity(Id);
    if (Why.empty()) {
      Into.erase(Plain);
      Cleared[Plain] = true;
    } else if (!Cleared.contains(Plain)) {
      Into[Plain] = Why.str();
    }
  }

private:
  StringMap<std::string> &Into;
  StringMap<bool> Cleared;
};

Error addVariables(input::Binary &Binary, StringRef Path, FactFindings &Into) {
  input::assignRoles(Binary.Calls, Binary.Accesses);
  LineMap Lines(Binary.Image, {});
  PageMap Pages(Binary.Image, {});
  std::vector<RankedLine> Ranked =
      rankHazards(Binary.Image, Lines, Binary.Accesses);
  dropUnsigned(Ranked);
  std::vector<LineFinding> Findings =
      describeHazards(Binary.Image, Lines, Binary.Accesses,
                      ArrayRef(Ranked).take_front(MostFindings));
  if (Binary.Unlinked)
    for (LineFinding &Finding : Findings)
      Finding.At = Rung::Suspected;
  report::LayoutReport Report{Path,
                              Binary.Image,
                              Binary.Accesses,
                              Lines,
                              Pages,
                              Findings,
                              /*Hidden=*/0,
                              {}};
  Expected<json::Array> List = toJson(Report);
  if (!List)
    return List.takeError();
  Into.Lists.push_back({("variables of " + Path).str(), std::move(*List)});
  Contradictions Against(Into.Contradicted);
  for (const AccessedObject &Object : Binary.Accesses.objects())
    Against.add(guard::demangle(Binary.Image.symbols()[Object.Symbol].name()),
                contradictSuspicion(Binary.Accesses, Object));
  for (const Symbol &S : Binary.Image.symbols())
    Into.Variables[report::plainIdentity(guard::demangle(S.name()))] = true;
  return Error::success();
}

Error addTypes(input::Binary &Binary, StringRef Path, FactFindings &Into) {
  if (Binary.Types.Types.empty())
    return Error::success();
  auto Layouts = input::readTypeLayouts(Binary, Binary.Types.Types);
  TypeScene Scene = buildTypeScene(std::move(Binary.Types), std::move(Layouts),
                                   Binary.Calls, {});
  input::assignRoles(Binary.Calls, Scene.Accesses);
  LineMap Lines(Scene.Image, {});
  PageMap Pages(Scene.Image, {});
  std::vector<LineFinding> Findings = findTypeHazards(Scene, Lines);
  report::LayoutReport Report{
      Path,         Scene.Image, Scene.Accesses,
      Lines,        Pages,       ArrayRef(Findings).take_front(MostFindings),
      /*Hidden=*/0, {}};
  Report.Scene = report::ObjectScene{&Scene};
  Expected<json::Array> List = toJson(Report);
  if (!List)
    return List.takeError();
  Into.Lists.push_back({("fields of " + Path).str(), std::move(*List)});
  Contradictions Against(Into.Contradicted);
  for (const AccessedObject &Object : Scene.Accesses.objects())
    Against.add(Scene.Image.symbols()[Object.Symbol].name(),
                contradictSuspicion(Scene.Accesses, Object));
  return Error::success();
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
  if (Error E = addVariables(*Binary, Name, Result))
    return std::move(E);
  if (Error E = addTypes(*Binary, Name, Result))
    return std::move(E);
  return Result;
}

} // namespace linesman::drive
