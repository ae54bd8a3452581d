// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit parsed from a literal, and its declarations by name.

#ifndef LINESMAN_TEST_UNIT_TIDY_PARSEDUNIT_H
#define LINESMAN_TEST_UNIT_TIDY_PARSEDUNIT_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"
#include <map>

namespace linesman::tidy {

class ParsedUnit {
public:
  explicit ParsedUnit(llvm::StringRef Code, bool IsC = false)
      : Unit(clang::tooling::buildASTFromCodeWithArgs(
            Code,
            {IsC ? "-std=c11" : "-std=c++20", "--target=x86_64-linux-gnu",
             "-Wno-everything"},
            IsC ? "test.c" : "test.cpp")) {
    EXPECT_FALSE(Unit->getDiagnostics().hasErrorOccurred());
    struct Collector : clang::RecursiveASTVisitor<Collector> {
      explicit Collector(ParsedUnit &Into) : Into(Into) {}
      bool shouldVisitImplicitCode() const { return false; }
      bool VisitNamedDecl(clang::NamedDecl *D) {
        Into.ByName[D->getNameAsString()] = D;
        return true;
      }
      ParsedUnit &Into;
    };
    Collector(*this).TraverseDecl(context().getTranslationUnitDecl());
  }

  clang::ASTContext &context() { return Unit->getASTContext(); }

  /// The last declaration of that name and kind; the test fails without one.
  template <typename T> const T &get(const char *Name) {
    auto *Found = llvm::dyn_cast_if_present<T>(ByName[Name]);
    EXPECT_TRUE(Found) << Name;
    return *Found;
  }

private:
  std::unique_ptr<clang::ASTUnit> Unit;
  std::map<std::string, clang::NamedDecl *> ByName;
};

} // namespace linesman::tidy

#endif // LINESMAN_TEST_UNIT_TIDY_PARSEDUNIT_H
