// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IR to facts: which instruction accesses what, and how often.
//
//     store i32 1, ptr @g        in a block that runs 8 times per entry
//     --> f: g: write 4 bytes at 0, weight 8, at file.c:3
//
// Two sweeps: the first looks at every instruction and finds the accesses to
// objects, and then the calls between functions (CollectCalls.cpp); the second
// asks for block frequencies, which cost more than all the rest, and only where
// there is something to weigh.

#include "HeldLocks.h"
#include "LockCalls.h"
#include "OnceFlags.h"
#include "Pointers.h"
#include "RecordAccesses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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
  Base Place;
  AccessKind Kind;
  uint64_t Size;
  /// The part of the executions that goes to this object: a pointer that is one
  /// of n splits them evenly, so that the sum stays what it is.
  double Share;
};

class Collector {
public:
  Collector(const Function &F, RecordTypes &Types)
      : F(F), DL(F.getParent()->getDataLayout()), Records(F, Types),
        Pointers(F, Types) {}

  void findAccesses();
  bool foundAny() const { return hasAccesses() || Pointers.foundAny(); }
  /// To objects and types, if perhaps in callees.
  bool hasAccesses() const {
    return foundObjects() || Records.foundAny() || Pointers.foundObjects();
  }
  bool foundObjects() const { return !Accesses.empty(); }
  const Function &function() const { return F; }
  /// \p Order is null where the order of calls and accesses does not matter,
  /// \p Held where no locks are known.
  std::vector<ObjectAccesses> weigh(BlockWeights &Weights,
                                    const CallOrder *Order,
                                    const HeldLocks *Held,
                                    const OnceFlags &Flags) const;
  std::vector<RecordAccesses> weighRecords(BlockWeights &Weights,
                                           const CallOrder *Order,
                                           const HeldLocks *Held) const {
    return Records.weigh(Weights, Order, Held);
  }

  std::vector<PointerFact> weighPointers(BlockWeights &Weights, bool HasProfile,
                                         const CallOrder *Order,
                                         const HeldLocks *Held,
                                         const OnceFlags &Flags) const {
    return Pointers.weigh(Weights, HasProfile, Order, Held, Flags);
  }

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
  RecordAccessCollector Records;
  PointerCollector Pointers;
};

void Collector::findAccesses() {
  for (const Instruction &I : instructions(F))
    visit(I);
  Records.resolve();
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
    Pointers.addStore(Store);
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
  case Instruction::Ret:
    Pointers.addReturn(I);
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
  Pointers.addCall(Call);
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

/// Whether assembly has an instruction that takes the line and writes in one
/// step: of x86, and of AArch64 with and without LSE.
bool isAtomicAssembly(StringRef Text) {
  constexpr StringLiteral Words[] = {
      "lock",  "xchg",  "xadd",  "ldxr",  "ldaxr", "ldxp",  "ldaxp", "ldadd",
      "ldset", "ldclr", "ldeor", "stadd", "stset", "stclr", "swp",   "cas"};
  return any_of(Words, [&](StringRef Word) { return Text.contains(Word); });
}

/// Whether assembly uses its operand \p Number as an address: "($0)" or
/// "8(${0:q},...)" of x86, "[$0]" of AArch64.
bool isDereferenced(StringRef Text, unsigned Number) {
  std::string Plain = ("$" + Twine(Number)).str();
  std::string Modified = ("${" + Twine(Number)).str();
  for (size_t Position = 0;
       (Position = Text.find_first_of("([", Position)) != StringRef::npos;) {
    StringRef Rest = Text.drop_front(++Position);
    if ((Rest.consume_front(Plain) || Rest.consume_front(Modified)) &&
        !Rest.empty() && !isDigit(Rest.front()))
      return true;
  }
  return false;
}

/// Operands of inline assembly: in memory, as in
///     asm("lock; incl %0" : "+m"(g));
/// and in registers that it takes for addresses, as in
///     asm("lock; incl (%0)" : : "r"(&g) : "memory");
/// What it writes there only the clobber tells.
void Collector::visitInlineAsm(const CallBase &Call) {
  const auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  StringRef Text = Asm->getAsmString();
  bool Locks = isAtomicAssembly(Text);
  InlineAsm::ConstraintInfoVector Constraints = Asm->ParseConstraints();
  bool WritesMemory =
      any_of(Constraints, [](const InlineAsm::ConstraintInfo &C) {
        return C.Type == InlineAsm::isClobber &&
               is_contained(C.Codes, "{memory}");
      });
  unsigned Argument = 0;
  for (auto [Operand, C] : enumerate(Constraints)) {
    if (C.Type == InlineAsm::isClobber || C.Type == InlineAsm::isLabel ||
        !C.hasArg())
      continue;
    unsigned Number = Argument++;
    if (Number >= Call.arg_size())
      continue;
    if (!C.isIndirect) {
      // A register that is written too is an output before: "+r" is "=r", "0".
      unsigned Named = Operand;
      if (!C.Codes.empty())
        StringRef(C.Codes.front()).getAsInteger(10, Named);
      const Value *Given = Call.getArgOperand(Number);
      if (Given->getType()->isPointerTy() && isDereferenced(Text, Named))
        add(Call, Given,
            !WritesMemory ? AccessKind::Read
            : Locks       ? AccessKind::Atomic
                          : AccessKind::Write,
            0);
      continue;
    }
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
  Records.add(I, Pointer, Kind, Size);
  // Most pointers: the stack.
  if (isa<AllocaInst>(Pointer))
    return;
  Bases B = Pointers.resolve(I, Pointer);
  Pointers.addAccess(I, B, Kind, Size);
  for (const Base &Place : B.Known)
    if (!Place.IsMay)
      Accesses.push_back({&I, Place, Kind, Size, 1.0 / B.Alternatives});
}

/// Orders accesses, and tells which are to be added up.
auto getKey(const Access &A) {
  return std::make_tuple(!A.Offset, A.Offset.value_or(0), A.Stride, A.First,
                         A.IsByThread, A.Size, A.Kind, A.File, A.Line);
}

/// By its name first: where an object is in the compiler's memory differs from
/// one run to the next, and what is written must not.
auto getKey(ObjectPlace Place) {
  return std::make_tuple(Place ? Place.Object->getName() : StringRef(),
                         Place.Object, Place.Offset);
}

auto getKey(const ObjectAccess &A) {
  return std::tuple_cat(getKey(static_cast<const Access &>(A)),
                        std::make_tuple(A.Held.IsLocked, getKey(A.Held.Lock),
                                        getKey(A.Flag), A.Stored));
}

auto getKey(const TypeAccess &A) {
  return std::tuple_cat(getKey(static_cast<const Access &>(A)),
                        std::make_tuple(A.IsSynchronised, A.IsLock, A.IsElement,
                                        A.IsIndexed, A.IsUnlocked));
}

template <typename T> void addUpEqual(SmallVectorImpl<T> &Accesses) {
  llvm::sort(Accesses,
             [](const T &L, const T &R) { return getKey(L) < getKey(R); });
  size_t Last = 0;
  for (size_t I = 1; I < Accesses.size(); ++I) {
    if (getKey(Accesses[I]) == getKey(Accesses[Last])) {
      Accesses[Last].Weight += Accesses[I].Weight;
      // The latest: it is the one that other threads can meet.
      Accesses[Last].StagesBefore =
          std::max(Accesses[Last].StagesBefore, Accesses[I].StagesBefore);
    } else {
      Accesses[++Last] = Accesses[I];
    }
  }
  Accesses.truncate(Last + 1);
}

/// /usr/include/stdio.h, .../include/c++/12/mutex, and, for what depends on the
/// target, .../include/x86_64-linux-gnu/c++/12/bits/gthr-default.h.
bool isSystemHeader(StringRef File) {
  return File.starts_with("/usr/include/") ||
         File.substr(File.find("/include/")).contains("/c++/") ||
         // Rust's, with its sources installed or without, and Debian's.
         File.contains("/rustlib/src/rust/library/") ||
         ((File.starts_with("/rustc/") ||
           File.starts_with("/usr/src/rustc-")) &&
          File.contains("/library/"));
}

/// Where an access is written: the innermost place of the inlined chain that is
/// not in a header of the system. A std::mutex is locked in libstdc++'s wrapper
/// of pthreads, which nobody who reads a report wants to see.
const DILocation *findPlace(const Instruction &I) {
  const DILocation *Innermost = I.getDebugLoc();
  for (const DILocation *Loc = Innermost; Loc; Loc = Loc->getInlinedAt())
    if (Loc->getLine() && !isSystemHeader(Loc->getFilename()))
      return Loc;
  return Innermost;
}

/// The constant that a plain store writes.
std::optional<uint64_t> storedBy(const Instruction &I) {
  const auto *Store = dyn_cast<StoreInst>(&I);
  if (!Store)
    return std::nullopt;
  const Value *Stored = Store->getValueOperand();
  if (isa<ConstantPointerNull>(Stored))
    return 0;
  const auto *Number = dyn_cast<ConstantInt>(Stored);
  if (!Number || Number->getBitWidth() > 64)
    return std::nullopt;
  return Number->getZExtValue();
}

std::vector<ObjectAccesses> Collector::weigh(BlockWeights &Weights,
                                             const CallOrder *Order,
                                             const HeldLocks *Held,
                                             const OnceFlags &Flags) const {
  std::vector<ObjectAccesses> Objects;
  SmallDenseMap<const GlobalValue *, size_t, 8> IndexOf;
  for (const Found &A : Accesses) {
    auto [It, IsNew] = IndexOf.try_emplace(A.Place.Object, Objects.size());
    if (IsNew)
      Objects.push_back({A.Place.Object, {}});

    ObjectAccess Weighed;
    Weighed.Kind = A.Kind;
    Weighed.Offset = A.Place.Offset;
    Weighed.Stride = A.Place.Stride;
    Weighed.First = A.Place.First;
    Weighed.IsByThread = A.Place.IsByThread;
    Weighed.Size = A.Size;
    Weighed.Weight = Weights.count(*A.I->getParent()) * A.Share;
    if (!Weights.areCounted())
      Weighed.Weight *= shareOfChanges(*A.I);
    setSource(Weighed, *A.I);
    if (Order)
      Weighed.StagesBefore = Order->stagesBefore(*A.I);
    // Taking and leaving a lock is no use of what it protects.
    if (LockState State = Held ? Held->at(*A.I) : LockState();
        State.Lock.Object != A.Place.Object ||
        State.Lock.Offset != A.Place.Offset)
      Weighed.Held = State;
    Weighed.Flag = Flags.at(*A.I);
    Weighed.Stored = storedBy(*A.I);
    Objects[It->second].Accesses.push_back(Weighed);
  }
  for (ObjectAccesses &O : Objects)
    mergeEqual(O.Accesses);
  return Objects;
}

} // namespace

void linesman::facts::setSource(Access &Touched, const Instruction &I) {
  // Line 0 is what the optimizer could not keep.
  if (const DILocation *Loc = findPlace(I); Loc && Loc->getLine()) {
    Touched.File = Loc->getFilename();
    Touched.Line = Loc->getLine();
  }
}

void linesman::facts::mergeEqual(SmallVectorImpl<ObjectAccess> &Accesses) {
  addUpEqual(Accesses);
}

void linesman::facts::mergeEqual(SmallVectorImpl<TypeAccess> &Accesses) {
  addUpEqual(Accesses);
}

/// Whether it matters which accesses come before which calls: start-up is over
/// when the first thread starts.
static bool needsOrder(const Function &F, ArrayRef<Edge> Calls) {
  return !Calls.empty() &&
         (F.getName() == "main" || any_of(Calls, [](const Edge &E) {
            return E.Kind == CallKind::Start;
          }));
}

/// Only those with accesses, in the order of the first one.
static void numberTypes(ModuleFacts &Facts,
                        std::shared_ptr<const RecordTypes> Types) {
  DenseMap<TypeNumber, uint32_t> NumberOf;
  auto describeType = [&](TypeNumber Number) {
    const KnownType &T = (*Types)[Number];
    return RecordType{T.Name, T.Size, T.Alignment, fingerprintOf(T)};
  };
  for (FunctionFacts &FF : Facts.Functions)
    for (RecordAccesses &R : FF.Records) {
      auto [It, IsNew] = NumberOf.try_emplace(R.Type, Facts.Types.size());
      if (IsNew)
        Facts.Types.push_back(describeType(R.Type));
      R.Type = It->second;
    }
  auto Renumber = [&](PointerOrigin &Touched) {
    if (Touched.Kind != Origin::Field)
      return;
    auto [It, IsNew] = NumberOf.try_emplace(Touched.Type, Facts.Types.size());
    if (IsNew)
      Facts.Types.push_back(describeType(Touched.Type));
    Touched.Type = It->second;
  };
  auto RenumberAll = [&](std::vector<PointerFact> &Uses) {
    for (PointerFact &P : Uses) {
      Renumber(P.Source);
      Renumber(P.Destination);
    }
  };
  for (FunctionFacts &FF : Facts.Functions)
    RenumberAll(FF.Pointers);
  RenumberAll(Facts.Initial);
  Facts.Names = std::move(Types);
}

ModuleFacts linesman::facts::collectFacts(const Module &M,
                                          FunctionAnalysisManager &FAM) {
  DenseSet<const Function *> Initializers = findInitializers(M);
  auto Types = std::make_shared<RecordTypes>();
  std::vector<Collector> Collectors;
  DenseSet<const Function *> HasAccesses;
  for (const Function &F : M) {
    // An available_externally body is a copy of one that another module emits.
    if (F.isDeclarationForLinker())
      continue;
    Collector C(F, *Types);
    C.findAccesses();
    if (C.hasAccesses())
      HasAccesses.insert(&F);
    Collectors.push_back(std::move(C));
  }

  CallMap Calls = collectCalls(M, HasAccesses);
  LockCallees Locks(M);
  ModuleFacts Facts;
  for (const Collector &C : Collectors) {
    const Function &F = C.function();
    auto Found = Calls.find(&F);
    if (!C.foundAny() && Found == Calls.end())
      continue;
    bool HasProfile = F.getEntryCount().has_value();
    FunctionFacts FF(F, Initializers.contains(&F), HasProfile);
    BlockWeights Weights(F, FAM);
    std::optional<HeldLocks> Held;
    if (Locks.areCalledBy(F)) {
      Held.emplace(F, Locks);
      FF.LeavesLock = Held->leavesCallers();
      for (const HeldLocks::Take &T : Held->takes())
        FF.Takes.push_back({T.Lock, Weights.perEntry(*T.I->getParent())});
    }
    OnceFlags Flags(F);
    std::optional<CallOrder> Order;
    if (Found != Calls.end()) {
      for (FoundEdge &E : Found->second) {
        if (Held)
          E.E.Held = Held->at(*E.I);
        E.E.Flag = Flags.ofCall(*E.I);
      }
      Order.emplace(F, Found->second);
      FF.Calls = Order->order(Weights);
    }
    const CallOrder *Needed = needsOrder(F, FF.Calls) ? &*Order : nullptr;
    FF.Objects = C.weigh(Weights, Needed, Held ? &*Held : nullptr, Flags);
    // What runs before main meets nobody.
    if (!FF.IsInitializer)
      FF.Records = C.weighRecords(Weights, Needed, Held ? &*Held : nullptr);
    FF.Pointers = C.weighPointers(Weights, HasProfile, Needed,
                                  Held ? &*Held : nullptr, Flags);
    if (FF.Objects.empty() && FF.Records.empty() && FF.Pointers.empty() &&
        FF.Calls.empty())
      continue;
    Facts.Functions.push_back(std::move(FF));
  }
  for (const auto &[Caller, Edges] : Calls)
    if (const auto *Table = dyn_cast<GlobalVariable>(Caller)) {
      TableFacts &TF = Facts.Tables.emplace_back();
      TF.Table = Table;
      for (const FoundEdge &Found : Edges)
        TF.Functions.push_back(Found.E);
    }
  Facts.Initial = findInitialPointers(M, *Types);
  prunePointers(Facts);
  numberTypes(Facts, std::move(Types));
  return Facts;
}
