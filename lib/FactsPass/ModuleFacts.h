// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of the pass, one file each, and what they hand on:
//
//     Module --collectFacts--> ModuleFacts --emitFacts--> module assembly
//               | resolveBases: pointer to objects
//               | touchedBy:    calls that access what they are given
//               | collectCalls: who calls, starts and hands on whom
//               | CallOrder, BlockWeights: when and how often
//               | HeldLocks: which locks are held meanwhile
//               | OnceFlags: what runs while a flag is not set
//               | RecordAccessCollector: accesses through pointers, by type
//               | PointerCollector: accesses through parameters and the like,
//               |                   and where addresses go
//               | findInitializers
//               `--------------------------> printFacts (print<linesman-facts>)
//
// What the objects are: mutable variables with static storage that are not
// thread_local. They are named directly in the code; accesses through a pointer
// that somebody passed in are facts about its type.

#ifndef LINESMAN_LIB_FACTSPASS_MODULEFACTS_H
#define LINESMAN_LIB_FACTSPASS_MODULEFACTS_H

#include "linesman/Facts/Facts.h"
#include "linesman/Facts/KnownThreads.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/PassManager.h"
#include <memory>
#include <optional>
#include <vector>

namespace llvm {
class BasicBlock;
class BlockFrequencyInfo;
class CallBase;
class DataLayout;
class DIGlobalVariable;
class Function;
class GlobalValue;
class GlobalVariable;
class Instruction;
class Loop;
class LoopInfo;
class Module;
class Value;
class raw_ostream;
} // namespace llvm

namespace linesman::facts {

class RecordTypes;
struct PointerFact;

/// An object with static storage, and bytes from its start. Of a lock, where it
/// is, or where the pointer to it is; no object is some lock.
struct ObjectPlace {
  const llvm::GlobalValue *Object = nullptr;
  uint64_t Offset = 0;

  explicit operator bool() const { return Object; }
  friend bool operator==(const ObjectPlace &, const ObjectPlace &) = default;
};

/// What is held where an instruction runs.
struct LockState {
  /// There may be a lock.
  bool IsLocked = false;
  /// The lock that is certainly held, and was taken first.
  ObjectPlace Lock;

  explicit operator bool() const { return IsLocked || Lock; }
};

/// In place of Access::IsLocked, HeldLock and OnceFlag, which are of a linked
/// binary.
struct ObjectAccess : Access {
  LockState Held;
  ObjectPlace Flag;
};

/// All accesses of one function to one object. Sorted and without equals: what
/// differs in weight only is added up. The strings are the module's.
struct ObjectAccesses {
  /// A variable, or an alias whose target the linker may replace.
  const llvm::GlobalValue *Object;
  llvm::SmallVector<ObjectAccess, 2> Accesses;
};

/// The same for objects of one type that pointers lead to.
struct RecordAccesses {
  /// Position in ModuleFacts::Types.
  uint32_t Type;
  llvm::SmallVector<TypeAccess, 2> Accesses;
};

/// What a function, or a table of functions, does with another one; see
/// CallEdge. The callee is a function, a variable that holds functions'
/// addresses (it stands for all of them), or nullptr.
struct Edge {
  CallKind Kind = CallKind::Direct;
  const llvm::GlobalValue *Callee = nullptr;
  uint8_t Signature = 0;
  bool InLoop = false;
  uint32_t Stage = 0;
  double Weight = 1;
  LockState Held = {};
  /// See Access::OnceFlag.
  ObjectPlace Flag = {};
  /// See CallEdge.
  uint8_t Declared = 0;
};

/// See LockTake.
struct Take {
  ObjectPlace Lock;
  double Weight;
};

struct FunctionFacts {
  FunctionFacts(const llvm::Function &F, bool IsInitializer, bool HasProfile);
  FunctionFacts(FunctionFacts &&);
  FunctionFacts &operator=(FunctionFacts &&);
  ~FunctionFacts();

  const llvm::Function *F;
  bool IsInitializer;
  bool HasProfile;
  std::vector<ObjectAccesses> Objects;
  std::vector<RecordAccesses> Records;
  std::vector<PointerFact> Pointers;
  /// By stage.
  std::vector<Edge> Calls;
  std::vector<Take> Takes;
  bool LeavesLock = false;

  /// Whether calls are made with locks, or locks are taken or left.
  bool hasLocks() const;
  /// Whether calls are behind flags.
  bool hasFlags() const;
};

struct TableFacts {
  const llvm::GlobalVariable *Table;
  std::vector<Edge> Functions;
};

/// In the module's order; objects in the order of first access.
struct ModuleFacts {
  ModuleFacts();
  ModuleFacts(ModuleFacts &&);
  ~ModuleFacts();

  std::vector<FunctionFacts> Functions;
  std::vector<TableFacts> Tables;
  /// Addresses that variables hold from the start.
  std::vector<PointerFact> Initial;
  /// Types of objects that pointers lead to. The names are in Names' keeping.
  std::vector<RecordType> Types;
  std::shared_ptr<const RecordTypes> Names;
};

/// Leaves the module as it is. Asks for block frequencies only where a function
/// has something to weigh outside of its first block.
ModuleFacts collectFacts(const llvm::Module &M,
                         llvm::FunctionAnalysisManager &FAM);

/// An object that a pointer may point into.
struct Base {
  const llvm::GlobalValue *Object;
  /// Nothing when it is not constant.
  std::optional<uint64_t> Offset;
  /// Where it is not: see Access.
  uint64_t Stride = 0, First = 0;
  bool IsByThread = false;
  /// It came through a stack slot that holds several pointers in turn.
  bool IsMay = false;
};

/// What a pointer is made of where it is no object: a parameter, a load, a
/// call.
struct Root {
  const llvm::Value *Base;
  /// Bytes from there; nothing when they are not constant.
  std::optional<int64_t> Offset;
  /// Where they are not: see Access.
  uint64_t Stride = 0, First = 0;
  bool IsByThread = false;
  bool IsMay = false;
  /// It is this one only where control came from one block to the other: the
  /// innermost phi's; null without one.
  std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *> Came;
};

struct Bases {
  llvm::SmallVector<Base, 4> Known;
  llvm::SmallVector<Root, 2> Roots;
  /// All alternatives of selects and phis, with those that are not objects.
  unsigned Alternatives = 0;
};

/// Looks through address arithmetic, casts, selects, phis and stack slots that
/// only keep a pointer, of bounded size.
Bases resolveBases(const llvm::Value *Pointer, const llvm::DataLayout &DL);

/// The variable behind an object's aliases; nullptr when it is none.
const llvm::GlobalVariable *getVariable(const llvm::GlobalValue &Object);

/// The declaration of an object; nullptr without debug info.
const llvm::DIGlobalVariable *getDeclaration(const llvm::GlobalValue &Object);

/// How a call accesses memory that one of its arguments points to.
struct CallAccess {
  unsigned Argument;
  AccessKind Kind;
  /// Bytes; 0 when it is not known.
  uint64_t Size;
};

/// The accesses of a call to a function that is known by its name: locks,
/// semaphores, atomics and memory functions of libraries. Empty for others.
llvm::SmallVector<CallAccess, 2> touchedBy(const llvm::CallBase &Call);

/// An edge that was found, not yet weighed.
struct FoundEdge {
  /// nullptr for what a table holds.
  const llvm::Instruction *I;
  /// Its weight is for each time that I runs.
  Edge E;
};

/// The edges of each function and table of a module.
using CallMap =
    llvm::MapVector<const llvm::GlobalValue *, std::vector<FoundEdge>>;

/// Edges by caller, without those that can not lead to a fact: calls of
/// libraries that are known to have none, and of functions that neither access
/// an object nor call what may. \p HasAccesses are the functions that do.
CallMap collectCalls(const llvm::Module &M,
                     const llvm::DenseSet<const llvm::Function *> &HasAccesses);

/// How often blocks run per entry of their function, or in total where the
/// compile had a profile. Analyses are run when they are first needed.
class BlockWeights {
public:
  BlockWeights(const llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  ~BlockWeights();

  /// For accesses.
  double count(const llvm::BasicBlock &BB) { return perEntry(BB) * Entries; }
  /// For calls.
  double perEntry(const llvm::BasicBlock &BB);
  /// Whether executions of a block are those of a turn of a loop that never
  /// ends.
  bool isOfTurn(const llvm::BasicBlock &BB) const {
    return LI && frequencyOfTurn(BB).has_value();
  }
  /// Whether executions were counted, not guessed.
  bool areCounted() const { return HasProfile; }

private:
  std::optional<double> frequencyOfTurn(const llvm::BasicBlock &BB) const;
  void findPacedLoops();
  void findInterruptedLoops();
  void slowBehind(const llvm::BasicBlock &First, double Share);
  void findRare();

  const llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  /// 1 without a profile.
  double Entries = 1;
  bool HasProfile = false;
  /// Where calls of the library may fail.
  std::unique_ptr<llvm::BlockFrequencyInfo> WithFailures;
  const llvm::BlockFrequencyInfo *BFI = nullptr;
  const llvm::LoopInfo *LI = nullptr;
  /// Loops that wait for some time in each turn.
  llvm::SmallPtrSet<const llvm::Loop *, 2> Paced;
  /// Loops that go round only after a signal, or while others are in the way.
  llvm::SmallPtrSet<const llvm::Loop *, 2> Interrupted;
  /// Of blocks behind a test that an allocation failed, of those that say what
  /// went wrong, and of what a thread does once: what they have of their
  /// executions.
  llvm::SmallDenseMap<const llvm::BasicBlock *, double, 4> RareShares;
};

/// What part of its block's executions an instruction has that stores only when
/// that changes something; 1 of all others.
double shareOfChanges(const llvm::Instruction &I);

/// The order of one function's calls. Blocks are ordered so that control only
/// goes on to later ones, or round within one circle; all calls of a circle are
/// one stage.
class CallOrder {
public:
  CallOrder(const llvm::Function &F, llvm::ArrayRef<FoundEdge> Found);

  /// The edges by stage, with their weights. Of equal edges the first and the
  /// last are kept, with the weight of the rest.
  std::vector<Edge> order(BlockWeights &Weights);
  /// How many stages can come before \p I; after order().
  uint32_t stagesBefore(const llvm::Instruction &I) const;

private:
  struct Circle {
    uint32_t Number = 0;
    bool IsLoop = false;
  };
  bool comesBefore(const llvm::Instruction &A,
                   const llvm::Instruction &B) const;
  Circle circleOf(const llvm::Instruction &I) const;

  /// Empty for a function of one block.
  llvm::DenseMap<const llvm::BasicBlock *, Circle> Circles;
  std::vector<FoundEdge> Edges;
};

/// Whether an undefined function is of a library that neither has facts nor
/// calls back by itself.
bool isKnownLibrary(llvm::StringRef Callee);

/// The functions that run before main only: static initialisers, constructor
/// functions, and local functions that nobody else calls.
llvm::DenseSet<const llvm::Function *> findInitializers(const llvm::Module &M);

/// What phase of a build the module is in decides who removes duplicates.
enum class Deduplication {
  /// The linker, by COMDAT groups.
  Linker,
  /// Link-time optimisation has already done it.
  Done,
};

/// How much the optimizer has done; facts say it, because little tells little.
enum class Optimisation { Little, Usual };

/// Appends the facts to the module's assembly. Nothing for formats other than
/// 64-bit little-endian ELF.
void emitFacts(llvm::Module &M, const ModuleFacts &Facts, Deduplication Dedup,
               Optimisation Done);

/// Sets where an access is written: its file and line, if they are known.
void setSource(Access &Touched, const llvm::Instruction &I);
/// Sorts, and adds up what differs in weight only.
void mergeEqual(llvm::SmallVectorImpl<ObjectAccess> &Accesses);
void mergeEqual(llvm::SmallVectorImpl<TypeAccess> &Accesses);

/// Takes back what emitFacts appended.
void removeFacts(llvm::Module &M);

/// One line an access, for tests and people.
void printFacts(const ModuleFacts &Facts, llvm::raw_ostream &OS);

} // namespace linesman::facts

#endif // LINESMAN_LIB_FACTSPASS_MODULEFACTS_H
