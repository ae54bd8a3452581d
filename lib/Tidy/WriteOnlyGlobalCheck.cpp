// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal linkage makes it provable: whoever could read the variable is in
// this unit. A pointer or reference to it that goes anywhere ends the proof,
// and so does every place that names it and is not the target of a write.

#include "WriteOnlyGlobalCheck.h"
#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Names/PlainName.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetOperations.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

namespace {

/// Types whose writes do nothing but write: assigning to a std::string or a
/// handle may be the point.
bool isInert(QualType Type, const TypeKinds &Kinds) {
  Type = Type.getCanonicalType();
  while (const ArrayType *Array = Type->getAsArrayTypeUnsafe())
    Type = Array->getElementType();
  if (Type->isReferenceType() || Type.isVolatileQualified())
    return false;
  if (Kinds.isAtomic(Type))
    return true;
  if (const auto *Class = Type->getAsCXXRecordDecl())
    return Class->hasDefinition() && Class->isPOD();
  return Type->isScalarType() || Type->isRecordType();
}

/// A debugger, a linker script or assembly may read it.
bool isVisibleElsewhere(const VarDecl &Var) {
  for (const VarDecl *Variable : Var.redecls())
    if (Variable->hasAttr<UsedAttr>() || Variable->hasAttr<RetainAttr>() ||
        Variable->hasAttr<SectionAttr>() || Variable->hasAttr<AliasAttr>() ||
        Variable->hasAttr<UnusedAttr>() || Variable->hasAttr<AsmLabelAttr>())
      return true;
  return false;
}

} // namespace

void WriteOnlyGlobalCheck::checkUnit(ASTContext &Unit) {
  TypeKinds Kinds = typeKinds();
  const UnitAccesses &Accesses = accesses(Unit);
  // What does not compile may read it, and so may a macro of a header that is
  // missing.
  if (!Accesses.isWhole())
    return;
  HotAccesses Hot(Accesses, Kinds);
  const SourceManager &Sources = Unit.getSourceManager();
  llvm::SmallPtrSet<const VarDecl *, 16> Seen;
  SmallVector<Candidate, 4> Candidates;

  for (const VarDecl *Variable : Accesses.statics()) {
    const VarDecl *Var = Variable->getCanonicalDecl();
    if (!Seen.insert(Var).second || Var->isExternallyVisible() ||
        isPerThread(*Var) || Var->getType().isConstQualified() ||
        !isInert(Var->getType(), Kinds) || isVisibleElsewhere(*Var) ||
        common().isAccepted(*Var))
      continue;
    // A static in a header is another variable in each unit, read in others.
    if (!Sources.isInMainFile(Sources.getFileLoc(Var->getLocation())))
      continue;
    Candidate Found{Var, {}, {}};
    bool IsRead = false;
    for (unsigned Index : Accesses.of(*Var)) {
      const Access &Use = Accesses.all()[Index];
      if (Use.Kind == AccessKind::Write ||
          (Use.Kind == AccessKind::Update && !Use.IsResultUsed)) {
        if (Hot.isOnOperationPath(Use) || (common().Strict && Use.Function))
          Found.Sites.push_back(&Use);
        addTargetMentions(*Use.Site, *Var, Found.Targets);
      } else {
        IsRead = true;
        break;
      }
    }
    if (!IsRead && !Found.Sites.empty())
      Candidates.push_back(std::move(Found));
  }

  VariableMentions Mentions(
      Unit,
      llvm::to_vector(llvm::map_range(
          Candidates, [](const Candidate &Variable) { return Variable.Var; })));
  for (const Candidate &Variable : Candidates)
    if (llvm::set_is_subset(Mentions.of(*Variable.Var), Variable.Targets))
      report(Variable);
}

void WriteOnlyGlobalCheck::report(const Candidate &Found) {
  warn(place(*Found.Sites.front()),
       {.Subject = *Found.Var, .Function = Found.Sites.front()->Function},
       "'%0' is written here and never read: nobody in this file looks at it "
       "and nobody else can, but the store takes its cache line, and what "
       "the linker put beside it, away from the other cores; remove it")
      << plainName(*Found.Var);
  noteSites(Found.Sites);
  diag(Found.Var->getLocation(), "'%0' is declared here, with internal linkage",
       DiagnosticIDs::Note)
      << plainName(*Found.Var);
}

} // namespace linesman::tidy
