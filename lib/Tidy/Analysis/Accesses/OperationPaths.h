// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a function run for every operation, or when the program starts, stops or
// reads its configuration? A write that happens once costs nothing, whatever it
// shares a line with.
//
//     main, constructors, init_pool()   -> not
//     parse_option(), called by main    -> not, by its callers
//     get(), called from anywhere       -> operation
//     step(), called in a region of main's -> operation
//
// From one unit this is a guess by names and visible callers. It errs on the
// side of "operation" for a function that nothing is known about.

#ifndef LINESMAN_TIDY_ANALYSIS_ACCESSES_OPERATIONPATHS_H
#define LINESMAN_TIDY_ANALYSIS_ACCESSES_OPERATIONPATHS_H

#include "Analysis/Accesses/UnitAccesses.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace linesman::tidy {

/// A function for start-up, tear-down, configuration or failure, by its name:
/// "initPool", "pool_init", "InitializeAll"; not "finite" or "domain".
bool soundsLikeOnce(llvm::StringRef Name);

class OperationPaths {
public:
  explicit OperationPaths(const UnitAccesses &Accesses) : Accesses(Accesses) {}

  /// False for no function: an initialiser runs once.
  bool isOperation(const clang::FunctionDecl *Function) {
    return Function && !isOnce(*Function, 0);
  }

private:
  bool isOnce(const clang::FunctionDecl &Function, unsigned Depth);
  /// An argument of call_once() or its kin, or a handler of signals.
  bool isHandedToOnce(const clang::FunctionDecl &Function);

  const UnitAccesses &Accesses;
  llvm::DenseMap<const clang::FunctionDecl *, bool> Known;
  /// Read from the unit's calls when it is first asked for.
  std::optional<llvm::DenseSet<const clang::FunctionDecl *>> HandedToOnce;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ACCESSES_OPERATIONPATHS_H
