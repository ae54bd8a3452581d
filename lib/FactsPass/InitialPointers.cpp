// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses in the initial values of variables: a store that is done before the
// program begins.
//
//     struct Ops table[] = {{.self = &nil}};      stores nil into Ops.self,
//                                                 and into table + 0
//
// Of a constant of the unit, also one that a local record is initialised from,
// only the member is told.

#include "Pointers.h"
#include "RecordTypes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace linesman::facts;

namespace {

/// Walks the initial value of a variable.
class InitialPointers {
public:
  InitialPointers(const GlobalVariable &Variable, RecordTypes &Types,
                  std::vector<PointerFact> &Facts)
      : Global(Variable), DL(Variable.getParent()->getDataLayout()),
        Types(Types), Facts(Facts) {}

  void read(const Constant &C, uint64_t Offset,
            std::optional<PointerOrigin> Member = std::nullopt);

private:
  void add(const Constant &C, uint64_t Offset,
           const std::optional<PointerOrigin> &Member);

  const GlobalVariable &Global;
  const DataLayout &DL;
  RecordTypes &Types;
  std::vector<PointerFact> &Facts;
  /// Of large tables the first ones.
  unsigned Left = 1024;
};

void InitialPointers::add(const Constant &C, uint64_t Offset,
                          const std::optional<PointerOrigin> &Member) {
  std::optional<uint64_t> Position;
  const GlobalVariable *GV = variableAt(&C, DL, Position);
  if (!GV || GV->isConstant() || GV->getName().starts_with("llvm."))
    return;
  --Left;
  PointerFact Fact;
  Fact.Kind = PointerUse::Stored;
  Fact.Source.Kind = Origin::Object;
  Fact.Source.GV = GV;
  Fact.Offset = Position;
  Fact.Touched.Weight = 1;
  if (Member) {
    Fact.Destination = *Member;
    Facts.push_back(Fact);
  }
  if (mayVanish(Global))
    return;
  Fact.Destination = PointerOrigin();
  Fact.Destination.Kind = Origin::Variable;
  Fact.Destination.GV = &Global;
  Fact.Destination.Offset = Offset;
  Facts.push_back(Fact);
}

void InitialPointers::read(const Constant &C, uint64_t Offset,
                           std::optional<PointerOrigin> Member) {
  if (Left == 0 || C.isZeroValue())
    return;
  if (C.getType()->isPointerTy()) {
    add(C, Offset, Member);
  } else if (const auto *Struct = dyn_cast<ConstantStruct>(&C)) {
    const StructLayout *Layout = DL.getStructLayout(Struct->getType());
    auto Type = Types.ofStruct(Struct->getType(), DL);
    for (unsigned I = 0; I != Struct->getNumOperands(); ++I) {
      uint64_t Position = Layout->getElementOffset(I).getFixedValue();
      std::optional<PointerOrigin> Inner;
      if (Type && !Types[*Type].IsLibrarys)
        Inner = PointerOrigin{Origin::Field, nullptr, 0, Position, *Type};
      read(*Struct->getOperand(I), Offset + Position, Inner);
    }
  } else if (const auto *Array = dyn_cast<ConstantArray>(&C)) {
    uint64_t Stride = DL.getTypeAllocSize(Array->getType()->getElementType());
    for (unsigned I = 0; I != Array->getNumOperands(); ++I)
      read(*Array->getOperand(I), Offset + I * Stride, Member);
  }
}

} // namespace

std::vector<PointerFact>
linesman::facts::findInitialPointers(const Module &M, RecordTypes &Types) {
  std::vector<PointerFact> Found;
  for (const GlobalVariable &GV : M.globals())
    if (GV.hasInitializer() && !GV.isThreadLocal() &&
        !GV.hasAvailableExternallyLinkage() &&
        !GV.getName().starts_with("llvm.") && !GV.getName().starts_with("_ZT"))
      InitialPointers(GV, Types, Found).read(*GV.getInitializer(), 0);
  return Found;
}
