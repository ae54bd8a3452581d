// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What differs between the LLVM releases that the module is built for, in one
// place, so that no check asks for a version.

#ifndef LINESMAN_TIDY_COMPAT_H
#define LINESMAN_TIDY_COMPAT_H

#include "clang-tidy/ClangTidyCheck.h"
#include "clang-tidy/ClangTidyModule.h"
#include "clang/Basic/Version.h"
#if CLANG_VERSION_MAJOR < 22
#include "clang-tidy/ClangTidyModuleRegistry.h"
#endif
#include "clang/AST/Decl.h"

namespace linesman::tidy {

/// Bits of a bit-field.
inline unsigned bitWidth(const clang::FieldDecl &Field,
                         [[maybe_unused]] const clang::ASTContext &Context) {
#if CLANG_VERSION_MAJOR < 20
  return Field.getBitWidthValue(Context);
#else
  return Field.getBitWidthValue();
#endif
}

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_COMPAT_H
