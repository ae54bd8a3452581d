// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who writes a field on an operation's path, and who only reads it there? The
// functions are what one unit knows of threads: two fields that the same
// functions write belong together, two with different writers pull their line
// to and fro, and a function that only reads one pays for the other's writers.
//
//     served    written by dequeue()             reader of served: nobody else
//     waiting   written by enqueue()             reader of waiting:
//     may_dequeue()
//
//       -> each dequeue() takes the line away from the next may_dequeue()

#ifndef LINESMAN_TIDY_ANALYSIS_ACCESSES_FIELDROLES_H
#define LINESMAN_TIDY_ANALYSIS_ACCESSES_FIELDROLES_H

#include "Analysis/Accesses/HotAccesses.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace linesman::tidy {

using FunctionSet = llvm::SmallPtrSet<const clang::FunctionDecl *, 4>;

/// What operations do with one field or variable. Locked accesses are left out
/// of HotWriters and Readers, not out of Writers.
struct Role {
  /// Functions that write it or take its address.
  FunctionSet Writers;
  /// Those that write it without a lock.
  FunctionSet HotWriters;
  /// Functions that read it without a lock; they may write it as well.
  FunctionSet Readers;
  /// The first access of the kind, for a note.
  const Access *Write = nullptr;
  llvm::SmallVector<const Access *, 4> Reads;
  /// Every write is an atomic operation or one on a volatile object.
  bool WritesAreAtomic = true;
  /// Somebody branches on its value, or uses it for more than to print it:
  /// not a statistic.
  bool IsUsed = false;
  /// Functions that read and write it in one: ++, fetch_add, exchange.
  FunctionSet Updaters;
  /// Compared and exchanged in a loop: a step of a lock-free algorithm.
  bool Steers = false;
  /// Read in a condition without a lock.
  bool IsTested = false;
};

/// A field that is written often and one beside it that is read.
struct HotPair {
  FieldSpan Written, Read;
  /// Of the base addresses that the record's alignment allows, the part that
  /// puts both on one line.
  double Fraction = 0;
  /// One read on an operation path, for a note.
  const Access *Reader = nullptr;
  /// Functions that read it there and do not touch Written.
  unsigned ReadingFunctions = 0;
  /// The same, weighed: a function in a header is in many units, and one read
  /// in a loop is many.
  unsigned Strength = 0;
  /// By an inline function of a header.
  bool IsReadInHeader = false;
  /// No operation of this unit writes it.
  bool IsReadOnly = true;
};

class FieldRoles {
public:
  FieldRoles(HotAccesses &Hot, const TypeKinds &Kinds,
             const clang::ASTContext &Unit)
      : Hot(Hot), Kinds(Kinds), Unit(Unit) {}

  const Role &of(const clang::FieldDecl &Field);
  const Role &of(const clang::VarDecl &Static);

  /// The field that suffers most from writes to \p Written: most bases in
  /// common, then most readers. Fields with writers of their own count when all
  /// of them write it atomically and are none of Written's: words that are
  /// tested all the time and changed now and then.
  std::optional<HotPair> victimOf(const RecordLines &Lines,
                                  const FieldSpan &Written);

  /// What another party than the one that owns \p Word reads beside it. The
  /// record's atomic words tell the parties: who writes \p Word writes one of
  /// them as well, and the reader writes another and does not touch \p Word.
  std::optional<HotPair> otherPartysVictim(const RecordLines &Lines,
                                           const FieldSpan &Word);

  /// The functions that write some atomic word of the record and none that the
  /// owners of \p Word write, and leave \p Word alone; empty unless the owners
  /// write an atomic word.
  FunctionSet otherParty(const RecordLines &Lines, const Role &Word);

  /// Reads that \p Excluded functions do not make, as HotPair weighs them.
  unsigned strengthOf(const Role &Read, const FunctionSet &Excluded,
                      HotPair &Pair) const;

private:
  Role read(llvm::ArrayRef<unsigned> Indices);

  HotAccesses &Hot;
  const TypeKinds &Kinds;
  const clang::ASTContext &Unit;
  llvm::DenseMap<const clang::ValueDecl *, Role> Known;
};

/// An element behind a field, of a vector or a pointer: it is somewhere else,
/// and the field is only read on the way.
bool isBehindField(const Access &Use, const clang::FieldDecl &Field);

/// while (old < seen && !compare_exchange(old, seen)): a maximum is read first
/// and rarely written.
bool keepsExtreme(const Access &Use);

/// Written by setters alone, and never for what was there before.
bool isOnlySet(const Role &Word);

/// No function is in both.
bool haveNoneInCommon(const FunctionSet &A, const FunctionSet &B);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ACCESSES_FIELDROLES_H
