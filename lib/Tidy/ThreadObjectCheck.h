// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TIDY_THREADOBJECTCHECK_H
#define LINESMAN_TIDY_THREADOBJECTCHECK_H

#include "LinesmanCheck.h"

namespace linesman::tidy {

/// Finds words of a thread's own object that other threads use, on the cache
/// line of what only its owner uses.
///
/// docs/checks/thread-object.md has the details.
class ThreadObjectCheck : public LinesmanCheck {
public:
  using LinesmanCheck::LinesmanCheck;
  void checkUnit(clang::ASTContext &Unit) override;

private:
  class UnitReader;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_THREADOBJECTCHECK_H
