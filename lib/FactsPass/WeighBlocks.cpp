// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often a block runs.

#include "FailedCalls.h"
#include "ModuleFacts.h"
#include "OwnFlags.h"
#include "linesman/Facts/KnownThreads.h"
#include "linesman/Facts/Shares.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include <cerrno>

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace linesman::facts;

BlockWeights::~BlockWeights() = default;

BlockWeights::BlockWeights(const Function &F, FunctionAnalysisManager &FAM)
    : F(F), FAM(FAM) {
  if (auto Count = F.getEntryCount()) {
    Entries = static_cast<double>(Count->getCount());
    HasProfile = true;
  }
}

/// How often a loop's turn begins, for a block in a loop that never ends: that
/// is what its executions are counted for. A thread's endless loop has no
/// executions per entry; LLVM takes 4096, which would outweigh all else.
std::optional<double>
BlockWeights::frequencyOfTurn(const BasicBlock &BB) const {
  const Loop *L = LI->getLoopFor(&BB);
  if (!L)
    return std::nullopt;
  L = L->getOutermostLoop();
  SmallVector<BasicBlock *, 4> Exits;
  L->getExitBlocks(Exits);
  if (!all_of(Exits, [](const BasicBlock *Exit) {
        return isa<UnreachableInst>(Exit->getTerminator());
      }))
    return std::nullopt;
  return static_cast<double>(BFI->getBlockFreq(L->getHeader()).getFrequency());
}

/// pause, yield and their kin, as people write them.
static bool isPause(StringRef Assembly) {
  if (Assembly.contains("rep; nop") || Assembly.contains("rep;nop"))
    return true;
  SmallVector<StringRef, 4> Words;
  SplitString(Assembly, Words, " \t\n;");
  return any_of(Words, [](StringRef Word) {
    return is_contained({"pause", "yield", "wfe", "isb"}, Word);
  });
}

/// Whether a block waits a moment, as a loop does that spins.
static bool spins(const BasicBlock &BB) {
  return any_of(BB, [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      return false;
    if (const auto *Assembly = dyn_cast<InlineAsm>(Call->getCalledOperand()))
      return isPause(Assembly->getAsmString());
    const Function *Callee = Call->getCalledFunction();
    if (!Callee)
      return false;
    // yield is 1, wfe 2.
    if (Callee->getName() == "llvm.aarch64.hint")
      return match(Call->getArgOperand(0),
                   m_CombineOr(m_SpecificInt(1), m_SpecificInt(2)));
    return Callee->getName() == "llvm.x86.sse2.pause" ||
           Callee->getName() == "llvm.aarch64.isb" || yields(Callee->getName());
  });
}

static bool waits(const BasicBlock &BB) {
  return any_of(BB, [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && waitsForTime(Callee->getName());
  });
}

/// Whether no turn of a loop avoids the blocks that wait.
static bool waitsEachTurn(const Loop &L,
                          const SmallPtrSetImpl<const BasicBlock *> &Waiting) {
  if (Waiting.contains(L.getHeader()))
    return true;
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *, 16> Worklist{L.getHeader()};
  while (!Worklist.empty())
    for (const BasicBlock *Next : successors(Worklist.pop_back_val())) {
      if (Next == L.getHeader())
        return false;
      if (L.contains(Next) && !Waiting.contains(Next) &&
          Seen.insert(Next).second)
        Worklist.push_back(Next);
    }
  return true;
}

/// Whether a value says why a call failed: what it gave back, or errno.
static bool isFailure(const Value *V) {
  if (const auto *Load = dyn_cast<LoadInst>(V)) {
    const auto *Call = dyn_cast<CallBase>(Load->getPointerOperand());
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && Callee->getName() == "__errno_location";
  }
  return isa<CallBase>(V);
}

/// The successor for a call that a signal interrupted (EINTR).
static const BasicBlock *ifInterrupted(const BranchInst &Branch) {
  const auto *Compare = dyn_cast<ICmpInst>(Branch.getCondition());
  if (!Compare || !Compare->isEquality() || !isFailure(Compare->getOperand(0)))
    return nullptr;
  const auto *Number = dyn_cast<ConstantInt>(Compare->getOperand(1));
  bool IfEqual = Compare->getPredicate() == CmpInst::ICMP_EQ;
  return Number && Number->equalsInt(EINTR)
             ? Branch.getSuccessor(IfEqual ? 0 : 1)
             : nullptr;
}

/// The successor for a compare-exchange at which another thread was faster.
static const BasicBlock *ifContended(const BranchInst &Branch) {
  const auto *Done = dyn_cast<ExtractValueInst>(Branch.getCondition());
  return Done && isa<AtomicCmpXchgInst>(Done->getAggregateOperand()) &&
                 Done->getIndices().front() == 1
             ? Branch.getSuccessor(1)
             : nullptr;
}

using Exception = const BasicBlock *(*)(const BranchInst &);

/// Whether a block only goes on to \p Next in the exception: at once, or after
/// a block that nothing else leads to.
static bool isForException(const BasicBlock &BB, const BasicBlock *Next,
                           Exception SuccessorIf) {
  const auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
  if (!Branch)
    return false;
  if (Branch->isConditional())
    return SuccessorIf(*Branch) == Next;
  const BasicBlock *Before = BB.getSinglePredecessor();
  return Before && succ_size(Before) > 1 &&
         isForException(*Before, &BB, SuccessorIf);
}

/// A call that is made again after a signal is made once, and so is an atomic
/// operation that is made of a compare-exchange.
void BlockWeights::findInterruptedLoops() {
  for (const Loop *L : LI->getLoopsInPreorder()) {
    SmallVector<BasicBlock *, 4> Latches;
    L->getLoopLatches(Latches);
    for (Exception SuccessorIf : {ifInterrupted, ifContended})
      if (all_of(Latches, [&](const BasicBlock *Latch) {
            return isForException(*Latch, L->getHeader(), SuccessorIf);
          }))
        Interrupted.insert(L);
  }
}

void BlockWeights::findPacedLoops() {
  auto InsertWaiting = [&](bool (*Waits)(const BasicBlock &), auto &Loops) {
    SmallPtrSet<const BasicBlock *, 4> Waiting;
    for (const BasicBlock &BB : F)
      if (LI->getLoopFor(&BB) && Waits(BB))
        Waiting.insert(&BB);
    if (Waiting.empty())
      return;
    for (const Loop *L : LI->getLoopsInPreorder())
      if (waitsEachTurn(*L, Waiting))
        Loops.insert(L);
  };
  InsertWaiting(waits, Paced);
  // What spins goes round only where another thread is in the way.
  InsertWaiting(spins, Interrupted);
}

/// Where control goes if the memory that a function has just asked for is not
/// there; null if that is not what the branch tests.
static const BasicBlock *failureOf(const Instruction &Terminator) {
  const auto *Branch = dyn_cast<BranchInst>(&Terminator);
  if (!Branch || !Branch->isConditional())
    return nullptr;
  const auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition());
  if (!Compare || !Compare->isEquality() ||
      !isa<ConstantPointerNull>(Compare->getOperand(1)))
    return nullptr;
  const auto *Call = dyn_cast<CallBase>(Compare->getOperand(0));
  if (!Call || !Call->returnDoesNotAlias())
    return nullptr;
  bool IfEqual = Compare->getPredicate() == CmpInst::ICMP_EQ;
  const BasicBlock *Next = Branch->getSuccessor(IfEqual ? 0 : 1);
  return Next->getSinglePredecessor() ? Next : nullptr;
}

/// Whether a block behind a branch says what went wrong. Of most such calls
/// LLVM knows, and has made them cold.
static bool saysWhatFailed(const BasicBlock &BB) {
  const BasicBlock *Before = BB.getSinglePredecessor();
  return Before && succ_size(Before) > 1 &&
         any_of(BB, [](const Instruction &I) {
           const auto *Call = dyn_cast<CallBase>(&I);
           const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
           return Callee && reportsError(Callee->getName()) &&
                  !Call->hasFnAttr(Attribute::Cold);
         });
}

/// What \p First and all that only it leads to have of their executions.
void BlockWeights::slowBehind(const BasicBlock &First, double Share) {
  auto &Tree = FAM.getResult<DominatorTreeAnalysis>(const_cast<Function &>(F));
  SmallVector<BasicBlock *, 8> Behind;
  Tree.getDescendants(const_cast<BasicBlock *>(&First), Behind);
  for (const BasicBlock *BB : Behind) {
    double &Least = RareShares.try_emplace(BB, Share).first->second;
    Least = std::min(Least, Share);
  }
}

void BlockWeights::findRare() {
  visitOwnOnce(F, [&](const BasicBlock &BB) { slowBehind(BB, OnceShare); });
  for (const BasicBlock &BB : F) {
    if (const BasicBlock *Failure = failureOf(*BB.getTerminator()))
      slowBehind(*Failure, FailedShare);
    // Of the two ways that LLVM holds for equal.
    if (saysWhatFailed(BB))
      slowBehind(BB, 2 * ErrorShare);
  }
}

/// What LLVM takes for the turns of a loop (docs/limits.md).
static constexpr double Turns = 32;

double BlockWeights::perEntry(const BasicBlock &BB) {
  // The entry has no predecessors: it runs once an entry.
  if (&BB == &F.getEntryBlock())
    return 1;
  if (!BFI) {
    // A profile has counted every turn.
    if (!HasProfile) {
      LI = &FAM.getResult<LoopAnalysis>(const_cast<Function &>(F));
      WithFailures = weighFailedCalls(F, *LI, FAM);
    }
    BFI =
        WithFailures
            ? WithFailures.get()
            : &FAM.getResult<BlockFrequencyAnalysis>(const_cast<Function &>(F));
    if (LI) {
      findPacedLoops();
      findInterruptedLoops();
      findRare();
    }
  }
  double Once = static_cast<double>(BFI->getEntryFreq().getFrequency());
  if (LI)
    if (auto Turn = frequencyOfTurn(BB); Turn && *Turn > 0)
      Once = *Turn;
  double Frequency = static_cast<double>(BFI->getBlockFreq(&BB).getFrequency());
  if (!Paced.empty())
    for (const Loop *L = LI->getLoopFor(&BB); L; L = L->getParentLoop())
      if (Paced.contains(L))
        Frequency *= PacedShare;
  if (!Interrupted.empty())
    for (const Loop *L = LI->getLoopFor(&BB); L; L = L->getParentLoop())
      if (Interrupted.contains(L))
        Frequency /= Turns;
  if (auto It = RareShares.find(&BB); It != RareShares.end())
    Frequency *= It->second;
  return Once > 0 ? Frequency / Once : Frequency;
}
