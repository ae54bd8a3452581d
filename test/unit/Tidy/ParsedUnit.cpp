// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing, and the walk that collects the names: compiled once for all tests.

#include "ParsedUnit.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Tooling/Tooling.h"

using namespace clang;

namespace linesman::tidy {

ParsedUnit::ParsedUnit(llvm::StringRef Code, bool IsC)
    : Unit(tooling::buildASTFromCodeWithArgs(Code,
                                             {IsC ? "-std=c11" : "-std=c++20",
                                              "--target=x86_64-linux-gnu",
                                              "-Wno-everything"},
                                             IsC ? "test.c" : "test.cpp")) {
  EXPECT_FALSE(Unit->getDiagnostics().hasErrorOccurred());
  struct Collector : RecursiveASTVisitor<Collector> {
    explicit Collector(ParsedUnit &Into) : Into(Into) {}
    bool shouldVisitImplicitCode() const { return false; }
    bool VisitNamedDecl(NamedDecl *D) {
      Into.ByName[D->getNameAsString()] = D;
      return true;
    }
    ParsedUnit &Into;
  };
  Collector(*this).TraverseDecl(context().getTranslationUnitDecl());
}

} // namespace linesman::tidy
