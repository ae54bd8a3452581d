// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a place to its declaration:
//
//  1. TBAA's tag of a load or store names the record and the offset; a
//     variable has its own type, and so has a parameter.
//  2. Debug information has the member there.
//  3. A pointer to a function is told by its parameters and result, without
//     names of types that only stand for others.

#include "DeclaredTypes.h"
#include "ModuleFacts.h"
#include "Strides.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace linesman::facts;

/// What a name or a qualifier stands for.
static const DIType *withoutNames(const DIType *Type) {
  while (const auto *Derived = dyn_cast_or_null<DIDerivedType>(Type)) {
    switch (Derived->getTag()) {
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type:
      Type = Derived->getBaseType();
      continue;
    default:
      return Type;
    }
  }
  return Type;
}

/// As C and C++ both have it. What has a name by its typedef only is called so.
static StringRef nameOf(const DIType *Type) {
  StringRef Name;
  for (const DIType *Last = nullptr; Type && Type != Last;) {
    Last = Type;
    if (!Type->getName().empty())
      Name = Type->getName();
    if (const auto *Derived = dyn_cast<DIDerivedType>(Type);
        Derived && Derived != withoutNames(Derived))
      Type = Derived->getBaseType();
  }
  if (const auto *Record = dyn_cast_or_null<DICompositeType>(Type)) {
    // Of a record in no namespace, the identifier is no more than its name.
    StringRef Plain = Record->getIdentifier();
    unsigned Length;
    if (Plain.consume_front("_ZTS") &&
        (Plain.consumeInteger(10, Length) || Plain.size() != Length))
      return Record->getIdentifier();
  }
  return Name == "_Bool" ? "bool" : Name;
}

static void describe(const DIType *Type, unsigned Depth, std::string &Text) {
  constexpr unsigned MostDepth = 6;
  const DIType *Plain = withoutNames(Type);
  if (!Plain) {
    Text += "void";
  } else if (Depth == MostDepth) {
    return;
  } else if (const auto *Derived = dyn_cast<DIDerivedType>(Plain)) {
    Text += "*";
    describe(Derived->getBaseType(), Depth + 1, Text);
  } else if (const auto *Function = dyn_cast<DISubroutineType>(Plain)) {
    Text += "(";
    for (const DIType *Part : Function->getTypeArray()) {
      describe(Part, Depth + 1, Text);
      Text += ",";
    }
    Text += ")";
  } else {
    Text += nameOf(Type);
  }
}

/// 0 for what is no pointer to a function.
static uint8_t numberOf(const DIType *Type) {
  const auto *Pointer = dyn_cast_or_null<DIDerivedType>(withoutNames(Type));
  if (!Pointer || Pointer->getTag() != dwarf::DW_TAG_pointer_type)
    return 0;
  const auto *Function =
      dyn_cast_or_null<DISubroutineType>(withoutNames(Pointer->getBaseType()));
  if (!Function)
    return 0;
  std::string Text;
  describe(Function, 0, Text);
  return 1 + xxh3_64bits(Text) % (DeclaredTypes::Virtual - 1);
}

/// Of what is \p Bits from the begin of an object of that type.
uint8_t DeclaredTypes::numberAt(const DIType *Type, uint64_t Bits) const {
  constexpr unsigned MostNested = 16;
  for (unsigned N = 0; N != MostNested; ++N) {
    Type = withoutNames(Type);
    const auto *Outer = dyn_cast_or_null<DICompositeType>(Type);
    if (!Outer)
      return Bits ? 0 : numberOf(Type);
    if (Outer->getTag() == dwarf::DW_TAG_array_type) {
      Type = Outer->getBaseType();
      const DIType *Element = withoutNames(Type);
      if (!Element || !Element->getSizeInBits())
        return 0;
      Bits %= Element->getSizeInBits();
      continue;
    }
    // Which alternative of a union it is, nobody knows.
    if (Outer->getTag() == dwarf::DW_TAG_union_type)
      return 0;
    const DIDerivedType *Around = nullptr;
    for (const DINode *Part : Outer->getElements())
      if (const auto *Member = dyn_cast<DIDerivedType>(Part);
          Member && !Member->isStaticMember() &&
          Member->getOffsetInBits() <= Bits &&
          Bits - Member->getOffsetInBits() < Member->getSizeInBits())
        Around = Member;
    if (!Around)
      return 0;
    Type = Around->getBaseType();
    Bits -= Around->getOffsetInBits();
  }
  return 0;
}

void DeclaredTypes::findRecords() {
  HasRecords = true;
  DebugInfoFinder Finder;
  for (const Function &F : M)
    if (const DISubprogram *Program = F.getSubprogram())
      Finder.processSubprogram(const_cast<DISubprogram *>(Program));
  for (const DIType *Type : Finder.types()) {
    const auto *Record = dyn_cast<DICompositeType>(Type);
    StringRef Name;
    if (Record && !Record->isForwardDecl())
      Name = Record->getIdentifier().empty() ? Record->getName()
                                             : Record->getIdentifier();
    if (Name.empty())
      continue;
    auto [It, IsNew] = Records.try_emplace(Name, Record);
    if (!IsNew && It->second != Record)
      It->second = nullptr;
  }
}

uint8_t DeclaredTypes::ofTag(const MDNode *Tag) {
  std::optional<RecordTypes::Tagged> Place = Tags.ofTag(Tag);
  if (!Place)
    return 0;
  if (!HasRecords)
    findRecords();
  return numberAt(Records.lookup(Tags[Place->Type].Name), Place->Offset * 8);
}

static const DIType *typeOf(const GlobalVariable &Variable) {
  const DIGlobalVariable *Declared = getDeclaration(Variable);
  return Declared ? Declared->getType() : nullptr;
}

/// Of what is kept in a variable. Of an array's elements, one is as another.
uint8_t DeclaredTypes::ofVariable(const Value *Pointer) const {
  const auto *GV = dyn_cast<GlobalVariable>(getUnderlyingObject(Pointer));
  if (!GV)
    return 0;
  const DataLayout &DL = M.getDataLayout();
  const unsigned Bits = DL.getIndexTypeSizeInBits(Pointer->getType());
  APInt Bytes(Bits, 0);
  const Value *Base =
      Pointer->stripAndAccumulateConstantOffsets(DL, Bytes, true);
  if (const auto *GEP = dyn_cast<GEPOperator>(Base)) {
    const auto *Array =
        dyn_cast_or_null<DICompositeType>(withoutNames(typeOf(*GV)));
    IndexMap Indices;
    if (GEP->getPointerOperand() != GV || !Array ||
        Array->getTag() != dwarf::DW_TAG_array_type ||
        !GEP->collectOffset(DL, Bits, Indices, Bytes))
      return 0;
    const DIType *Element = withoutNames(Array->getBaseType());
    const uint64_t Size = Element ? Element->getSizeInBits() / 8 : 0;
    if (!Size || any_of(Indices, [&](const auto &Index) {
          return Index.second.urem(Size) != 0;
        }))
      return 0;
  } else if (Base != GV) {
    return 0;
  }
  return Bytes.isNegative() ? 0
                            : numberAt(typeOf(*GV), Bytes.getZExtValue() * 8);
}

/// Where debug information has as many parameters as the function.
static const DIType *parameterOf(const Function &F, unsigned Number) {
  const DISubprogram *Program = F.getSubprogram();
  if (!Program)
    return nullptr;
  DITypeRefArray Types = Program->getType()->getTypeArray();
  return Types.size() == F.arg_size() + 1 ? Types[Number + 1] : nullptr;
}

static bool isVtable(const Value &Pointer) {
  const auto *Load = dyn_cast<LoadInst>(&Pointer);
  const MDNode *Tag = Load ? Load->getMetadata(LLVMContext::MD_tbaa) : nullptr;
  const auto *Kind = Tag && Tag->getNumOperands()
                         ? dyn_cast<MDNode>(Tag->getOperand(0))
                         : nullptr;
  const auto *Name = Kind && Kind->getNumOperands()
                         ? dyn_cast<MDString>(Kind->getOperand(0))
                         : nullptr;
  return Name && Name->getString() == "vtable pointer";
}

uint8_t DeclaredTypes::ofCalled(const CallBase &Call) {
  const Value *Pointer = Call.getCalledOperand()->stripPointerCasts();
  if (const auto *A = dyn_cast<Argument>(Pointer))
    return numberOf(parameterOf(*A->getParent(), A->getArgNo()));
  const auto *Load = dyn_cast<LoadInst>(Pointer);
  if (!Load)
    return 0;
  const Value *Place = Load->getPointerOperand();
  if (isVtable(*getUnderlyingObject(Place)))
    return Virtual;
  if (uint8_t Number = ofTag(Load->getMetadata(LLVMContext::MD_tbaa)))
    return Number;
  return ofVariable(Place);
}

uint8_t DeclaredTypes::ofPlace(const Instruction &I, const Value &Stored) {
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    // Not one of several that are stored at once.
    if (Store->getValueOperand()->stripPointerCasts() != &Stored)
      return 0;
    if (uint8_t Number = ofTag(Store->getMetadata(LLVMContext::MD_tbaa)))
      return Number;
    return ofVariable(Store->getPointerOperand());
  }
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee)
    return 0;
  uint8_t Number = 0;
  for (unsigned A = 0; A != Callee->arg_size(); ++A)
    if (Call->getArgOperand(A)->stripPointerCasts() == &Stored) {
      uint8_t One = numberOf(parameterOf(*Callee, A));
      if (!One || (Number && Number != One))
        return 0;
      Number = One;
    }
  return Number;
}

void DeclaredTypes::readInitial(const Constant &C, const DIType *Type,
                                uint64_t Bits, Held &Found) const {
  const DataLayout &DL = M.getDataLayout();
  if (C.getType()->isPointerTy()) {
    const Value *Target = C.stripPointerCasts();
    if (!isa<Function>(Target))
      return;
    uint8_t Number = numberAt(Type, Bits);
    auto [It, IsNew] = Found.try_emplace(cast<Constant>(Target), Number);
    if (!IsNew && It->second != Number)
      It->second = 0;
  } else if (const auto *Struct = dyn_cast<ConstantStruct>(&C)) {
    const StructLayout *Layout = DL.getStructLayout(Struct->getType());
    for (unsigned I = 0; I != Struct->getNumOperands(); ++I)
      readInitial(*Struct->getOperand(I), Type,
                  Bits + Layout->getElementOffsetInBits(I).getFixedValue(),
                  Found);
  } else if (const auto *Array = dyn_cast<ConstantArray>(&C)) {
    uint64_t Stride =
        DL.getTypeAllocSizeInBits(Array->getType()->getElementType());
    for (unsigned I = 0; I != Array->getNumOperands(); ++I)
      readInitial(*Array->getOperand(I), Type, Bits + I * Stride, Found);
  }
}

uint8_t DeclaredTypes::ofInitial(const GlobalVariable &Variable,
                                 const Constant &Function) {
  if (Variable.getName().starts_with("_ZTV"))
    return Virtual;
  auto [It, IsNew] = Initial.try_emplace(&Variable);
  const DIType *Type = typeOf(Variable);
  if (IsNew && Type && Variable.hasInitializer()) {
    Held Found;
    readInitial(*Variable.getInitializer(), Type, 0, Found);
    It->second = std::move(Found);
  }
  return It->second.lookup(&Function);
}
