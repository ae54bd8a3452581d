// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TIDY_CONSTPATHWRITECHECK_H
#define LINESMAN_TIDY_CONSTPATHWRITECHECK_H

#include "LinesmanCheck.h"

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
  class UnitReader;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_CONSTPATHWRITECHECK_H
