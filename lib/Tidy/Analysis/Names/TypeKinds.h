// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a type is to a cache line: an atomic, a lock, a guard that holds a lock
// for its scope; which expression names the running thread. Known names come
// first, then the shape of a class (lock() beside unlock()), because every
// large code base has its own mutex. All names are matched with or without
// their namespaces, so that an option can say either.
//
// Names: what is known before any code is read.
//
//     words of a name (NameWords, WordSwitch) ─┐
//     names in options (NameList) ─────────────┼─▶ TypeKinds: atomic, lock...
//                                              └─▶ ReferenceCounts
//                                                        └─▶ CountingPointers
//     PlainName: a name for messages;  RecordLines: fields in cache lines
//     ThreadCounts: names of numbers of threads

#ifndef LINESMAN_TIDY_ANALYSIS_NAMES_TYPEKINDS_H
#define LINESMAN_TIDY_ANALYSIS_NAMES_TYPEKINDS_H

#include "Analysis/Code/ThreadRegisters.h"
#include "Analysis/Names/NameList.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace linesman::tidy {

enum class TypeKind : uint8_t {
  Plain,
  Atomic,
  /// Something that a thread holds: mutexes, spin locks, reader-writer locks.
  Lock,
  /// Holds a lock from its construction to the end of its scope.
  LockGuard,
  /// Written by the threads that wait or arrive, but protects nothing:
  /// condition variables, semaphores, once flags.
  Synchronizer,
};

/// What one call or operator does to an atomic object.
enum class AtomicOperation : uint8_t {
  None,
  Load,
  Store,
  Exchange,
  CompareExchange,
  /// fetch_add and its kin, and the operators that mean them.
  FetchModify,
  TestAndSet,
  Clear,
};

class TypeKinds {
public:
  /// What extends the built-in names, as the check options give it; outlives
  /// this object.
  struct ExtraNames {
    const NameList *AtomicTypes = nullptr;
    const NameList *LockTypes = nullptr;
    const NameList *ThreadIdFunctions = nullptr;
  };

  TypeKinds() : TypeKinds(ExtraNames()) {}
  explicit TypeKinds(const ExtraNames &Extra);

  /// Typedefs count: pthread_spinlock_t is an int underneath. References and
  /// arrays are looked through; pointers are not.
  TypeKind kindOf(clang::QualType Type) const;
  /// By the record's own name and shape.
  TypeKind kindOfRecord(const clang::RecordDecl &Record) const;

  bool isAtomic(clang::QualType Type) const {
    return kindOf(Type) == TypeKind::Atomic;
  }
  bool isLock(clang::QualType Type) const {
    return kindOf(Type) == TypeKind::Lock;
  }
  /// Anything whose every use is somebody's synchronisation.
  bool isSynchronization(clang::QualType Type) const {
    TypeKind Kind = kindOf(Type);
    return Kind == TypeKind::Lock || Kind == TypeKind::LockGuard ||
           Kind == TypeKind::Synchronizer;
  }

  /// The operation that \p E performs on an atomic object: std::atomic's
  /// members, <stdatomic.h>, the __atomic and __sync builtins, operators on
  /// _Atomic objects. None for anything else.
  AtomicOperation operationOf(const clang::Expr &E) const {
    return operationOf(E, /*Depth=*/0);
  }

  /// True for an expression that differs between threads by design: a
  /// thread_local variable, a call such as pthread_self(), and what is computed
  /// from them, through local variables and small visible functions.
  bool isThreadIdentity(const clang::Expr &E) const {
    return isThreadIdentity(E, /*Depth=*/0);
  }

private:
  bool isOwnAtomic(const clang::CXXRecordDecl &Class) const;
  bool isThreadIdentity(const clang::Expr &E, unsigned Depth) const;
  AtomicOperation operationOf(const clang::Expr &E, unsigned Depth) const;
  AtomicOperation operationOfWrapper(const clang::FunctionDecl &Callee,
                                     unsigned Depth) const;

  ExtraNames Extra;
  llvm::StringMap<TypeKind> KnownTypes;
  llvm::StringSet<> ThreadIdFunctions;
  mutable llvm::DenseMap<const clang::RecordDecl *, TypeKind> Records;
  mutable ThreadRegisters Registers;
};

} // namespace linesman::tidy

#endif
