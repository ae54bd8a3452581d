// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TIDY_LOCKNEIGHBOURCHECK_H
#define LINESMAN_TIDY_LOCKNEIGHBOURCHECK_H

#include "LinesmanCheck.h"

namespace linesman::tidy {

/// Finds locks that share a cache line with what is used without them: other
/// fields, other locks, other elements of an array of locks.
///
/// docs/checks/lock-neighbour.md has the details.
class LockNeighbourCheck : public LinesmanCheck {
public:
  using LinesmanCheck::LinesmanCheck;
  void checkUnit(clang::ASTContext &Unit) override;
  /// Locks that a function makes one by one (LockNeighbourMade.cpp).
  void checkRest(clang::ASTContext &Unit) override;

private:
  class UnitReader;
  class ArrayReader;
  class WriteReader;
  class MadeReader;

  /// Locks beside each other in an array (LockNeighbourArrays.cpp).
  void checkArrays(clang::ASTContext &Unit);

  /// What holders of a lock write beside what others read
  /// (LockNeighbourWrites.cpp).
  void checkWrites(clang::ASTContext &Unit);
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_LOCKNEIGHBOURCHECK_H
