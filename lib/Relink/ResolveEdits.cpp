// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From edits to definitions, with every reason why one can not be moved.

#include "ResolveEdits.h"
#include "linesman/Guard/Text.h"
#include "linesman/Relink/InseparableSymbol.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <cassert>
#include <set>
#include <tuple>

using namespace llvm;
using linesman::plan::EditKind;

namespace linesman::relink {

std::vector<const Definition *> unitOf(const LinkInputs &Inputs,
                                       DefinitionRef Ref) {
  const InputObject &Object = Inputs.Objects[Ref.Object];
  const Definition &D = Object.Definitions[Ref.Definition];
  std::vector<const Definition *> Others;
  if (!D.Section)
    return Others;
  for (const Definition &Other : Object.Definitions)
    if (Other.Section == D.Section && Other.Offset != D.Offset)
      Others.push_back(&Other);
  llvm::stable_sort(Others, [](const Definition *A, const Definition *B) {
    return A->Offset < B->Offset;
  });
  return Others;
}

namespace {

StringRef verb(EditKind Kind) {
  switch (Kind) {
  case EditKind::Isolate:
    return "isolate";
  case EditKind::Group:
    return "group";
  case EditKind::Pad:
    return "pad before";
  case EditKind::Shift:
    return "shift before";
  case EditKind::Explode:
    return "explode";
  }
  llvm_unreachable("unknown edit kind");
}

class Resolver {
public:
  Resolver(const LinkInputs &Inputs, UnitPolicy Units)
      : Inputs(Inputs), Units(Units) {}

  Expected<ResolvedEdit> resolve(const plan::Edit &Edit) {
    if (Edit.Symbols.empty())
      return createStringError(
          formatv("an edit to {0} names no symbol", verb(Edit.Kind)));
    ResolvedEdit Result{Edit, {}, {}};
    Error Problems = Error::success();
    for (const plan::SymbolRef &Symbol : Edit.Symbols) {
      Expected<Definitions> Found = findDefinitions(Inputs, Symbol);
      Error E = Found ? check(Edit, *Found) : Found.takeError();
      assert((E || !Found->empty()) && "who is found has a definition");
      if (E)
        Problems = joinErrors(std::move(Problems), std::move(E));
      else
        Result.Symbols.push_back(std::move(*Found));
    }
    if (Problems)
      return std::move(Problems);
    if (Edit.Kind == EditKind::Group)
      if (Error E = arrange(Result))
        return std::move(E);
    assert(Result.Symbols.size() == Edit.Symbols.size() &&
           "they go side by side");
    return Result;
  }

private:
  const LinkInputs &Inputs;
  UnitPolicy Units;
  /// Who moved a section, or a common symbol, into a group, or aligned it.
  using Place = std::tuple<size_t, std::optional<uint32_t>, uint32_t>;
  std::map<Place, const plan::Edit *> Placed;

  Error check(const plan::Edit &Edit, const Definitions &Found) {
    for (DefinitionRef Ref : Found)
      if (Error E = checkOne(Edit, Ref))
        return E;
    return Error::success();
  }

  Error checkOne(const plan::Edit &Edit, DefinitionRef Ref) {
    const Definition &D = Inputs.definition(Ref);
    std::string Location =
        sys::path::filename(Inputs.Objects[Ref.Object].Path).str();
    std::string Subject =
        formatv("cannot {0} '{1}'", verb(Edit.Kind), guard::demangle(D.Name));
    if (D.Kind == DefinitionKind::ReadOnly)
      return createStringError(
          formatv("{0}: {1} has it in a read-only section", Subject, Location));
    if (D.Kind == DefinitionKind::Relro)
      return createStringError(
          formatv("{0}: {1} has it in .data.rel.ro, which nobody writes after "
                  "start",
                  Subject, Location));
    if (!D.WalkedSection.empty())
      return createStringError(
          formatv("{0}: {1} has it in section {2}, which a program may walk "
                  "from __start_{2} to __stop_{2}",
                  Subject, Location, D.WalkedSection));
    bool IsPad = isRoom(Edit.Kind);
    std::vector<const Definition *> Unit = unitOf(Inputs, Ref);
    bool IsFirst = none_of(Unit, [&](const Definition *Other) {
      return Other->Offset < D.Offset;
    });
    bool CanMove = IsPad ? IsFirst && D.Offset == 0
                         : Unit.empty() || Units == UnitPolicy::Whole;
    if (!CanMove)
      return refuseToSplit(std::move(Subject), std::move(Location), D, Unit,
                           IsPad);
    if (IsPad)
      return Error::success();
    // A section has one place: alone, or in one group. A unit moves once for
    // all its symbols of that.
    Place Has = {Ref.Object, D.Section, D.Section ? 0 : D.SymbolIndex};
    auto [It, IsNew] = Placed.try_emplace(Has, &Edit);
    bool IsOwnUnit = It->second == &Edit && !Unit.empty();
    if (!IsNew && !IsOwnUnit &&
        (It->second->Kind == EditKind::Group || Edit.Kind == EditKind::Group))
      return createStringError(
          formatv("{0}: another edit of the plan already has it", Subject));
    return Error::success();
  }

  static Error refuseToSplit(std::string Subject, std::string Object,
                             const Definition &D,
                             ArrayRef<const Definition *> Unit, bool IsPad) {
    auto Problem = std::make_unique<InseparableSymbol>();
    Problem->Subject = std::move(Subject);
    Problem->Object = std::move(Object);
    Problem->MovesWithUnit = !IsPad;
    // Aliases have one place.
    std::set<uint64_t> Offsets = {D.Offset};
    for (const Definition *Other : Unit) {
      Offsets.insert(Other->Offset);
      Problem->Others.push_back(guard::demangle(Other->Name));
    }
    Problem->Places = Offsets.size();
    return Error(std::move(Problem));
  }

  Error arrange(ResolvedEdit &Edit) {
    bool IsThreadLocal = Inputs.definition(Edit.Symbols.front().front()).Kind ==
                         DefinitionKind::ThreadLocal;
    for (auto [I, Symbol] : enumerate(Edit.Symbols)) {
      Edit.Order.push_back(I);
      const Definition &D = Inputs.definition(Symbol.front());
      if ((D.Kind == DefinitionKind::ThreadLocal) != IsThreadLocal)
        return createStringError(
            formatv("cannot group '{0}' with '{1}': one of them is "
                    "thread-local",
                    guard::demangle(D.Name),
                    guard::demangle(
                        Inputs.definition(Edit.Symbols.front().front()).Name)));
    }
    llvm::stable_sort(Edit.Order, [&](size_t A, size_t B) {
      auto Key = [&](size_t I) {
        DefinitionRef Ref = Edit.Symbols[I].front();
        const Definition &D = Inputs.definition(Ref);
        return std::make_tuple(Ref.Object, D.Section.value_or(UINT32_MAX),
                               D.Offset);
      };
      return Key(A) < Key(B);
    });
    return Error::success();
  }
};

} // namespace

Expected<std::vector<ResolvedEdit>> resolveEdits(const LinkInputs &Inputs,
                                                 ArrayRef<plan::Edit> Edits,
                                                 UnitPolicy Units) {
  std::vector<ResolvedEdit> Result;
  Error Problems = Error::success();
  Resolver Resolve(Inputs, Units);
  for (const plan::Edit &Edit : Edits) {
    Expected<ResolvedEdit> One = Resolve.resolve(Edit);
    if (One)
      Result.push_back(std::move(*One));
    else
      Problems = joinErrors(std::move(Problems), One.takeError());
  }
  if (Problems)
    return std::move(Problems);
  return Result;
}

} // namespace linesman::relink
