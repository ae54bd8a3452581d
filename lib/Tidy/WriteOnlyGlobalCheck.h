// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TIDY_WRITEONLYGLOBALCHECK_H
#define LINESMAN_TIDY_WRITEONLYGLOBALCHECK_H

#include "Analysis/Code/VariableMentions.h"
#include "LinesmanCheck.h"

namespace linesman::tidy {

/// Finds variables with internal linkage that are written and never read.
///
/// docs/checks/write-only-global.md has the details.
class WriteOnlyGlobalCheck : public LinesmanCheck {
public:
  using LinesmanCheck::LinesmanCheck;
  void checkUnit(clang::ASTContext &Unit) override;

private:
  struct Candidate {
    const clang::VarDecl *Var = nullptr;
    /// Writes on operation paths.
    llvm::SmallVector<const Access *, 4> Sites;
    /// Where the variable is named to be written.
    MentionSet Targets;
  };

  void report(const Candidate &Found);
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_WRITEONLYGLOBALCHECK_H
