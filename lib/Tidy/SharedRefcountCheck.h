// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TIDY_SHAREDREFCOUNTCHECK_H
#define LINESMAN_TIDY_SHAREDREFCOUNTCHECK_H

#include "Analysis/Addresses/AddressAnalyses.h"
#include "Analysis/Addresses/StandIns.h"
#include "Analysis/Names/ReferenceCounts.h"
#include "LinesmanCheck.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace linesman::tidy {

/// Finds reference counts of static objects that are counted, although such an
/// object never goes away.
///
/// docs/checks/shared-refcount.md has the details.
class SharedRefcountCheck : public LinesmanCheck {
public:
  using LinesmanCheck::LinesmanCheck;
  void checkUnit(clang::ASTContext &Unit) override;

private:
  class PointerReader;

  /// One place that counts, or calls what counts.
  struct CountSite {
    const clang::FunctionDecl *Function = nullptr;
    const clang::Expr *Site = nullptr;
    /// Null when only the name of a function tells.
    const clang::FieldDecl *Count = nullptr;
    clang::SourceLocation StepLocation;
    /// The pointer that the address came through; null for the name itself.
    const clang::Expr *Through = nullptr;
  };
  struct Step {
    bool Happens = false;
    const clang::FieldDecl *Count = nullptr;
    clang::SourceLocation Location;
  };

  void checkStatement(const FunctionCode &Code, const clang::Stmt &Statement);
  void checkCall(const FunctionCode &Code, const clang::CallExpr &Call);
  /// Copies of shared pointers that everybody has (SharedPointerCopies.cpp).
  void checkPointers(llvm::ArrayRef<FunctionCode> Functions);
  Step stepOf(const clang::FunctionDecl &Callee,
              const clang::ValueDecl *Parameter, const clang::VarDecl &Object);
  /// For every static object that the expression may name or point to, unless
  /// a test keeps it out.
  void forEachObject(
      const FunctionCode &Code, const clang::Expr &Base,
      const clang::Expr &Site,
      llvm::function_ref<void(const clang::VarDecl &, bool IsByName)> Visit);
  /// How the address of the object with this pattern comes to the site.
  void noteWay(const CountSite &Site, const clang::VarDecl &Pattern);
  void report(const clang::VarDecl &Object, llvm::ArrayRef<CountSite> Sites);

  clang::ASTContext *Unit = nullptr;
  AddressAnalyses *Addresses = nullptr;
  const TypeKinds *Kinds = nullptr;
  const StandIns *Others = nullptr;
  /// By the pattern of the object: all instantiations are one cause.
  llvm::MapVector<const clang::VarDecl *, llvm::SmallVector<CountSite, 4>>
      Found;
  llvm::DenseMap<std::pair<const clang::Decl *, const clang::VarDecl *>, Step>
      Steps;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_SHAREDREFCOUNTCHECK_H
