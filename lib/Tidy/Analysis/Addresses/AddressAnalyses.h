// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The address analyses of a unit, made together: the flow needs the guard, both
// need the code.
//
// Addresses: which objects a pointer may mean.
//
//     AccessPath ─▶ FunctionSummaries ─▶ IdentityGuard ─▶ GuardFix
//                         │                   │
//     AddressSources ─────┴────▶ AddressFlow ◀┘   SentinelUses, StaticReach:
//                                (FreshObjects)   the objects in question
//                                      └─▶ StandIns: given in place of others

#ifndef LINESMAN_TIDY_ANALYSIS_ADDRESSES_ADDRESSANALYSES_H
#define LINESMAN_TIDY_ANALYSIS_ADDRESSES_ADDRESSANALYSES_H

#include "Analysis/Addresses/AddressFlow.h"
#include "Analysis/Addresses/IdentityGuard.h"
#include "Analysis/Addresses/SentinelUses.h"
#include "Analysis/Code/UnitCode.h"

namespace linesman::tidy {

struct AddressAnalyses {
  AddressAnalyses(clang::ASTContext &Unit, UnitCode::Scope Place)
      : Code(Unit, Place), Guard(Unit, Summaries), Flow(Code, Guard),
        Sentinels(Code, Summaries) {}

  /// Is the place not the object when the statement runs, by a test or by what
  /// was assigned before?
  bool isExcluded(const IdentityQuestion &Question) {
    return Guard.excludes(Question, [&](const clang::Expr &Value,
                                        const clang::FunctionDecl *Function,
                                        const clang::VarDecl &Object) {
      return Flow.mayHold(Value, Function, Object);
    });
  }

  UnitCode Code;
  FunctionSummaries Summaries;
  IdentityGuard Guard;
  AddressFlow Flow;
  SentinelUses Sentinels;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ADDRESSES_ADDRESSANALYSES_H
