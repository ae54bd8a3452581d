// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/ThreadRegisters.h"
#include "Analysis/Code/LocalValues.h"
#include "Analysis/Code/UnitCode.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// x86 has a segment or the processor's number, AArch64 and RISC-V a system
/// register.
bool readsThreadRegister(llvm::StringRef Text) {
  return llvm::any_of(
      llvm::ArrayRef<llvm::StringRef>({"%fs:", "%gs:", "rdpid", "tpidr_el",
                                       "tpidrro_el", "mpidr_el", "mhartid"}),
      [&](llvm::StringRef Register) {
        return Text.contains_insensitive(Register);
      });
}

} // namespace

const ThreadRegisters::Statements &
ThreadRegisters::assemblyIn(const FunctionDecl &Function) {
  auto [Place, IsNew] = Known.try_emplace(&Function);
  if (IsNew)
    forEachStatement(Function.getBody(), [&](const Stmt &S) {
      if (const auto *Assembly = dyn_cast<GCCAsmStmt>(&S))
        Place->second.push_back(Assembly);
    });
  return Place->second;
}

bool ThreadRegisters::areReadInto(const VarDecl &Local) {
  const auto *Function = dyn_cast<FunctionDecl>(Local.getDeclContext());
  if (!Function || !Function->getBody() || !Local.hasLocalStorage() ||
      isa<ParmVarDecl>(Local) || Local.hasInit() ||
      !Local.getType()->isIntegerType())
    return false;
  const GCCAsmStmt *Source = nullptr;
  for (const GCCAsmStmt *Assembly : assemblyIn(*Function))
    for (const Expr *Output : Assembly->outputs())
      if (const auto *Ref = dyn_cast<DeclRefExpr>(Output->IgnoreParenCasts());
          Ref && Ref->getDecl() == &Local) {
        if (Source)
          return false;
        Source = Assembly;
      }
  return Source &&
         readsThreadRegister(
             Source->generateAsmString(Local.getASTContext())) &&
         assignmentsOf(Local, *Function).empty();
}

} // namespace linesman::tidy
