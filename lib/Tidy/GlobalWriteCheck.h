// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TIDY_GLOBALWRITECHECK_H
#define LINESMAN_TIDY_GLOBALWRITECHECK_H

#include "LinesmanCheck.h"

namespace linesman::tidy {

class ObjectThreads;
class ThreadStarts;

/// Finds variables with static storage that every operation updates or stores
/// to.
///
/// docs/checks/global-write.md has the details.
class GlobalWriteCheck : public LinesmanCheck {
public:
  GlobalWriteCheck(llvm::StringRef Name, clang::tidy::ClangTidyContext *Context,
                   std::shared_ptr<UnitAnalyses> Analyses);
  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Map) override;
  void checkUnit(clang::ASTContext &Unit) override;
  void checkRest(clang::ASTContext &Unit) override;

  /// Another check says that it need not be there at all.
  static bool isNeverRead(const clang::VarDecl &Var, const UnitAccesses &All);

private:
  /// Locals that the threads of a region, or of a loop's lambdas, share.
  void checkShared(const UnitAccesses &All, const TypeKinds &Kinds,
                   const ThreadStarts &Starts, const ObjectThreads &Threads);
  /// Sums to which each turn of a loop of several threads adds behind a lock.
  void checkSumsOfTurns(const UnitAccesses &All, const TypeKinds &Kinds,
                        const ThreadStarts &Starts);
  /// Critical sections that a loop enters on each turn, only to add.
  void checkSectionsOfTurns(const UnitAccesses &All);
  /// Locks of the whole program that are taken before a test that needs none.
  void checkLatchLocks(const UnitAccesses &All, const TypeKinds &Kinds);
  /// Locks of the whole program that are taken for nothing but to count.
  void checkCountingLocks(const UnitAccesses &All, const TypeKinds &Kinds);
  /// Locks of the whole program that nearly all take for reading.
  void checkReadLocks(const UnitAccesses &All, const TypeKinds &Kinds,
                      const clang::ASTContext &Unit);
  /// Locks that are taken for nothing but to read one or two words.
  void checkWordLocks(const UnitAccesses &All, const TypeKinds &Kinds);
  /// Locks of the whole program that functions take for a few statements each.
  void checkShortLocks(const UnitAccesses &All, const TypeKinds &Kinds);
  /// The three that follow, of which each leaves what another has reported.
  void checkHeldLocks(const UnitAccesses &All, const TypeKinds &Kinds);
  /// Locks of an object that functions take for a few statements each.
  void checkObjectLocks(const UnitAccesses &All, const TypeKinds &Kinds);
  /// Locks of an object that nearly all take for reading.
  void checkObjectReadLocks(const UnitAccesses &All, const TypeKinds &Kinds);
  /// Locks that a loop takes again on each short turn.
  void checkTurnLocks(const UnitAccesses &All, const TypeKinds &Kinds);
  /// Counts of an object that a function raises and lowers again.
  void checkUseCounts(const UnitAccesses &All, const TypeKinds &Kinds);
  /// Of the atomic words in objects, the likeliest of the unit.
  void checkLikeliestWord(const UnitAccesses &All, const TypeKinds &Kinds);
  /// Of the locks that several functions take, the two that most take.
  void checkLikeliestLocks(const UnitAccesses &All, const TypeKinds &Kinds);
  bool mayBeLikely(const clang::ValueDecl &Lock, const TypeKinds &Kinds);
  /// Critical sections that share one lock with all that have no name.
  void checkUnnamedSections(const UnitAccesses &All, const TypeKinds &Kinds);
  /// Locks of an object that are taken for nothing but to count.
  void checkCountedObjects(const UnitAccesses &All, const TypeKinds &Kinds);
  /// Random generators that all threads draw from.
  void checkDraws(const UnitAccesses &All, const TypeKinds &Kinds,
                  const ThreadStarts &Starts);
  void checkLibraryDraws(const UnitAccesses &All, const TypeKinds &Kinds,
                         const ThreadStarts &Starts);
  void checkOwnDraws(const UnitAccesses &All, const TypeKinds &Kinds,
                     const ObjectThreads &Threads);
  /// Classes that are nothing but a count, but for \p Named, of which a
  /// variable has been reported.
  void checkCountClasses(
      const UnitAccesses &All, const TypeKinds &Kinds,
      const llvm::SmallPtrSetImpl<const clang::RecordDecl *> &Named);
  /// Counts in an object that many others point to.
  void checkObjects(const UnitAccesses &All, const TypeKinds &Kinds);

  const bool InternalLinkage;
  /// Another check reports what is written and never read.
  const bool LeavesUnread;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_GLOBALWRITECHECK_H
