// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which locks does a function hold where it touches something? Two accesses
// under one lock never run at the same time, so their line moves with the lock
// and is nobody's finding.
//
//     pthread_mutex_lock(&stats_lock);      { stats_lock }
//     stats.hits++;                         { stats_lock }   <- evidence
//     pthread_mutex_unlock(&stats_lock);    { }
//
// Evidence, not proof: bodies are read in order, a branch that leaves takes its
// state with it, a lock is known by the variable or field that names it. A lock
// that is taken behind a function (item_lock(hash)) is known by that function's
// name. Every doubt ends on the side of "held", because a finding on a
// serialised field is the noise that gets a check turned off.
//
// Locks: who holds which lock where something is touched.
//
//     LockWords (a name) ─▶ LockEvidence (held here) ─▶ LockUses (in the unit)
//              └──────────▶ CountingSections: taken for nothing but to count
//     ShortSections: what a lock is held around may take long, or not

#ifndef LINESMAN_TIDY_ANALYSIS_LOCKS_LOCKEVIDENCE_H
#define LINESMAN_TIDY_ANALYSIS_LOCKS_LOCKEVIDENCE_H

#include "Analysis/Names/TypeKinds.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include <memory>

namespace linesman::tidy {

/// A lock's name: a variable, a field, or the word behind a locking function.
/// Names are enough, because two objects' locks of one field name protect the
/// respective objects.
using LockNames = llvm::SmallVector<llvm::StringRef, 2>;

/// One place in a function.
struct CodePlace {
  const clang::FunctionDecl *Function = nullptr;
  const clang::Stmt *Site = nullptr;
  /// Behind a branch that the source calls unlikely; for calls.
  bool IsRare = false;
  /// Several threads run this very code, under a directive; for calls.
  bool IsInRegion = false;
};

class LockEvidence {
public:
  using CallersFunction = llvm::function_ref<llvm::ArrayRef<CodePlace>(
      const clang::FunctionDecl &)>;

  explicit LockEvidence(const TypeKinds &Kinds) : Kinds(Kinds) {}

  /// Locks that the function itself holds when it evaluates the site, or has on
  /// entry by annotation (REQUIRES) or by name (do_it_locked). Sorted.
  LockNames heldAt(const CodePlace &Place);

  /// The same, and what every visible caller holds around the call.
  /// \p Callers gives the calls of a function in this unit.
  LockNames heldAt(const CodePlace &Place, CallersFunction Callers);

  /// Whether a lock of heldAt() is one of many, chosen by a number: who holds
  /// it excludes those who have chosen the same one only.
  static bool isOneOfMany(llvm::StringRef Lock);

  /// Takes out what is held together with others: it keeps away those who
  /// change things, and not those who hold it the same way.
  static void dropShared(LockNames &Held);

  /// GUARDED_BY or PT_GUARDED_BY on the declaration.
  static bool isGuarded(const clang::ValueDecl &Declaration);

  /// All places hold one lock in common (false for no places).
  bool shareLock(llvm::ArrayRef<CodePlace> Places, CallersFunction Callers);

private:
  class BodyReader;
  using PlaceMap = llvm::DenseMap<const clang::Stmt *, unsigned>;

  const PlaceMap &read(const clang::FunctionDecl &Function);
  LockNames heldAt(const CodePlace &Place, CallersFunction Callers,
                   unsigned Depth);
  llvm::StringRef intern(llvm::StringRef Name) {
    return Interned.insert(Name).first->getKey();
  }

  const TypeKinds &Kinds;
  llvm::StringSet<> Interned;
  /// Distinct sets; places refer to them by index.
  std::vector<LockNames> Sets;
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<PlaceMap>> Bodies;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_LOCKS_LOCKEVIDENCE_H
