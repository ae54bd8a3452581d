// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which uses of pointers can matter, as far as one module shows:
//
//  1. Backward: a parameter that is defined here and through which nothing is
//     accessed, stored or returned is handed nothing.
//  2. Forward: a local function that nobody is handed an address to gets what
//     its callers give it; where that never is an object, its parameter's uses
//     are nobody's.

#include "Pointers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include <map>
#include <set>

using namespace llvm;
using namespace linesman::facts;

namespace {

using Parameter = std::pair<const GlobalValue *, uint32_t>;

/// Reached from \p Seeds along \p Edges.
void spread(std::set<Parameter> &Reached,
            const std::map<Parameter, SmallVector<Parameter, 2>> &Edges) {
  std::vector<Parameter> Worklist(Reached.begin(), Reached.end());
  while (!Worklist.empty()) {
    Parameter P = Worklist.back();
    Worklist.pop_back();
    auto It = Edges.find(P);
    if (It == Edges.end())
      continue;
    for (Parameter Next : It->second)
      if (Reached.insert(Next).second)
        Worklist.push_back(Next);
  }
}

} // namespace

/// Whether the body that is linked is this one.
static bool isDefinedHere(const Function &F) {
  return !F.isDeclarationForLinker() && !F.isInterposable();
}

static bool isOnlyCalledHere(const Function &F) {
  return F.hasLocalLinkage() && !F.hasAddressTaken();
}

static void dropUnfed(ModuleFacts &Facts) {
  std::set<Parameter> Fed;
  std::map<Parameter, SmallVector<Parameter, 2>> Edges;
  auto IsUnfed = [&](const Function *F, const PointerFact &P) {
    return P.Source.Kind == Origin::Parameter && isOnlyCalledHere(*F) &&
           !Fed.count({F, P.Source.Number});
  };
  for (const FunctionFacts &FF : Facts.Functions)
    for (const PointerFact &P : FF.Pointers) {
      if (P.Kind != PointerUse::Handed)
        continue;
      Parameter Receiver{P.Callee, P.Parameter};
      if (P.Source.Kind == Origin::Parameter && isOnlyCalledHere(*FF.F))
        Edges[{FF.F, P.Source.Number}].push_back(Receiver);
      else
        Fed.insert(Receiver);
    }
  spread(Fed, Edges);
  for (FunctionFacts &FF : Facts.Functions)
    erase_if(FF.Pointers,
             [&](const PointerFact &P) { return IsUnfed(FF.F, P); });
}

static void dropUnused(ModuleFacts &Facts) {
  std::set<Parameter> Used;
  std::map<Parameter, SmallVector<Parameter, 2>> Edges;
  for (const FunctionFacts &FF : Facts.Functions)
    for (const PointerFact &P : FF.Pointers) {
      bool IsHanded = P.Kind == PointerUse::Handed;
      if (IsHanded && !isDefinedHere(*P.Callee))
        Used.insert({P.Callee, P.Parameter});
      if (P.Source.Kind != Origin::Parameter)
        continue;
      Parameter Giver{FF.F, P.Source.Number};
      if (IsHanded)
        Edges[{P.Callee, P.Parameter}].push_back(Giver);
      else
        Used.insert(Giver);
    }
  spread(Used, Edges);
  for (FunctionFacts &FF : Facts.Functions)
    erase_if(FF.Pointers, [&](const PointerFact &P) {
      return P.Kind == PointerUse::Handed &&
             !Used.count({P.Callee, P.Parameter});
    });
}

void linesman::facts::prunePointers(ModuleFacts &Facts) {
  dropUnfed(Facts);
  dropUnused(Facts);
}
