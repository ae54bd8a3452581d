// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one way through a unit's declarations: what will exist when it runs.
// Patterns are left out and their instantiations are in, and so are friends
// that a class defines; whole namespaces of system headers are left out at
// their first line, because most of a unit is these.

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_DECLARATIONWALKER_H
#define LINESMAN_TIDY_ANALYSIS_CODE_DECLARATIONWALKER_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"

namespace linesman::tidy {

class DeclarationWalker {
public:
  DeclarationWalker(const clang::SourceManager &Sources, bool SystemHeaders)
      : Sources(Sources), SystemHeaders(SystemHeaders) {}
  virtual ~DeclarationWalker() = default;

  void walkContext(const clang::DeclContext &Context);
  void walk(const clang::Decl &Declaration);

protected:
  /// A definition with a body and no error in it, also an implicit one.
  virtual void visitFunction(const clang::FunctionDecl &Definition) = 0;
  /// At namespace scope, or a static member.
  virtual void visitVariable(const clang::VarDecl &Variable) = 0;
  /// A definition; what is in it comes after it.
  virtual void visitRecord(const clang::RecordDecl & /*Definition*/) {}
  virtual void visitField(const clang::FieldDecl & /*Field*/) {}

private:
  bool isLeftOut(const clang::Decl &Declaration) const;
  void walkFunction(const clang::FunctionDecl &Function);
  void walkRecord(const clang::RecordDecl &Record);

  const clang::SourceManager &Sources;
  const bool SystemHeaders;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_DECLARATIONWALKER_H
