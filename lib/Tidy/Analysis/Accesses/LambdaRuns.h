// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lambdas are part of the function that they are written in?
//
//     [&] { hits++; }();                                   run on the spot
//     std::for_each(v.begin(), v.end(), [&](int) { ... });   run by the call
//     pool.post([this] { hits++; });                       anybody's guess

#ifndef LINESMAN_TIDY_ANALYSIS_ACCESSES_LAMBDARUNS_H
#define LINESMAN_TIDY_ANALYSIS_ACCESSES_LAMBDARUNS_H

#include "Analysis/Accesses/UnitAccesses.h"
#include <optional>

namespace linesman::tidy {

class LambdaRuns {
public:
  explicit LambdaRuns(const UnitAccesses &Accesses);

  /// Where the function around the lambda runs it: a call of it, or the call of
  /// an algorithm of the standard library, or of a function whose visible body
  /// calls it. Nothing for one that is stored, run by another thread or once.
  std::optional<CodePlace> placeOf(const clang::FunctionDecl &Lambda) const;

private:
  void readArguments(const UnitAccesses::CallSite &Site,
                     const UnitAccesses &Accesses);

  llvm::DenseMap<const clang::FunctionDecl *, CodePlace> Places;
};

/// The call operator of a lambda.
bool isLambda(const clang::FunctionDecl *Function);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ACCESSES_LAMBDARUNS_H
