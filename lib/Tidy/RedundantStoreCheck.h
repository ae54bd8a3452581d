// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TIDY_REDUNDANTSTORECHECK_H
#define LINESMAN_TIDY_REDUNDANTSTORECHECK_H

#include "Analysis/Writes/BlindWrites.h"
#include "LinesmanCheck.h"

namespace linesman::tidy {

/// Finds writes that would be unnecessary if the value were tested first.
///
/// docs/checks/redundant-store.md has the details.
class RedundantStoreCheck : public LinesmanCheck {
public:
  RedundantStoreCheck(llvm::StringRef Name,
                      clang::tidy::ClangTidyContext *Context,
                      std::shared_ptr<UnitAnalyses> Analyses);
  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &Map) override;
  void checkUnit(clang::ASTContext &Unit) override;

private:
  void report(const Access &Use, BlindWrite Kind,
              const clang::ASTContext &Unit);
  void reportCall(const clang::Expr &Call, const Access &Exchange,
                  const clang::ASTContext &Unit);
  void reportTries(const UnitAccesses::CallSite &Call,
                   const clang::ValueDecl &Lock, const clang::ASTContext &Unit);
  bool isAccepted(const Place &Object) const;

  const bool PlainStores;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_REDUNDANTSTORECHECK_H
