// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/ThreadRegisters.h"
#include "Analysis/Code/LocalValues.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

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

/// The assembly in \p S that puts something into \p Local, and how often.
struct Outputs {
  const GCCAsmStmt *Assembly = nullptr;
  unsigned Count = 0;

  void find(const Stmt &S, const VarDecl &Local) {
    if (const auto *Found = dyn_cast<GCCAsmStmt>(&S))
      for (const Expr *Output : Found->outputs())
        if (const auto *Ref = dyn_cast<DeclRefExpr>(Output->IgnoreParenCasts());
            Ref && Ref->getDecl() == &Local) {
          Assembly = Found;
          ++Count;
        }
    for (const Stmt *Child : S.children())
      if (Child)
        find(*Child, Local);
  }
};

} // namespace

bool isReadFromThreadRegister(const VarDecl &Local) {
  const auto *Function = dyn_cast<FunctionDecl>(Local.getDeclContext());
  const Stmt *Body = Function ? Function->getBody() : nullptr;
  if (!Body || !Local.hasLocalStorage() || isa<ParmVarDecl>(Local) ||
      Local.hasInit() || !Local.getType()->isIntegerType())
    return false;
  Outputs Found;
  Found.find(*Body, Local);
  return Found.Count == 1 &&
         readsThreadRegister(
             Found.Assembly->generateAsmString(Local.getASTContext())) &&
         assignmentsOf(Local, *Function).empty();
}

} // namespace linesman::tidy
