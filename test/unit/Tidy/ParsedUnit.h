// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit parsed from a literal, and its declarations by name.

#ifndef LINESMAN_TEST_UNIT_TIDY_PARSEDUNIT_H
#define LINESMAN_TEST_UNIT_TIDY_PARSEDUNIT_H

#include "clang/AST/ASTContext.h"
#include "clang/Frontend/ASTUnit.h"
#include "gtest/gtest.h"
#include <map>

namespace linesman::tidy {

class ParsedUnit {
public:
  explicit ParsedUnit(llvm::StringRef Code, bool IsC = false);

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
