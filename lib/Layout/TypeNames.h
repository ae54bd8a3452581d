// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of types as facts have them.

#ifndef LINESMAN_LIB_LAYOUT_TYPENAMES_H
#define LINESMAN_LIB_LAYOUT_TYPENAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace linesman::layout {

/// "ns::S<int>" of "_ZTSN2ns1SIiEE": the compiler names types by their
/// typeinfo's names, or as they are.
std::string plainTypeName(llvm::StringRef Name);

/// "ns::S": all that a template makes is one. IR without TBAA, that of -O0 or
/// of C, knows no more.
std::string templateName(llvm::StringRef PlainName);

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_TYPENAMES_H
