// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The beginning of every JSON document that we write: "schema": 1, "tool":
// "linesman", "command".

#ifndef LINESMAN_GUARD_HEAD_H
#define LINESMAN_GUARD_HEAD_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace linesman::guard {

void writeHead(llvm::StringRef Command, llvm::json::OStream &Json);
/// The same as a value, to which the rest is added.
llvm::json::Object makeHead(llvm::StringRef Command);

/// The same as text, for a document that has one row an object.
std::string headText(llvm::StringRef Command);

} // namespace linesman::guard

#endif // LINESMAN_GUARD_HEAD_H
