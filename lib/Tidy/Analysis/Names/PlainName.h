// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A declaration's name as its author thinks of it: with its namespaces and
// classes, without inline or anonymous namespaces and without template
// arguments. A message that printed the arguments would repeat one cause once
// per instantiation, because clang-tidy merges only equal messages.

#ifndef LINESMAN_TIDY_ANALYSIS_NAMES_PLAINNAME_H
#define LINESMAN_TIDY_ANALYSIS_NAMES_PLAINNAME_H

#include "clang/AST/Decl.h"
#include <string>

namespace linesman::tidy {

std::string plainName(const clang::NamedDecl &Declaration);

/// "Cache::hits" for a field; an anonymous record is left out.
std::string fieldName(const clang::FieldDecl &Field);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_NAMES_PLAINNAME_H
