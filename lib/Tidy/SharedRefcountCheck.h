// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TIDY_SHAREDREFCOUNTCHECK_H
#define LINESMAN_TIDY_SHAREDREFCOUNTCHECK_H

#include "Analysis/Addresses/AddressAnalyses.h"
#include "LinesmanCheck.h"

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
  class UnitReader;
  class PointerReader;

  /// Copies of shared pointers that everybody has (SharedPointerCopies.cpp).
  void checkPointers(clang::ASTContext &Unit,
                     llvm::ArrayRef<FunctionCode> Functions);
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_SHAREDREFCOUNTCHECK_H
