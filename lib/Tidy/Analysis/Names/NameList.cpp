// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries are anchored here, once, when the option is read.

#include "Analysis/Names/NameList.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace linesman::tidy {

llvm::Expected<NameList> NameList::parse(llvm::StringRef Text) {
  NameList List;
  while (!Text.empty()) {
    auto [Entry, Rest] = Text.split(';');
    Text = Rest;
    Entry = Entry.trim();
    if (Entry.empty())
      continue;
    if (Entry.find_first_of("\\^$.|?*+()[]{}") == llvm::StringRef::npos) {
      List.Names.push_back(Entry.str());
      continue;
    }
    llvm::Regex Pattern(("^(" + Entry + ")$").str());
    std::string Reason;
    if (!Pattern.isValid(Reason))
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "'%s' is not a regular expression: %s",
                                     Entry.str().c_str(), Reason.c_str());
    List.Patterns.push_back(std::move(Pattern));
  }
  return List;
}

bool NameList::matches(llvm::StringRef Name) const {
  return llvm::is_contained(Names, Name) ||
         llvm::any_of(Patterns, [&](const llvm::Regex &Pattern) {
           return Pattern.match(Name);
         });
}

bool NameList::matches(const NamedDecl &Declaration) const {
  if (empty() || !Declaration.getDeclName())
    return false;
  std::string Qualified = Declaration.getQualifiedNameAsString();
  if (matches(Qualified))
    return true;
  // printName would drop operators' and conversions' names; the last part of
  // the qualified name keeps them.
  return matches(Declaration.getNameAsString());
}

bool NameList::matches(QualType Type) const {
  if (empty() || Type.isNull())
    return false;
  // Sugar by sugar: a library's typedef is the name that its users know.
  while (const auto *Typedef = Type->getAs<TypedefType>()) {
    if (matches(*Typedef->getDecl()))
      return true;
    Type = Typedef->desugar();
  }
  if (const auto *Tag = Type->getAsTagDecl())
    return matches(*Tag);
  return false;
}

} // namespace linesman::tidy
