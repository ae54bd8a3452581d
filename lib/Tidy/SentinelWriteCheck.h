// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TIDY_SENTINELWRITECHECK_H
#define LINESMAN_TIDY_SENTINELWRITECHECK_H

#include "LinesmanCheck.h"

namespace linesman::tidy {

/// Finds writes through a pointer that may hold the address of a static
/// sentinel object, without a test of the pointer's identity before.
///
/// docs/checks/sentinel-write.md has the details.
class SentinelWriteCheck : public LinesmanCheck {
public:
  using LinesmanCheck::LinesmanCheck;
  void checkUnit(clang::ASTContext &Unit) override;

private:
  class UnitReader;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_SENTINELWRITECHECK_H
