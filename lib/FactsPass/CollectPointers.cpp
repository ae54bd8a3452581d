// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where addresses come from and go to, one function at a time:
//
//     store %v, (gep %I, 16)        writes 8 at 16 of parameter 0
//     call @set(@nil)               hands nil to parameter 0 of set
//     call @set((gep %I, 8))        hands parameter 0 + 8 on to it
//     ret @nil                      returns nil
//     store @nil, %node->next       stores nil into node.next
//
// Only callees that are known by name are told of: whom a call through a
// pointer reaches, nobody knows here. Fields are told apart by type and offset,
// whatever object they are of (Heintze and Tardieu, PLDI 2001).

#include "HeldLocks.h"
#include "OnceFlags.h"
#include "Pointers.h"
#include "linesman/Facts/KnownCalls.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include <map>
#include <memory>
#include <tuple>

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace linesman::facts;

/// The number among the parameters that integer registers pass, so that machine
/// code of a caller and IR of its callee agree; nothing for those in memory and
/// in vector registers.
static std::optional<uint32_t> numberOf(const Function &F, unsigned Wanted) {
  uint32_t Number = 0;
  for (const Argument &A : F.args()) {
    bool IsInteger =
        (A.getType()->isPointerTy() || A.getType()->isIntegerTy()) &&
        !A.hasByValAttr();
    if (A.getArgNo() == Wanted)
      return IsInteger ? std::optional(Number) : std::nullopt;
    if (IsInteger)
      Number += A.getType()->isIntegerTy(128) ? 2 : 1;
  }
  // Of a variable number of arguments.
  return std::nullopt;
}

PointerCollector::PointerCollector(const Function &F, RecordTypes &Types)
    : F(F), DL(F.getParent()->getDataLayout()), Types(Types) {
  findComparisons();
}

bool linesman::facts::mayVanish(const GlobalVariable &GV) {
  return GV.isConstant() && GV.hasLocalLinkage();
}

const GlobalVariable *
linesman::facts::variableAt(const Value *Pointer, const DataLayout &DL,
                            std::optional<uint64_t> &Offset) {
  const auto *GV = dyn_cast<GlobalVariable>(getUnderlyingObject(Pointer));
  if (!GV || GV->isThreadLocal() || GV->getAddressSpace() != 0 ||
      mayVanish(*GV))
    return nullptr;
  APInt Bytes(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
  Offset.reset();
  if (Pointer->stripAndAccumulateConstantOffsets(DL, Bytes, true) == GV &&
      !Bytes.isNegative())
    Offset = Bytes.getZExtValue();
  return GV;
}

/// The innermost struct that a GEP steps into, and the offset in it.
static std::pair<const StructType *, uint64_t>
findStruct(const GEPOperator &GEP, const DataLayout &DL) {
  const StructType *Found = nullptr;
  uint64_t Offset = 0;
  Type *Inner = GEP.getSourceElementType();
  for (auto Index = GEP.idx_begin() + 1; Index < GEP.idx_end(); ++Index) {
    if (auto *Struct = dyn_cast<StructType>(Inner)) {
      const auto *Field = dyn_cast<ConstantInt>(*Index);
      if (!Field)
        return {};
      unsigned Number = Field->getZExtValue();
      Offset = DL.getStructLayout(Struct)->getElementOffset(Number);
      Found = Struct;
      Inner = Struct->getElementType(Number);
    } else if (auto *Array = dyn_cast<ArrayType>(Inner)) {
      // All elements of an array member are one field.
      Inner = Array->getElementType();
    } else {
      return {};
    }
  }
  return {Found, Offset};
}

/// Clang loads and stores what is atomic as an integer.
bool PointerCollector::isPointer(const Instruction &Access,
                                 const Value &Moved) const {
  Type *Ty = Moved.getType();
  return Ty->isPointerTy() ||
         (Access.isAtomic() && Ty->isIntegerTy(DL.getPointerSizeInBits(0)));
}

/// Atomic accesses have no tag, and address arithmetic in bytes says no type:
/// that of the variable does, if there is debug info.
std::optional<PointerOrigin>
PointerCollector::atomicMemberAt(const Value *Pointer) const {
  APInt Bytes(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
  const Value *Record =
      Pointer->stripAndAccumulateConstantOffsets(DL, Bytes, true);
  if (!F.getSubprogram() || Bytes.isNegative() || isa<Constant>(Record))
    return std::nullopt;
  PointerOrigin Result;
  Result.Kind = Origin::Field;
  Result.Offset = Bytes.getZExtValue();
  bool IsKnown = false;
  for (const Instruction &I : instructions(F))
    for (const DbgVariableRecord &R : filterDbgVars(I.getDbgRecordRange())) {
      if (R.getNumVariableLocationOps() != 1 ||
          R.getExpression()->getNumElements() != 0 ||
          R.getVariableLocationOp(0) != Record)
        continue;
      auto Type = Types.ofPointee(R.getVariable()->getType());
      // Of inlined functions, the library's see a part of it.
      if (!Type || Types[*Type].IsLibrarys)
        continue;
      if (IsKnown && Result.Type != *Type)
        return std::nullopt;
      Result.Type = *Type;
      IsKnown = true;
    }
  return IsKnown ? std::optional(Result) : std::nullopt;
}

/// Not of libraries' records: all containers of a program have the same nodes.
std::optional<PointerOrigin>
PointerCollector::memberAt(const Instruction &I, const Value *Pointer) const {
  PointerOrigin Result;
  Result.Kind = Origin::Field;
  if (auto Tagged = Types.ofInnermost(I.getMetadata(LLVMContext::MD_tbaa))) {
    Result.Type = Tagged->Type;
    Result.Offset = Tagged->Offset;
  } else if (const auto *GEP = dyn_cast<GEPOperator>(Pointer)) {
    auto [Struct, Offset] = findStruct(*GEP, DL);
    std::optional<TypeNumber> Type;
    if (Struct)
      Type = Types.ofStruct(Struct, DL);
    if (!Type)
      return I.isAtomic() ? atomicMemberAt(Pointer) : std::nullopt;
    Result.Type = *Type;
    Result.Offset = Offset;
  } else {
    return std::nullopt;
  }
  if (I.isAtomic() && Types[Result.Type].IsLibrarys)
    return atomicMemberAt(Pointer);
  return Types[Result.Type].IsLibrarys ? std::nullopt : std::optional(Result);
}

/// A callee that has facts, or may have some elsewhere.
static const Function *knownCallee(const CallBase &Call) {
  const auto *F =
      dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (!F || F->isIntrinsic() ||
      F->getFunctionType() != Call.getFunctionType() ||
      (F->isDeclaration() && isKnownLibrary(F->getName())))
    return nullptr;
  return F;
}

std::optional<PointerOrigin>
PointerCollector::originOf(const Root &Place) const {
  PointerOrigin Result;
  if (const auto *A = dyn_cast<Argument>(Place.Base)) {
    auto Number = numberOf(*A->getParent(), A->getArgNo());
    if (!Number)
      return std::nullopt;
    Result.Kind = Origin::Parameter;
    Result.Number = *Number;
    return Result;
  }
  if (const auto *Call = dyn_cast<CallBase>(Place.Base)) {
    Result.Kind = Origin::Result;
    Result.GV = knownCallee(*Call);
    if (!Result.GV || Call->returnDoesNotAlias())
      return std::nullopt;
    return Result;
  }
  const auto *Load = dyn_cast<LoadInst>(Place.Base);
  if (!Load || !isPointer(*Load, *Load))
    return std::nullopt;
  // A member of a variable can be stored through pointers, too.
  const Value *Pointer = Load->getPointerOperand();
  if (auto Member = memberAt(*Load, Pointer))
    return Member;
  Result.GV = variableAt(Pointer, DL, Result.Offset);
  if (!Result.GV)
    return std::nullopt;
  Result.Kind = Origin::Variable;
  return Result;
}

/// As what is atomic is compared with.
static bool isAddressAsNumber(const Value *V) {
  return isa<PtrToIntOperator>(V);
}

/// What a condition is without its negations, and whether there is an even
/// number of them.
static std::pair<const Value *, bool> throughNot(const Value *Condition) {
  bool IsTrue = true;
  const Value *Inner = nullptr;
  while (match(Condition, m_Not(m_Value(Inner)))) {
    Condition = Inner;
    IsTrue = !IsTrue;
  }
  return {Condition, IsTrue};
}

/// bool isNil(const Node *n) { return n == &nil; }
static std::pair<const Value *, bool> returnedTest(const CallBase &Call,
                                                   bool IsTrue) {
  const Function *Callee = Call.getCalledFunction();
  // Another body may be linked in the place of this one.
  if (!Callee || Callee->isDeclaration() || Callee->isInterposable() ||
      Callee->size() != 1 || !Call.getType()->isIntegerTy(1))
    return {nullptr, false};
  const auto *Return = dyn_cast<ReturnInst>(Callee->front().getTerminator());
  if (!Return || !Return->getReturnValue())
    return {nullptr, false};
  auto [Test, IsSame] = throughNot(Return->getReturnValue());
  return {Test, IsSame == IsTrue};
}

/// One side of the comparison is an object, the other one a pointer: of a test
/// in a callee, a parameter that the call gives it. Of a pointer that is one of
/// several, what joins them stands for it.
void PointerCollector::addComparisons(const BasicBlock &BB,
                                      const ICmpInst &Compare,
                                      const BasicBlock *IfOther,
                                      const CallBase *Call) {
  auto RootOf = [&](const Value *Pointer) -> const Value * {
    Bases Other = resolveBases(Pointer, DL);
    if (Other.Alternatives == 1 && Other.Roots.size() == 1 &&
        Other.Roots[0].Offset == 0 && !Other.Roots[0].IsMay)
      return Other.Roots[0].Base;
    return isa<PHINode, SelectInst>(Pointer) ? Pointer : nullptr;
  };
  for (unsigned Side : {0, 1}) {
    std::optional<uint64_t> Offset;
    const Value *Object = Compare.getOperand(Side);
    if (isAddressAsNumber(Object))
      Object = cast<PtrToIntOperator>(Object)->getPointerOperand();
    if (!Object->getType()->isPointerTy())
      continue;
    const GlobalVariable *GV = variableAt(Object, DL, Offset);
    const Value *Pointer = RootOf(Compare.getOperand(1 - Side));
    if (!GV || !Offset || !Pointer)
      continue;
    if (Call) {
      const auto *Parameter = dyn_cast<Argument>(Pointer);
      if (!Parameter || Parameter->getArgNo() >= Call->arg_size())
        continue;
      Pointer = RootOf(Call->getArgOperand(Parameter->getArgNo()));
    }
    if (Pointer)
      Comparisons.push_back({&BB, IfOther, Pointer, {GV, Offset}});
  }
}

/// Tests of identity with objects, and where control goes that fails them.
void PointerCollector::findComparisons() {
  for (const BasicBlock &BB : F) {
    const auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
    if (!Branch || !Branch->isConditional() ||
        Branch->getSuccessor(0) == Branch->getSuccessor(1))
      continue;
    auto [Test, IsTrue] = throughNot(Branch->getCondition());
    const auto *Call = dyn_cast<CallBase>(Test);
    bool IsSame = IsTrue;
    if (Call)
      std::tie(Test, IsSame) = returnedTest(*Call, IsTrue);
    const auto *Compare = dyn_cast_or_null<ICmpInst>(Test);
    if (!Compare || !Compare->isEquality() ||
        !(Compare->getOperand(0)->getType()->isPointerTy() ||
          any_of(Compare->operands(), isAddressAsNumber)))
      continue;
    bool IsEqual = (Compare->getPredicate() == ICmpInst::ICMP_EQ) == IsSame;
    addComparisons(BB, *Compare, Branch->getSuccessor(IsEqual ? 1 : 0), Call);
  }
  if (!Comparisons.empty())
    Dominators = std::make_shared<DominatorTree>(const_cast<Function &>(F));
}

/// The test that control must have passed on its way here, or to where a phi
/// takes the pointer.
Base PointerCollector::excluded(const Instruction &I, const Root &R) const {
  for (const Comparison &C : Comparisons) {
    if (C.Root != R.Base)
      continue;
    BasicBlockEdge Passed(C.Begin, C.End);
    // Behind a phi, it may be the value of an earlier turn.
    if (R.Came.first ? std::pair(C.Begin, C.End) == R.Came ||
                           Dominators->dominates(Passed, R.Came.first)
                     : Dominators->dominates(Passed, I.getParent()))
      return C.Object;
  }
  return {nullptr, 0};
}

/// The objects that a pointer may point into where it is used: none that a test
/// of what joins them has excluded.
///
///     parent = phi [ @nil ], [ %node ]
///     if (parent != @nil)
///       parent->left = data;          --> node alone
Bases PointerCollector::resolve(const Instruction &User,
                                const Value *Pointer) const {
  Bases Result = resolveBases(Pointer, DL);
  if (Comparisons.empty() || Result.Known.empty())
    return Result;
  const Value *Join = Pointer;
  while (const auto *GEP = dyn_cast<GEPOperator>(Join))
    Join = GEP->getPointerOperand();
  for (const Comparison &C : Comparisons) {
    if (C.Root != Join || !Dominators->dominates(BasicBlockEdge(C.Begin, C.End),
                                                 User.getParent()))
      continue;
    // The test is of one place, and others in the object may be joined, too.
    auto IsOther = [&](const Base &B) {
      return B.Object == C.Object.Object && B.Offset != C.Object.Offset;
    };
    if (any_of(resolveBases(Join, DL).Known, IsOther))
      continue;
    size_t Before = Result.Known.size();
    erase_if(Result.Known,
             [&](const Base &B) { return B.Object == C.Object.Object; });
    Result.Alternatives -= Before - Result.Known.size();
  }
  return Result;
}

/// Of an object or a root; a multiple of one byte says nothing.
template <typename T> static ElementSteps stepsOf(const T &Pointer) {
  return Pointer.Offset || Pointer.Stride < 2
             ? ElementSteps()
             : ElementSteps{Pointer.Stride, Pointer.First, Pointer.IsByThread};
}

void PointerCollector::addUses(const Instruction &I, const Bases &Pointers,
                               PointerFact Use) {
  // An address that is stored or returned is known, or it is any in its object.
  const bool HasSteps =
      Use.Kind == PointerUse::Access || Use.Kind == PointerUse::Handed;
  auto SetPlace = [&](const auto &Pointer) {
    Use.Offset = Pointer.Offset;
    Use.Steps = HasSteps ? stepsOf(Pointer) : ElementSteps();
    return Use.Offset || Use.Steps || Use.Kind == PointerUse::Access;
  };
  double Share = 1.0 / std::max(Pointers.Alternatives, 1u);
  for (const Base &B : Pointers.Known) {
    // What is done to an object by its name is a fact of its own.
    if (Use.Kind == PointerUse::Access && !B.IsMay)
      continue;
    if (!SetPlace(B))
      continue;
    Use.Source = PointerOrigin();
    Use.Source.Kind = Origin::Object;
    Use.Source.GV = B.Object;
    Use.IsMay = B.IsMay;
    Noted.push_back({&I, Use, Share});
  }
  for (const Root &R : Pointers.Roots) {
    auto Source = originOf(R);
    if (!Source || !SetPlace(R))
      continue;
    Use.Source = *Source;
    Use.IsMay = R.IsMay;
    if (Use.Kind == PointerUse::Access || Use.Kind == PointerUse::Handed)
      Use.Except = excluded(I, R);
    Noted.push_back({&I, Use, Share});
  }
}

void PointerCollector::addAccess(const Instruction &I, const Bases &Pointers,
                                 AccessKind Kind, uint64_t Size) {
  PointerFact Use;
  Use.Does = Kind;
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  Use.IsLock =
      Kind == AccessKind::Atomic && Callee && isLockCall(Callee->getName());
  Use.Size = Size;
  addUses(I, Pointers, Use);
}

void PointerCollector::addHanded(const CallBase &Call, const Value *Given,
                                 const Function &Callee, uint32_t Parameter) {
  // Most arguments are local variables.
  if (!Given->getType()->isPointerTy() || isa<AllocaInst>(Given))
    return;
  PointerFact Use;
  Use.Kind = PointerUse::Handed;
  Use.Callee = &Callee;
  Use.Parameter = Parameter;
  addUses(Call, resolve(Call, Given), Use);
}

void PointerCollector::addCall(const CallBase &Call) {
  if (const Function *Callee = Call.getCalledFunction())
    if (auto Start = startedBy(Callee->getName());
        Start && Start->Argument + 1 < Call.arg_size())
      // The thread's argument is behind its entry.
      if (const auto *Entry = dyn_cast<Function>(
              Call.getArgOperand(Start->Argument)->stripPointerCasts())) {
        addHanded(Call, Call.getArgOperand(Start->Argument + 1), *Entry, 0);
        return;
      }
  const Function *Callee = knownCallee(Call);
  if (!Callee || !touchedBy(Call).empty())
    return;
  for (unsigned I = 0, E = Call.arg_size(); I != E; ++I)
    if (!Call.isByValArgument(I) && !Call.doesNotAccessMemory(I))
      if (auto Number = numberOf(*Callee, I))
        addHanded(Call, Call.getArgOperand(I), *Callee, *Number);
}

/// A local pointer, which loads look through. The first member of a local
/// record is at the same place as the record.
static bool isLocalPointer(const Value &Place) {
  const auto *Slot = dyn_cast<AllocaInst>(&Place);
  return Slot && Slot->getAllocatedType()->isPointerTy();
}

void PointerCollector::addStore(const StoreInst &Store) {
  const Value *Stored = Store.getValueOperand();
  const Value *Place = Store.getPointerOperand();
  if (!isPointer(Store, *Stored) || isa<AllocaInst>(Stored) ||
      isa<ConstantPointerNull>(Stored) || isLocalPointer(*Place))
    return;
  PointerFact Use;
  Use.Kind = PointerUse::Stored;
  Bases Values = resolve(Store, Stored);
  if (Values.Known.empty() && Values.Roots.empty())
    return;
  if (auto Member = memberAt(Store, Place)) {
    Use.Destination = *Member;
    addUses(Store, Values, Use);
  }
  for (const Base &B : resolve(Store, Place).Known) {
    Use.Destination = PointerOrigin();
    Use.Destination.Kind = Origin::Variable;
    Use.Destination.GV = B.Object;
    Use.Destination.Offset = B.Offset;
    addUses(Store, Values, Use);
  }
}

void PointerCollector::addReturn(const Instruction &Return) {
  const Value *V = cast<ReturnInst>(Return).getReturnValue();
  if (!V || !V->getType()->isPointerTy())
    return;
  Bases Pointers = resolve(Return, V);
  PointerFact Use;
  Use.Kind = PointerUse::Returned;
  size_t Before = Noted.size();
  addUses(Return, Pointers, Use);
  // What else it may be counts as one.
  if (Noted.size() != Before && Noted.size() - Before < Pointers.Alternatives)
    Noted.push_back({&Return, Use, 1});
}

bool PointerCollector::foundObjects() const {
  return any_of(Noted, [](const Found &N) {
    return (N.Fact.Kind == PointerUse::Access ||
            N.Fact.Kind == PointerUse::Handed) &&
           N.Fact.Source.Kind != Origin::Parameter;
  });
}

std::vector<PointerFact> PointerCollector::weigh(BlockWeights &Weights,
                                                 bool HasProfile,
                                                 const CallOrder *Order,
                                                 const HeldLocks *Held,
                                                 const OnceFlags &Flags) const {
  std::vector<PointerFact> Result;
  std::map<decltype(PointerFact().key()), std::pair<size_t, double>> Known;
  for (const Found &N : Noted) {
    PointerFact Fact = N.Fact;
    bool HasWeight =
        Fact.Kind == PointerUse::Access || Fact.Kind == PointerUse::Handed;
    if (HasWeight) {
      const BasicBlock &BB = *N.I->getParent();
      bool IsCount = HasProfile && Fact.Source.Kind != Origin::Parameter;
      Fact.Touched.Weight =
          (IsCount ? Weights.count(BB) : Weights.perEntry(BB)) * N.Share;
      setSource(Fact.Touched, *N.I);
      if (Order && Fact.Source.Kind != Origin::Parameter)
        Fact.Touched.StagesBefore = Order->stagesBefore(*N.I);
      if (Held)
        Fact.Held = Held->at(*N.I);
      Fact.Flag = Flags.at(*N.I);
    }
    auto [It, IsNew] =
        Known.try_emplace(Fact.key(), Result.size(), Fact.Touched.Weight);
    if (IsNew) {
      Result.push_back(Fact);
      continue;
    }
    auto &[Index, Heaviest] = It->second;
    Access &Sum = Result[Index].Touched;
    Sum.StagesBefore = std::max(Sum.StagesBefore, Fact.Touched.StagesBefore);
    // The place of the heaviest speaks for all.
    if (Fact.Touched.Weight > Heaviest) {
      Heaviest = Fact.Touched.Weight;
      Sum.File = Fact.Touched.File;
      Sum.Line = Fact.Touched.Line;
    }
    if (HasWeight)
      Sum.Weight += Fact.Touched.Weight;
  }
  return Result;
}

FunctionFacts::FunctionFacts(const Function &F, bool IsInitializer,
                             bool HasProfile)
    : F(&F), IsInitializer(IsInitializer), HasProfile(HasProfile) {}
FunctionFacts::FunctionFacts(FunctionFacts &&) = default;
FunctionFacts &FunctionFacts::operator=(FunctionFacts &&) = default;
FunctionFacts::~FunctionFacts() = default;
ModuleFacts::ModuleFacts() = default;
ModuleFacts::ModuleFacts(ModuleFacts &&) = default;
ModuleFacts::~ModuleFacts() = default;
