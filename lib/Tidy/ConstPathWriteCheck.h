// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TIDY_CONSTPATHWRITECHECK_H
#define LINESMAN_TIDY_CONSTPATHWRITECHECK_H

#include "Analysis/Accesses/FieldRoles.h"
#include "Analysis/Accesses/LambdaRuns.h"
#include "LinesmanCheck.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace linesman::tidy {

/// Finds const functions that write a field of the object that they only read
/// for their callers.
///
/// docs/checks/const-path-write.md has the details.
class ConstPathWriteCheck : public LinesmanCheck {
public:
  using LinesmanCheck::LinesmanCheck;
  void checkUnit(clang::ASTContext &Unit) override;

private:
  struct WriteSite {
    const clang::FunctionDecl *Function = nullptr;
    const clang::Expr *Site = nullptr;
    const clang::FieldDecl *Field = nullptr;
    /// The member of the function's object that the field is (part of).
    const clang::FieldDecl *Member = nullptr;
    /// The setter that the write is in; null for the function itself.
    const clang::FunctionDecl *Setter = nullptr;
  };

  void checkAccess(const Access &Use);
  /// What a lambda writes that the function around it runs.
  void checkInLambda(const Access &Use);
  /// Memory that a pointer of the object leads to: a terminator behind text.
  void checkOwnedMemory(const clang::FunctionDecl &Function);
  /// One buffer with static storage for all who call the const function.
  void checkScratch(const Access &Use);
  void checkSetter(const UnitAccesses::CallSite &Call);
  /// The value decides whether to write, so that writes stop. \p Lambda is the
  /// one that the write is in, where \p Write is the call that runs it.
  bool isTestedBefore(const Access &Write,
                      const clang::FunctionDecl *Lambda = nullptr);
  /// Whoever calls the function does so where \ref isTestedBefore holds.
  bool isFilledOnDemand(const Access &Write);
  bool isQuiet(const Access &Use);
  bool isHandedOver(const Access &Use) const;
  /// The function is there to tell something about the object, not to change
  /// it: neither by its name nor by what it does.
  bool isReader(const Access &Write);
  void add(const WriteSite &Found);
  /// The field that is likeliest to share the written one's line and is only
  /// read on operation paths; its readers may be the writers themselves,
  /// because every core runs them.
  std::optional<HotPair> onlyReadNeighbour(const RecordLines &Lines,
                                           const FieldSpan &Written);
  void report(llvm::ArrayRef<WriteSite> Sites);

  clang::ASTContext *Unit = nullptr;
  const UnitAccesses *All = nullptr;
  const TypeKinds *Kinds = nullptr;
  HotAccesses *Hot = nullptr;
  const LambdaRuns *Lambdas = nullptr;
  /// By where the field is declared: all instantiations are one cause.
  llvm::MapVector<clang::SourceLocation, llvm::SmallVector<WriteSite, 2>> Found;
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Scratches;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_CONSTPATHWRITECHECK_H
