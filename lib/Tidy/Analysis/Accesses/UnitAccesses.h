// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that the code of one unit does to variables with static storage
// and to fields, from one walk over the function bodies, for all checks.
//
//     stats[id()].hits++;      Update, static variable stats, field hits,
//                              element id() of the array stats
//
// Bodies are read as they are after instantiation: in a template's pattern a
// write is a dependent expression. The walk goes down and carries what the
// parent does with the value, so that no parent map is needed. References and
// pointers to a known object are looked through where they are initialised
// once: `auto &slot = slots[id()]; slot.n++` is a write to slots.
//
// Accesses: who does what to which variable or field.
//
//     PlaceResolver ─┐
//     ParameterUses ─┼─▶ UnitWalker ─▶ UnitAccesses ─▶ OperationPaths
//     LambdaRuns ────┘   (one walk)                         │
//                                   FieldRoles ◀─ HotAccesses ◀┘
//     ObjectWrites: the same of one statement, for Addresses
//     Companions: two fields that belong on one line

#ifndef LINESMAN_TIDY_ANALYSIS_ACCESSES_UNITACCESSES_H
#define LINESMAN_TIDY_ANALYSIS_ACCESSES_UNITACCESSES_H

#include "Analysis/Code/BrokenCode.h"
#include "Analysis/Locks/LockEvidence.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace linesman::tidy {

enum class AccessKind : uint8_t {
  Read,
  /// The old value does not matter.
  Write,
  /// Read and written back: ++, +=, fetch_add, exchange.
  Update,
  /// May be written: a non-const call on it, or its address or a mutable
  /// reference handed to a function.
  Mutate,
  /// Its address goes somewhere that is not looked at.
  Address,
};

/// One of an array's elements.
struct Element {
  /// What is indexed: a variable or field (array, pointer, std::vector...).
  const clang::ValueDecl *Array = nullptr;
  const clang::Expr *Index = nullptr;
  /// The type of one element.
  clang::QualType Type;
};

/// Which object an expression names.
struct Place {
  /// The variable with static storage that the object is (part of).
  const clang::VarDecl *Root = nullptr;
  /// Otherwise the variable (local, parameter, static pointer) whose pointee or
  /// part it is.
  const clang::VarDecl *Base = nullptr;
  /// Part of *this.
  bool IsThis = false;
  /// Base is the object itself, not a pointer or reference to it.
  bool IsLocalObject = false;
  /// What the last name on the way, of a smart pointer or of a container of
  /// them, points to.
  bool IsPointee = false;
  /// Fields from the outermost to the one that is accessed; indices between
  /// them are left out.
  llvm::SmallVector<const clang::FieldDecl *, 2> Path;
  /// The innermost element access on the way, as Element has it.
  const clang::ValueDecl *Array = nullptr;
  const clang::Expr *Index = nullptr;
  clang::QualType ElementType;
  /// The elements that this one is part of, the outermost first: for
  /// rows[i].cells[j] the one of rows.
  llvm::SmallVector<Element, 1> OuterElements;

  const clang::FieldDecl *field() const {
    return Path.empty() ? nullptr : Path.back();
  }
  /// The last name on the way.
  const clang::ValueDecl *name() const {
    if (const clang::FieldDecl *Field = field())
      return Field;
    return Root ? Root : Base;
  }
  /// All elements on the way, the outermost first.
  llvm::SmallVector<Element, 2> elements() const {
    llvm::SmallVector<Element, 2> All(OuterElements.begin(),
                                      OuterElements.end());
    if (Index)
      All.push_back({Array, Index, ElementType});
    return All;
  }
  bool isKnown() const { return Root || Base || IsThis || !Path.empty(); }
  /// As far as names tell; indices are not compared.
  bool isSameAs(const Place &Other) const {
    return Root == Other.Root && Base == Other.Base && IsThis == Other.IsThis &&
           Array == Other.Array && Path == Other.Path;
  }
};

struct Access {
  AccessKind Kind = AccessKind::Read;
  /// An atomic operation, by the object's type or by the function used.
  AtomicOperation Atomic = AtomicOperation::None;
  /// Somebody uses the value that the expression has.
  bool IsResultUsed = false;
  /// Part of a condition: if, loop, ?:, && and ||, switch.
  bool IsInCondition = false;
  /// Not on every way through the function.
  bool IsConditional = false;
  /// Behind a branch that the source calls unlikely, or that ends the program.
  bool IsRare = false;
  /// The object is being made or torn down: *this in a constructor or
  /// destructor, a local variable, what this function just allocated.
  bool IsConstruction = false;
  /// Several threads run this very code, under a directive of the function.
  bool IsInRegion = false;
  Place Object;
  /// What performs the access: the assignment, the call, or the name itself.
  const clang::Expr *Site = nullptr;
  /// Nothing in an initialiser of a variable at namespace scope.
  const clang::FunctionDecl *Function = nullptr;
  /// The innermost loop of Function around it, also for its condition; in a
  /// parallel region, of those inside.
  const clang::Stmt *Loop = nullptr;

  /// Each thread of a parallel region does it a single time.
  bool isOnceAThread() const { return IsInRegion && !Loop; }
  bool writes() const {
    return Kind != AccessKind::Read && Kind != AccessKind::Address;
  }
  clang::SourceLocation location() const;
  CodePlace code() const { return {Function, Site}; }
};

struct WalkOptions {
  /// Also bodies in system headers.
  bool SystemHeaders = false;
  /// What does not compile; null for a unit that is whole.
  const BrokenCode *Broken = nullptr;
};

class UnitAccesses {
public:
  UnitAccesses(clang::ASTContext &Unit, const WalkOptions &Options);

  const clang::ASTContext &unit() const { return Unit; }
  llvm::ArrayRef<Access> all() const { return Accesses; }
  /// Indices into all(), in the order of the walk.
  llvm::ArrayRef<unsigned> of(const clang::VarDecl &Static) const;
  llvm::ArrayRef<unsigned> of(const clang::FieldDecl &Field) const;
  llvm::ArrayRef<unsigned> in(const clang::FunctionDecl &Function) const;

  /// Calls of a function that are visible in this unit.
  llvm::ArrayRef<CodePlace> callersOf(const clang::FunctionDecl &F) const;
  /// Named other than to be called: stored, or passed as a callback.
  bool isAddressTaken(const clang::FunctionDecl &Function) const {
    return AddressTaken.contains(Function.getCanonicalDecl());
  }
  /// Put into the record that sigaction() is given.
  bool isSignalHandler(const clang::FunctionDecl &Function) const {
    return SignalHandlers.contains(Function.getCanonicalDecl());
  }
  /// No other unit calls it, and nobody by its address: a static function, a
  /// private method.
  bool hasOnlyCallersHere(const clang::FunctionDecl &Function) const;
  /// The unit runs the function, as far as can be seen: it is no header's
  /// inline function that nothing here calls.
  bool isUsedHere(const clang::FunctionDecl &Function) const;
  /// \p Counter counts the threads of a parallel loop in which each has one
  /// turn.
  bool isTurnOfThread(const clang::VarDecl &Counter,
                      const clang::FunctionDecl &Function) const {
    return ThreadTurns.contains({&Function, &Counter});
  }
  /// The loop around a loop.
  const clang::Stmt *outerLoop(const clang::Stmt &Loop) const {
    return OuterLoops.lookup(&Loop);
  }
  /// Nothing is missing: what is not seen here does not happen here.
  bool isWhole() const { return !Broken; }
  /// Code that does not compile has this name, and may do anything to it.
  bool isNamedInBrokenCode(const clang::NamedDecl &Named) const {
    return Broken && Named.getIdentifier() &&
           Broken->names().contains(Named.getName());
  }
  bool isNamedInBrokenCode(const Place &Object) const {
    return Broken && Object.name() && isNamedInBrokenCode(*Object.name());
  }
  /// The unit knows that there are other threads: something is atomic.
  bool hasAtomics() const { return HasAtomics; }
  /// Functions whose bodies were walked, instantiations included.
  llvm::ArrayRef<const clang::FunctionDecl *> functions() const {
    return Functions;
  }
  /// Variables with static storage that the unit itself defines or declares
  /// outside system headers, function-local ones included.
  llvm::ArrayRef<const clang::VarDecl *> statics() const { return Statics; }
  /// Records defined outside system headers, instantiations included.
  llvm::ArrayRef<const clang::RecordDecl *> records() const { return Records; }
  /// Direct calls, constructions with arguments, `new`.
  struct CallSite {
    const clang::Expr *Call = nullptr;
    const clang::FunctionDecl *Function = nullptr;
    const clang::Stmt *Loop = nullptr;
    /// As an access is.
    bool IsInRegion = false;
    bool IsRare = false;
  };
  llvm::ArrayRef<CallSite> calls() const { return Calls; }
  /// The result of a call, cast to another pointer type: malloc's.
  struct CallCast {
    const clang::CastExpr *Cast = nullptr;
    const clang::FunctionDecl *Function = nullptr;
  };
  llvm::ArrayRef<CallCast> callCasts() const { return CallCasts; }

private:
  friend class UnitWalker;

  const clang::ASTContext &Unit;
  const BrokenCode *Broken;
  std::vector<Access> Accesses;
  bool HasAtomics = false;
  using IndexMap =
      llvm::DenseMap<const clang::Decl *, llvm::SmallVector<unsigned, 2>>;
  IndexMap ByDeclaration;
  IndexMap ByFunction;
  llvm::DenseMap<const clang::FunctionDecl *, llvm::SmallVector<CodePlace, 2>>
      Callers;
  llvm::DenseSet<const clang::FunctionDecl *> AddressTaken, SignalHandlers;
  mutable llvm::DenseMap<const clang::FunctionDecl *, bool> UsedHere;
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> OuterLoops;
  llvm::DenseSet<std::pair<const clang::FunctionDecl *, const clang::VarDecl *>>
      ThreadTurns;
  std::vector<const clang::FunctionDecl *> Functions;
  std::vector<const clang::VarDecl *> Statics;
  std::vector<const clang::RecordDecl *> Records;
  std::vector<CallSite> Calls;
  std::vector<CallCast> CallCasts;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ACCESSES_UNITACCESSES_H
