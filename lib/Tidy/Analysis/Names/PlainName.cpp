// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the contexts outwards. clang's own printer would need a policy for each
// of the three omissions and still print template arguments.

#include "Analysis/Names/PlainName.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// `typedef struct {...} conn;` is conn to everybody.
llvm::StringRef ownName(const NamedDecl &Declaration) {
  if (const IdentifierInfo *Name = Declaration.getIdentifier())
    return Name->getName();
  if (const auto *Tag = dyn_cast<TagDecl>(&Declaration))
    if (const TypedefNameDecl *Typedef = Tag->getTypedefNameForAnonDecl())
      return Typedef->getName();
  return "";
}

} // namespace

std::string plainName(const NamedDecl &Declaration) {
  llvm::SmallVector<std::string, 4> Parts;
  llvm::StringRef Own = ownName(Declaration);
  // Operators and constructors have no identifier, but a name.
  Parts.push_back(Own.empty() && !isa<TagDecl>(Declaration)
                      ? Declaration.getNameAsString()
                      : Own.str());
  if (Parts.back().empty())
    Parts.pop_back();
  for (const DeclContext *Context = Declaration.getDeclContext(); Context;
       Context = Context->getParent()) {
    if (const auto *Space = dyn_cast<NamespaceDecl>(Context);
        Space && (Space->isInline() || Space->isAnonymousNamespace()))
      continue;
    if (const auto *Named = dyn_cast<NamedDecl>(Context))
      if (llvm::StringRef Name = ownName(*Named); !Name.empty())
        Parts.push_back(Name.str());
  }
  std::reverse(Parts.begin(), Parts.end());
  return llvm::join(Parts, "::");
}

std::string fieldName(const FieldDecl &Field) { return plainName(Field); }

} // namespace linesman::tidy
