// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who calls, starts and hands on whom.
//
//     pthread_create(&T, 0, worker, 0)   main: start worker
//     on_event(loop, handler)            main: address of handler, calls
//     on_event static ops = {open, close}         ops: address of open, close
//     use(&ops)                          main: address of ops, calls use
//
// Edges are found from the callee's side: a function has few uses and a module
// many instructions. Only calls through pointers are found by looking at calls.
// At the end, edges that can not lead to a fact are dropped.

#include "DeclaredTypes.h"
#include "ModuleFacts.h"
#include "linesman/Facts/LifeCycle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include <map>

using namespace llvm;
using namespace linesman::facts;

namespace {

/// Equal for equal numbers and kinds of parameters; never 0, which fits all.
uint8_t getSignature(const FunctionType &Ty) {
  unsigned Hash = Ty.isVarArg();
  auto Add = [&Hash](const Type *T) {
    Hash = Hash * 31 + T->getTypeID() * 7 +
           (T->isIntegerTy() ? T->getIntegerBitWidth() : 0);
  };
  Add(Ty.getReturnType());
  for (const Type *Parameter : Ty.params())
    Add(Parameter);
  return static_cast<uint8_t>(1 + Hash % 255);
}

/// A constant that carries addresses on to who uses it.
bool isCarrier(const User &U) {
  return isa<ConstantExpr, ConstantAggregate>(U) || isa<GlobalAlias>(U);
}

/// The vtables of what libstdc++ runs on a new thread. Its _M_run is the entry,
/// unless that only calls a function that was stored beside the vtable.
bool isThreadState(StringRef Vtable) {
  return Vtable.starts_with("_ZTVNSt6thread11_State_implI");
}
bool isAsyncState(StringRef Vtable) {
  return Vtable.starts_with("_ZTVNSt13__future_base17_Async_state_implI");
}

/// Constructors and functions that run what they are given on a thread, where
/// they are not inlined.
bool isThreadConstructor(StringRef Callee) {
  return Callee.starts_with("_ZNSt6threadC") ||
         Callee.starts_with("_ZNSt7jthreadC") ||
         Callee.starts_with("_ZSt5asyncI");
}

class CallCollector {
public:
  explicit CallCollector(const Module &M)
      : M(M), Libraries(Triple(M.getTargetTriple())), Declared(M) {}

  void findEdges();
  void prune(const DenseSet<const Function *> &HasAccesses);

  CallMap Result;

private:
  void findUses(const GlobalValue &Target, const Value &V);
  void addUse(const GlobalValue &Target, const Use &U);
  void addCallUse(const Function &Target, const CallBase &Call, const Use &U);
  void findIndirect(const Function &F);
  void findStarters();
  void findThreadStates();
  /// The new edge, until the next one; null of a caller that is not linked.
  Edge *add(const Instruction &I, CallKind Kind, const GlobalValue *Callee,
            uint8_t Signature = 0, bool InLoop = false, double Weight = 1);
  void addAddress(const Instruction &I, const GlobalValue &Target);
  void addRare(const Instruction &I, const Function &Callee) {
    add(I, CallKind::Direct, &Callee, 0, false, OnceShare);
  }
  bool isBoring(const GlobalValue &Callee);

  const Module &M;
  TargetLibraryInfoImpl Libraries;
  DeclaredTypes Declared;
  /// Functions of this module that start threads at an argument of theirs.
  std::map<std::pair<const Function *, unsigned>, ThreadStart> Starters;
  /// Variables that hold functions' addresses.
  SetVector<const GlobalVariable *> Tables;
  SmallPtrSet<const User *, 16> Seen;
};

Edge *CallCollector::add(const Instruction &I, CallKind Kind,
                         const GlobalValue *Callee, uint8_t Signature,
                         bool InLoop, double Weight) {
  const Function *Caller = I.getFunction();
  // std::async hands its thread a pointer to this member.
  if (Kind == CallKind::Address && Callee->getName().ends_with("6_M_runEv") &&
      Callee->getName().starts_with("_ZNSt13__future_base17_Async_state_implI"))
    Kind = CallKind::Start;
  if (Caller->isDeclarationForLinker())
    return nullptr;
  std::vector<FoundEdge> &Edges = Result[Caller];
  Edges.push_back({&I, {Kind, Callee, Signature, InLoop, 0, Weight}});
  return &Edges.back().E;
}

void CallCollector::findEdges() {
  findStarters();
  for (const Function &F : M) {
    if (F.isIntrinsic())
      continue;
    Seen.clear();
    findUses(F, F);
    if (!F.isDeclarationForLinker())
      findIndirect(F);
  }
  // A table stands for what it holds. One table may hold another.
  for (size_t I = 0; I != Tables.size(); ++I) {
    Seen.clear();
    findUses(*Tables[I], *Tables[I]);
  }
  // Vtables of other modules: their functions are handed on with them.
  for (const GlobalVariable &GV : M.globals())
    if (GV.isDeclaration() && GV.getName().starts_with("_ZTV") &&
        !isKnownLibrary(GV.getName())) {
      Seen.clear();
      findUses(GV, GV);
    }
  findThreadStates();
}

void CallCollector::findUses(const GlobalValue &Target, const Value &V) {
  for (const Use &U : V.uses()) {
    const User *Using = U.getUser();
    if (const auto *GV = dyn_cast<GlobalVariable>(Using)) {
      // Lists of the compiler (llvm.used, llvm.global_ctors) call nobody.
      if (GV->getName().starts_with("llvm."))
        continue;
      Tables.insert(GV);
      const auto *F = dyn_cast<Function>(&Target);
      Edge Holds{CallKind::Address, &Target};
      if (F) {
        Holds.Signature = getSignature(*F->getFunctionType());
        Holds.Declared = Declared.ofInitial(*GV, *F);
      }
      Result[GV].push_back({nullptr, Holds});
    } else if (isCarrier(*Using)) {
      if (Seen.insert(Using).second)
        findUses(Target, *Using);
    } else {
      addUse(Target, U);
    }
  }
}

/// Whether \p I stores a function's address where what calls it does so rarely:
/// into a local record with a handler of signals, or where libstdc++'s
/// std::call_once keeps it for pthread_once.
bool isKeptForRareCall(const Instruction &I) {
  const auto *Store = dyn_cast<StoreInst>(&I);
  if (!Store)
    return false;
  const Value *Written = getUnderlyingObject(Store->getPointerOperand());
  if (const auto *Address = dyn_cast<IntrinsicInst>(Written);
      Address && Address->getIntrinsicID() == Intrinsic::threadlocal_address)
    Written = Address->getArgOperand(0);
  if (isa<GlobalVariable>(Written) && Written->getName() == "_ZSt11__once_call")
    return true;
  return isa<AllocaInst>(Written) &&
         any_of(instructions(*I.getFunction()), [&](const Instruction &Other) {
           const auto *Call = dyn_cast<CallBase>(&Other);
           const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
           return Callee && takesHandlerRecord(Callee->getName()) &&
                  Call->arg_size() > 1 &&
                  getUnderlyingObject(Call->getArgOperand(1)) == Written;
         });
}

void CallCollector::addUse(const GlobalValue &Target, const Use &U) {
  const auto *I = dyn_cast<Instruction>(U.getUser());
  // What is left are block addresses and personalities.
  if (!I)
    return;
  const auto *F = dyn_cast<Function>(&Target);
  const auto *Call = dyn_cast<CallBase>(I);
  if (F && Call && Call->isCallee(&U)) {
    if (runsCallbacks(F->getName()))
      add(*I, CallKind::Indirect, nullptr);
    // That the entry is not known matters too: from here there are threads.
    if (auto Start = startedBy(F->getName());
        Start && Start->Argument < Call->arg_size() &&
        !isa<Function>(
            Call->getArgOperand(Start->Argument)->stripPointerCasts()))
      add(*I, CallKind::Start, nullptr, 0, true);
    add(*I, CallKind::Direct, F);
  } else if (F && Call && Call->isArgOperand(&U)) {
    addCallUse(*F, *Call, U);
  } else if (F && isKeptForRareCall(*I)) {
    addRare(*I, *F);
  } else if (!isa<CmpInst>(I)) {
    addAddress(*I, Target);
  }
}

void CallCollector::addAddress(const Instruction &I,
                               const GlobalValue &Target) {
  const auto *F = dyn_cast<Function>(&Target);
  Edge *Added = add(I, CallKind::Address, &Target,
                    F ? getSignature(*F->getFunctionType()) : 0);
  if (F && Added)
    Added->Declared = Declared.ofPlace(I, *F);
}

/// \p Target is an argument of \p Call.
void CallCollector::addCallUse(const Function &Target, const CallBase &Call,
                               const Use &U) {
  unsigned Number = Call.getArgOperandNo(&U);
  if (const Function *Callee = Call.getCalledFunction()) {
    auto Start = startedBy(Callee->getName());
    if (Start && Start->Argument != Number)
      Start.reset();
    if (auto It = Starters.find({Callee, Number}); It != Starters.end())
      Start = It->second;
    if (isThreadConstructor(Callee->getName()))
      Start = ThreadStart{Number, false};
    if (Start) {
      add(Call, CallKind::Start, &Target, 0, Start->IsTeam);
      return;
    }
    if (auto Rare = runRarelyBy(Callee->getName());
        Rare && Rare->contains(Number)) {
      addRare(Call, Target);
      return;
    }
    if (Callee->isIntrinsic())
      return;
  }
  addAddress(Call, Target);
}

/// Functions that hand an argument on to one that starts a thread at it.
void CallCollector::findStarters() {
  SmallVector<std::pair<const Function *, ThreadStart>, 8> Worklist;
  for (const Function &F : M)
    if (auto Start = startedBy(F.getName()))
      Worklist.push_back({&F, *Start});
  while (!Worklist.empty()) {
    auto [F, Start] = Worklist.pop_back_val();
    for (const User *U : F->users()) {
      const auto *Call = dyn_cast<CallBase>(U);
      if (!Call || Call->getCalledFunction() != F ||
          Start.Argument >= Call->arg_size())
        continue;
      const auto *A = dyn_cast<Argument>(
          Call->getArgOperand(Start.Argument)->stripPointerCasts());
      if (!A)
        continue;
      ThreadStart Outer{A->getArgNo(), Start.IsTeam};
      if (Starters.insert({{A->getParent(), A->getArgNo()}, Outer}).second)
        Worklist.push_back({A->getParent(), Outer});
    }
  }
}

void CallCollector::findIndirect(const Function &F) {
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (Call && Call->isIndirectCall() &&
        !isa<Constant>(Call->getCalledOperand()))
      if (Edge *Added = add(I, CallKind::Indirect, nullptr,
                            getSignature(*Call->getFunctionType())))
        Added->Declared = Declared.ofCalled(*Call);
  }
}

/// The function whose address is stored into the object that \p Store gives its
/// vtable: std::thread(worker, 1) makes a copy of both in one object.
const Function *findStoredBeside(const Instruction &Store) {
  const auto *S = dyn_cast<StoreInst>(&Store);
  if (!S)
    return nullptr;
  const Value *Object = S->getPointerOperand()->stripInBoundsOffsets();
  for (const Instruction &I : instructions(*Store.getFunction()))
    if (const auto *Other = dyn_cast<StoreInst>(&I))
      if (const auto *F =
              dyn_cast<Function>(Other->getValueOperand()->stripPointerCasts());
          F && Other->getPointerOperand()->stripInBoundsOffsets() == Object)
        return F;
  return nullptr;
}

/// Replaces what the vtables of threads say by starts.
void CallCollector::findThreadStates() {
  for (auto &[Caller, Edges] : Result) {
    if (!isa<Function>(Caller))
      continue;
    SmallVector<const Function *, 2> Stored;
    for (FoundEdge &Found : Edges) {
      const auto *Vtable = dyn_cast_or_null<GlobalVariable>(Found.E.Callee);
      if (!Vtable || Found.E.Kind != CallKind::Address)
        continue;
      bool IsState = isThreadState(Vtable->getName());
      if (!IsState && !isAsyncState(Vtable->getName()))
        continue;
      const Function *Entry = findStoredBeside(*Found.I);
      if (Entry)
        Stored.push_back(Entry);
      else if (auto Held = Result.find(Vtable); IsState && Held != Result.end())
        for (const FoundEdge &Edge : Held->second)
          if (Edge.E.Callee->getName().ends_with("6_M_runEv"))
            Entry = dyn_cast<Function>(Edge.E.Callee);
      if (Entry)
        Found.E = {CallKind::Start, Entry, 0, false, 0, 1};
    }
    erase_if(Edges, [&](const FoundEdge &Found) {
      return Found.E.Kind == CallKind::Address && isa<StoreInst>(Found.I) &&
             is_contained(Stored, Found.E.Callee);
    });
  }
}

/// Whether a function or variable of another module has no facts, as far as its
/// name tells.
bool CallCollector::isBoring(const GlobalValue &Callee) {
  LibFunc Known;
  // What matters of these are other edges.
  if (startedBy(Callee.getName()) || runsCallbacks(Callee.getName()))
    return true;
  if (waitsForWork(Callee.getName()) || isSetUp(Callee.getName()) ||
      endsThreads(Callee.getName()) || isCostly(Callee.getName()))
    return false;
  return isKnownLibrary(Callee.getName()) ||
         Libraries.getLibFunc(Callee.getName(), Known);
}

void CallCollector::prune(const DenseSet<const Function *> &HasAccesses) {
  DenseMap<const GlobalValue *, SmallVector<const GlobalValue *, 4>> UsersOf;
  DenseSet<const GlobalValue *> Interesting;
  SmallVector<const GlobalValue *, 64> Worklist;
  auto Mark = [&](const GlobalValue *GV) {
    if (Interesting.insert(GV).second)
      Worklist.push_back(GV);
  };
  for (const Function *F : HasAccesses)
    Mark(F);
  for (const auto &[Caller, Edges] : Result)
    for (const FoundEdge &Found : Edges) {
      const GlobalValue *Callee = Found.E.Callee;
      if (Callee)
        UsersOf[Callee].push_back(Caller);
      if (Found.E.Kind == CallKind::Start || Found.E.Kind == CallKind::Indirect)
        Mark(Caller);
      if (Callee && Callee->isDeclarationForLinker() && !isBoring(*Callee))
        Mark(Callee);
      // Another module's copy may be the one that is linked.
      if (Callee && Callee->isInterposable())
        Mark(Callee);
    }
  while (!Worklist.empty())
    for (const GlobalValue *User : UsersOf.lookup(Worklist.pop_back_val()))
      Mark(User);
  for (auto &[Caller, Edges] : Result)
    erase_if(Edges, [&](const FoundEdge &Found) {
      return Found.E.Callee && Found.E.Kind != CallKind::Start &&
             !Interesting.contains(Found.E.Callee);
    });
  Result.remove_if([](const auto &Entry) { return Entry.second.empty(); });
}

} // namespace

CallMap
linesman::facts::collectCalls(const Module &M,
                              const DenseSet<const Function *> &HasAccesses) {
  CallCollector C(M);
  C.findEdges();
  C.prune(HasAccesses);
  return std::move(C.Result);
}
