// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/AtomicAssembly.h"
#include "clang/AST/ASTContext.h"
#include <string>

using namespace clang;

namespace linesman::tidy {

namespace {

/// Instructions are told by the parts of their names that no other has.
AtomicOperation operationOfText(llvm::StringRef Text) {
  auto Has = [&](std::initializer_list<llvm::StringRef> Parts) {
    return llvm::any_of(Parts, [&](llvm::StringRef Part) {
      return Text.contains_insensitive(Part);
    });
  };
  if (Has({"cmpxchg"}))
    return AtomicOperation::CompareExchange;
  // Without a prefix, too: the instruction locks by itself.
  if (Has({"xchg"}))
    return AtomicOperation::Exchange;
  const bool IsLocked =
      Has({"lock;", "lock ", "lock\n", "lock\t"}) &&
      Has({"add", "sub", "inc", "dec", "or", "and", "xor", "bts", "btr"});
  const bool IsLinked = Has({"ldxr", "ldaxr", "ldrex", "lwarx", "ldarx"}) &&
                        Has({"stxr", "stlxr", "strex", "stwcx", "stdcx"});
  if (IsLinked && Has({"cmp"}))
    return AtomicOperation::CompareExchange;
  if (IsLocked || IsLinked ||
      Has({"ldadd", "stadd", "amoadd", "amoor", "amoand", "amoxor"}))
    return AtomicOperation::FetchModify;
  if (Has({"amoswap", "swpal", "swpa "}))
    return AtomicOperation::Exchange;
  return AtomicOperation::None;
}

bool isMemory(llvm::StringRef Constraint) {
  return Constraint.contains('m') || Constraint.contains('Q');
}

} // namespace

AtomicAssembly readAtomicAssembly(const GCCAsmStmt &Assembly,
                                  const ASTContext &Unit) {
  AtomicAssembly Result;
  const AtomicOperation Operation =
      operationOfText(Assembly.generateAsmString(Unit));
  if (Operation == AtomicOperation::None)
    return Result;
  for (unsigned I = 0; I != Assembly.getNumOutputs(); ++I)
    if (const std::string Constraint(Assembly.getOutputConstraint(I));
        isMemory(Constraint))
      Result.Word = Assembly.getOutputExpr(I);
  for (unsigned I = 0; I != Assembly.getNumInputs() && !Result.Word; ++I)
    if (const std::string Constraint(Assembly.getInputConstraint(I));
        isMemory(Constraint) && Assembly.getInputExpr(I)->isLValue())
      Result.Word = Assembly.getInputExpr(I);
  if (Result.Word)
    Result.Operation = Operation;
  return Result;
}

} // namespace linesman::tidy
