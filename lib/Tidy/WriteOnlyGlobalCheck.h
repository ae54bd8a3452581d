// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TIDY_WRITEONLYGLOBALCHECK_H
#define LINESMAN_TIDY_WRITEONLYGLOBALCHECK_H

#include "LinesmanCheck.h"

namespace linesman::tidy {

/// Finds variables with internal linkage that are written and never read.
///
/// docs/checks/write-only-global.md has the details.
class WriteOnlyGlobalCheck : public LinesmanCheck {
public:
  using LinesmanCheck::LinesmanCheck;
  void checkUnit(clang::ASTContext &Unit) override;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_WRITEONLYGLOBALCHECK_H
