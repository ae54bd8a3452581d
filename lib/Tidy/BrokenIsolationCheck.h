// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TIDY_BROKENISOLATIONCHECK_H
#define LINESMAN_TIDY_BROKENISOLATIONCHECK_H

#include "LinesmanCheck.h"

namespace linesman::tidy {

/// Finds alignment and padding that was meant to keep objects on cache lines of
/// their own and does not.
///
/// docs/checks/broken-isolation.md has the details.
class BrokenIsolationCheck : public LinesmanCheck {
public:
  using LinesmanCheck::LinesmanCheck;
  void checkUnit(clang::ASTContext &Unit) override;
  void registerPPCallbacks(const clang::SourceManager &Sources,
                           clang::Preprocessor *PP,
                           clang::Preprocessor *Expander) override;

private:
  class UnitReader;

  /// Alive as long as the unit is parsed, and then for its macros.
  clang::Preprocessor *Macros = nullptr;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_BROKENISOLATIONCHECK_H
