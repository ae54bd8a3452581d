// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TOOLS_VISITEDFORMS_H
#define LINESMAN_TOOLS_VISITEDFORMS_H

#include "SharedOptions.h"
#include "linesman/Report/Document.h"

namespace linesman::tool {

/// Writes a form that visits the document: all but text, JSON and the page.
/// Notes on stderr what the form cannot say.
llvm::Error writeVisited(Format As, report::Document &Document,
                         const report::SourceRoot &Tree, llvm::raw_ostream &OS);

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_VISITEDFORMS_H
