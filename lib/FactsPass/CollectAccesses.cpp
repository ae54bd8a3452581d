// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IR to facts: which instruction accesses what, and how often.
//
//     store i32 1, ptr @g        in a block that runs 8 times per entry
//     --> f: g: write 4 bytes at 0, weight 8, at file.c:3
//
// Two sweeps: the first looks at every instruction and finds the accesses to
// objects, the second asks for block frequencies, which cost more than all the
// rest, and only where there is something to weigh.

#include "ModuleFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <tuple>

using namespace llvm;
using namespace linesman::facts;

namespace {

/// An access that was found, not yet weighed.
struct Found {
  const Instruction *I;
  Base At;
  AccessKind Kind;
  uint64_t Size;
  /// The part of the executions that goes to this object: a pointer that is one
  /// of n splits them evenly, so that the sum stays what it is.
  double Share;
};

class Collector {
public:
  Collector(const Function &F) : F(F), DL(F.getParent()->getDataLayout()) {}

  void findAccesses();
  bool foundAny() const { return !Accesses.empty(); }
  std::vector<ObjectAccesses> weigh(FunctionAnalysisManager &FAM,
                                    std::optional<uint64_t> EntryCount) const;

private:
  void visit(const Instruction &I);
  void visitCall(const CallBase &Call);
  void visitIntrinsic(const IntrinsicInst &Call);
  void visitInlineAsm(const CallBase &Call);
  void add(const Instruction &I, const Value *Pointer, AccessKind Kind,
           uint64_t Size);
  uint64_t getSize(Type *Ty) const;

  const Function &F;
  const DataLayout &DL;
  std::vector<Found> Accesses;
};

void Collector::findAccesses() {
  for (const Instruction &I : instructions(F))
    visit(I);
}

void Collector::visit(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Load:
    add(I, cast<LoadInst>(I).getPointerOperand(), AccessKind::Read,
        getSize(I.getType()));
    break;
  case Instruction::Store: {
    const auto &Store = cast<StoreInst>(I);
    add(I, Store.getPointerOperand(), AccessKind::Write,
        getSize(Store.getValueOperand()->getType()));
    break;
  }
  case Instruction::AtomicRMW: {
    const auto &RMW = cast<AtomicRMWInst>(I);
    add(I, RMW.getPointerOperand(), AccessKind::Atomic, getSize(I.getType()));
    break;
  }
  case Instruction::AtomicCmpXchg: {
    // Takes the line for writing also when it fails.
    const auto &CmpXchg = cast<AtomicCmpXchgInst>(I);
    add(I, CmpXchg.getPointerOperand(), AccessKind::Atomic,
        getSize(CmpXchg.getCompareOperand()->getType()));
    break;
  }
  case Instruction::Call:
  case Instruction::Invoke:
  case Instruction::CallBr:
    visitCall(cast<CallBase>(I));
    break;
  default:
    break;
  }
}

void Collector::visitCall(const CallBase &Call) {
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call)) {
    visitIntrinsic(*Intrinsic);
    return;
  }
  if (Call.isInlineAsm()) {
    visitInlineAsm(Call);
    return;
  }
  for (const CallAccess &A : touchedBy(Call))
    add(Call, Call.getArgOperand(A.Argument), A.Kind, A.Size);
  // The caller copies what it passes by value.
  if (Call.hasByValArgument())
    for (unsigned I = 0, E = Call.arg_size(); I != E; ++I)
      if (Call.isByValArgument(I))
        add(Call, Call.getArgOperand(I), AccessKind::Read,
            getSize(Call.getParamByValType(I)));
}

void Collector::visitIntrinsic(const IntrinsicInst &Call) {
  if (const auto *Mem = dyn_cast<AnyMemIntrinsic>(&Call)) {
    const auto *Length = dyn_cast<ConstantInt>(Mem->getLength());
    uint64_t Size = Length ? Length->getLimitedValue() : 0;
    add(Call, Mem->getRawDest(), AccessKind::Write, Size);
    if (const auto *Transfer = dyn_cast<AnyMemTransferInst>(Mem))
      add(Call, Transfer->getRawSource(), AccessKind::Read, Size);
    return;
  }
  // The mask is taken to be all ones: an upper bound of what is touched.
  switch (Call.getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
    add(Call, Call.getArgOperand(0), AccessKind::Read, getSize(Call.getType()));
    break;
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
    add(Call, Call.getArgOperand(1), AccessKind::Write,
        getSize(Call.getArgOperand(0)->getType()));
    break;
  default:
    break;
  }
}

/// Memory operands of inline assembly, as in asm("lock; incl %0" : "+m"(g)).
void Collector::visitInlineAsm(const CallBase &Call) {
  const auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  StringRef Text = Asm->getAsmString();
  bool Locks = Text.contains("lock") || Text.contains("xchg");
  unsigned Argument = 0;
  for (const InlineAsm::ConstraintInfo &C : Asm->ParseConstraints()) {
    if (C.Type == InlineAsm::isClobber || C.Type == InlineAsm::isLabel ||
        !C.hasArg())
      continue;
    unsigned Number = Argument++;
    if (!C.isIndirect || Number >= Call.arg_size())
      continue;
    Type *Ty = Call.getParamElementType(Number);
    AccessKind Kind = C.Type == InlineAsm::isInput ? AccessKind::Read
                      : Locks                      ? AccessKind::Atomic
                                                   : AccessKind::Write;
    add(Call, Call.getArgOperand(Number), Kind, Ty ? getSize(Ty) : 0);
  }
}

uint64_t Collector::getSize(Type *Ty) const {
  TypeSize Size = DL.getTypeStoreSize(Ty);
  return Size.isScalable() ? 0 : Size.getFixedValue();
}

void Collector::add(const Instruction &I, const Value *Pointer, AccessKind Kind,
                    uint64_t Size) {
  // Most pointers: the stack, or loaded or handed in.
  if (isa<AllocaInst, Argument, LoadInst>(Pointer))
    return;
  Bases B = resolveBases(Pointer, DL);
  for (const Base &At : B.Known)
    Accesses.push_back({&I, At, Kind, Size, 1.0 / B.Alternatives});
}

/// Orders accesses, and tells which are to be added up.
auto getKey(const Access &A) {
  return std::make_tuple(!A.Offset, A.Offset.value_or(0), A.Size, A.Kind,
                         A.File, A.Line);
}

void mergeEqual(SmallVectorImpl<Access> &Accesses) {
  llvm::sort(Accesses, [](const Access &L, const Access &R) {
    return getKey(L) < getKey(R);
  });
  size_t Last = 0;
  for (size_t I = 1; I < Accesses.size(); ++I) {
    if (getKey(Accesses[I]) == getKey(Accesses[Last]))
      Accesses[Last].Weight += Accesses[I].Weight;
    else
      Accesses[++Last] = Accesses[I];
  }
  Accesses.truncate(Last + 1);
}

/// How often a loop's turn begins, for a block in a loop that never ends: that
/// is what its executions are counted for. A thread's endless loop has no
/// executions per entry; LLVM takes 4096, which would outweigh all else.
std::optional<double> frequencyOfTurn(const BasicBlock *BB, const LoopInfo &LI,
                                      const BlockFrequencyInfo &BFI) {
  const Loop *L = LI.getLoopFor(BB);
  if (!L)
    return std::nullopt;
  L = L->getOutermostLoop();
  SmallVector<BasicBlock *, 4> Exits;
  L->getExitBlocks(Exits);
  if (!all_of(Exits, [](const BasicBlock *Exit) {
        return isa<UnreachableInst>(Exit->getTerminator());
      }))
    return std::nullopt;
  return static_cast<double>(BFI.getBlockFreq(L->getHeader()).getFrequency());
}

std::vector<ObjectAccesses>
Collector::weigh(FunctionAnalysisManager &FAM,
                 std::optional<uint64_t> EntryCount) const {
  // In a function of one block everything runs once an entry.
  const BlockFrequencyInfo *BFI = nullptr;
  const LoopInfo *LI = nullptr;
  double PerEntry = EntryCount ? static_cast<double>(*EntryCount) : 1.0;
  if (std::next(F.begin()) != F.end()) {
    BFI = &FAM.getResult<BlockFrequencyAnalysis>(const_cast<Function &>(F));
    if (uint64_t Frequency = BFI->getEntryFreq().getFrequency())
      PerEntry /= static_cast<double>(Frequency);
    // Block frequencies need it anyway. A profile has counted every turn.
    if (!EntryCount)
      LI = &FAM.getResult<LoopAnalysis>(const_cast<Function &>(F));
  }

  std::vector<ObjectAccesses> Objects;
  SmallDenseMap<const GlobalValue *, size_t, 8> IndexOf;
  for (const Found &A : Accesses) {
    auto [It, IsNew] = IndexOf.try_emplace(A.At.Object, Objects.size());
    if (IsNew)
      Objects.push_back({A.At.Object, {}});

    Access Weighed;
    Weighed.Kind = A.Kind;
    Weighed.Offset = A.At.Offset;
    Weighed.Size = A.Size;
    double Frequency =
        BFI ? static_cast<double>(
                  BFI->getBlockFreq(A.I->getParent()).getFrequency())
            : 1.0;
    double Scale = PerEntry;
    if (LI)
      if (auto Turn = frequencyOfTurn(A.I->getParent(), *LI, *BFI);
          Turn && *Turn > 0)
        Scale = 1.0 / *Turn;
    Weighed.Weight = Frequency * Scale * A.Share;
    // Line 0 is what the optimizer could not keep.
    if (const DILocation *Loc = A.I->getDebugLoc(); Loc && Loc->getLine()) {
      Weighed.File = Loc->getFilename();
      Weighed.Line = Loc->getLine();
    }
    Objects[It->second].Accesses.push_back(Weighed);
  }
  for (ObjectAccesses &O : Objects)
    mergeEqual(O.Accesses);
  return Objects;
}

} // namespace

ModuleFacts linesman::facts::collectFacts(const Module &M,
                                          FunctionAnalysisManager &FAM) {
  DenseSet<const Function *> Initializers = findInitializers(M);
  ModuleFacts Facts;
  for (const Function &F : M) {
    // An available_externally body is a copy of one that another module emits.
    if (F.isDeclarationForLinker())
      continue;
    Collector C(F);
    C.findAccesses();
    if (!C.foundAny())
      continue;
    std::optional<uint64_t> EntryCount;
    if (auto Count = F.getEntryCount())
      EntryCount = Count->getCount();
    Facts.push_back({&F, Initializers.contains(&F), EntryCount.has_value(),
                     C.weigh(FAM, EntryCount)});
  }
  return Facts;
}
