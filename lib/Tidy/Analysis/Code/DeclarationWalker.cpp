// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/DeclarationWalker.h"
#include "clang/AST/DeclFriend.h"

using namespace clang;

namespace linesman::tidy {

bool DeclarationWalker::isLeftOut(const Decl &Declaration) const {
  SourceLocation Place = Declaration.getLocation();
  return Declaration.isInvalidDecl() ||
         (!SystemHeaders && Place.isValid() && Sources.isInSystemHeader(Place));
}

void DeclarationWalker::walkContext(const DeclContext &Context) {
  for (const Decl *Declared : Context.decls())
    walk(*Declared);
}

void DeclarationWalker::walk(const Decl &D) {
  if (isLeftOut(D))
    return;
  if (const auto *Function = dyn_cast<FunctionDecl>(&D)) {
    walkFunction(*Function);
  } else if (const auto *Var = dyn_cast<VarDecl>(&D)) {
    visitVariable(*Var);
  } else if (const auto *Field = dyn_cast<FieldDecl>(&D)) {
    visitField(*Field);
  } else if (const auto *Record = dyn_cast<RecordDecl>(&D)) {
    walkRecord(*Record);
  } else if (const auto *Friend = dyn_cast<FriendDecl>(&D)) {
    if (const NamedDecl *Named = Friend->getFriendDecl();
        isa_and_present<FunctionDecl, FunctionTemplateDecl>(Named))
      walk(*Named);
  } else if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D)) {
    walkContext(*cast<DeclContext>(&D));
  } else if (!D.isCanonicalDecl()) {
    // Redeclarations of a template have one list of specializations. Explicit
    // ones, and classes that are explicitly instantiated, are declarations of
    // their own.
    return;
  } else if (const auto *Template = dyn_cast<FunctionTemplateDecl>(&D)) {
    for (const FunctionDecl *Instance : Template->specializations()) {
      const FunctionDecl *Definition = nullptr;
      if (Instance->getTemplateSpecializationKind() !=
              TSK_ExplicitSpecialization &&
          Instance->getBody(Definition))
        walkFunction(*Definition);
    }
  } else if (const auto *Template = dyn_cast<ClassTemplateDecl>(&D)) {
    for (const ClassTemplateSpecializationDecl *Instance :
         Template->specializations())
      if (Instance->getSpecializationKind() == TSK_ImplicitInstantiation)
        walkRecord(*Instance);
  } else if (const auto *Template = dyn_cast<VarTemplateDecl>(&D)) {
    for (const VarDecl *Instance : Template->specializations())
      visitVariable(*Instance);
  }
}

void DeclarationWalker::walkFunction(const FunctionDecl &Function) {
  // An instantiation is invalid where its template is not.
  if (Function.doesThisDeclarationHaveABody() &&
      !Function.isDependentContext() && !Function.isInvalidDecl())
    visitFunction(Function);
}

void DeclarationWalker::walkRecord(const RecordDecl &Record) {
  if (!Record.isThisDeclarationADefinition() || Record.isDependentContext())
    return;
  visitRecord(Record);
  walkContext(Record);
}

} // namespace linesman::tidy
