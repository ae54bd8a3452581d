// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a form needs and a plan does not have is in the binary: the linker's
// names of objects, their types, and where the source defines them.

#include "linesman/Drive/EmitPlan.h"
#include "linesman/Guard/Text.h"
#include "linesman/Input/ReadTypes.h"
#include "linesman/Plan/Emit.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include <map>

using namespace llvm;
using namespace linesman::layout;

namespace linesman::drive {

namespace {

/// What facts and debug information of a binary say of the symbols of a plan.
class Definitions {
public:
  Definitions(const plan::Plan &Planned, const input::Binary &Binary)
      : Names(Binary.Image) {
    std::vector<uint32_t> Wanted;
    for (const plan::PlannedEdit &Edit : Planned.Edits)
      for (const plan::SymbolRef &Symbol : Edit.Change.Symbols)
        if (std::optional<uint32_t> Index = indexOf(Symbol))
          Wanted.push_back(*Index);
    ObjectTypes Types = input::readTypes(Binary, Wanted).Types;
    for (uint32_t Index : Wanted) {
      const Symbol &S = Binary.Image.symbols()[Index];
      ObjectTypes::Object &Known = Objects[Index];
      auto It = Types.Objects.find(S.Address.Value);
      if (It != Types.Objects.end())
        Known = It->second;
      else
        Known.Source.IsLocal = S.Binding == SymbolBinding::Local;
      // Debug information of a static member says where the class declares it.
      const AccessedObject *Facts = Binary.Accesses.find(Index);
      if (Facts && Facts->DeclFile) {
        Known.Source.File = Binary.Accesses.fileOf(*Facts).str();
        Known.Source.Line = Facts->DeclLine;
      }
    }
  }

  const ObjectTypes::Object *find(const plan::SymbolRef &Symbol) const {
    std::optional<uint32_t> Index = indexOf(Symbol);
    auto It = Index ? Objects.find(*Index) : Objects.end();
    return It == Objects.end() ? nullptr : &It->second;
  }

private:
  Identities Names;
  /// By the image's index.
  std::map<uint32_t, ObjectTypes::Object> Objects;

  std::optional<uint32_t> indexOf(const plan::SymbolRef &Symbol) const {
    return Names.find({Symbol.Symbol, Symbol.File, Symbol.Ordinal.value_or(0)});
  }
};

/// A plan that a person wrote may have the names of the source; all forms but
/// JSON need the linker's.
void useLinkerNames(plan::Plan &Planned, const Image &Linked) {
  Identities Names(Linked);
  for (plan::PlannedEdit &Edit : Planned.Edits)
    for (plan::SymbolRef &Symbol : Edit.Change.Symbols) {
      if (Names.find({Symbol.Symbol, Symbol.File, Symbol.Ordinal.value_or(0)}))
        continue;
      SmallVector<StringRef, 1> Meant;
      for (const layout::Symbol &S : Linked.symbols())
        if (guard::demangle(S.name()) == Symbol.Symbol)
          Meant.push_back(S.name());
      if (Meant.size() == 1)
        Symbol.Symbol = Meant.front().str();
    }
}

/// The binary that a plan was made of, for its names and debug information. It
/// may be gone, or there may never have been one.
std::optional<input::Binary> readPlanned(const plan::Plan &Planned) {
  if (Planned.Binary.empty())
    return std::nullopt;
  Expected<input::Binary> Read = input::readBinary(Planned.Binary);
  if (Read)
    return std::move(*Read);
  consumeError(Read.takeError());
  return std::nullopt;
}

} // namespace

void emitPlan(PlanForm Form, plan::Plan Planning, const input::Binary *MadeOf,
              raw_ostream &OS) {
  if (Form == PlanForm::Json)
    return plan::writePlan(Planning, OS);
  std::optional<input::Binary> Planned;
  if (!MadeOf)
    Planned = readPlanned(Planning);
  const input::Binary *Program = Planned ? &*Planned : MadeOf;
  if (Program)
    useLinkerNames(Planning, Program->Image);
  if (Form == PlanForm::Ld)
    return plan::emitLinkerScript(Planning, OS);
  if (Form == PlanForm::Order)
    return plan::emitOrder(Planning, OS);
  // Damaged debug information costs types, not the plan.
  CrashRecoveryContext::Enable();
  std::optional<Definitions> Known;
  if (Program)
    Known.emplace(Planning, *Program);
  plan::emitSource(
      Planning,
      [&](const plan::SymbolRef &Symbol) {
        return Known ? Known->find(Symbol) : nullptr;
      },
      OS);
}

} // namespace linesman::drive
