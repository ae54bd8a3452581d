// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which static objects stand for "nothing here"? A pointer that is set to the
// object by default, or compared with it, is the difference between a sentinel,
// which nobody needs to write, and a global that happens to be passed around.
//
// The same holds one call away: in a constructor of a class that keeps the
// pointer, an exchange of such a class, a method that compares with its
// parameter.

#ifndef LINESMAN_TIDY_ANALYSIS_ADDRESSES_SENTINELUSES_H
#define LINESMAN_TIDY_ANALYSIS_ADDRESSES_SENTINELUSES_H

#include "Analysis/Addresses/FunctionSummaries.h"
#include "Analysis/Code/UnitCode.h"
#include "llvm/ADT/DenseMap.h"

namespace linesman::tidy {

enum class SentinelUse : uint8_t {
  /// p == &nil
  Comparison,
  /// Node *p = &nil; in a class, a constructor's initialiser, a default
  /// argument.
  Default,
  /// std::exchange(p, &nil), or assigned where an object is moved from,
  /// destroyed or released.
  Replacement,
  /// p ? p : &nil
  Fallback,
};

struct SentinelEvidence {
  SentinelUse Use = SentinelUse::Comparison;
  clang::SourceLocation Location;
};

class SentinelUses {
public:
  /// \p Summaries outlives this.
  SentinelUses(const UnitCode &Code, FunctionSummaries &Summaries);

  /// The best evidence (a comparison before a default), or null.
  const SentinelEvidence *of(const clang::VarDecl &Object) const;

private:
  void add(const clang::VarDecl *Object, SentinelUse Use,
           clang::SourceLocation Location);
  void addDefault(clang::QualType Type, const clang::Expr *Init);
  void readFunction(const FunctionCode &Code);
  void readAssignment(const clang::Expr &Value, bool GivesUp,
                      clang::SourceLocation Location);
  void readCall(const clang::CallExpr &Call, bool GivesUp);

  FunctionSummaries &Summaries;

  llvm::DenseMap<const clang::VarDecl *, SentinelEvidence> Evidence;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ADDRESSES_SENTINELUSES_H
