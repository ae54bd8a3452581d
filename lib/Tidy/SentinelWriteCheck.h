// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TIDY_SENTINELWRITECHECK_H
#define LINESMAN_TIDY_SENTINELWRITECHECK_H

#include "Analysis/Accesses/ObjectWrites.h"
#include "Analysis/Addresses/AddressAnalyses.h"
#include "LinesmanCheck.h"
#include "llvm/ADT/DenseSet.h"

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
  struct Candidate {
    const FunctionCode *Code = nullptr;
    ObjectWrite Write;
    const clang::VarDecl *Object = nullptr;
  };

  void checkWrite(const FunctionCode &Code, const ObjectWrite &Write);
  bool isHazard(const Candidate &Found);
  bool isNeededWrite(const Candidate &Found);
  void report(const Candidate &Found);
  void noteFix(const Candidate &Found);

  clang::ASTContext *Unit = nullptr;
  AddressAnalyses *Addresses = nullptr;
  const TypeKinds *Kinds = nullptr;
  llvm::DenseSet<std::pair<clang::SourceLocation, const clang::VarDecl *>>
      Reported;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_SENTINELWRITECHECK_H
