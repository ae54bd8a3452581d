// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which definitions an edit means.

#ifndef LINESMAN_LIB_RELINK_FINDDEFINITIONS_H
#define LINESMAN_LIB_RELINK_FINDDEFINITIONS_H

#include "InputObject.h"
#include "linesman/Plan/Edit.h"

namespace linesman::relink {

/// Reads the definitions that findDefinitions needs for \p Wanted: of the
/// objects that define a linker's name; only where that does not tell, of all.
llvm::Error readDefinitionsFor(LinkInputs &Inputs,
                               llvm::ArrayRef<plan::SymbolRef> Wanted);

/// All definitions of the one object that \p Wanted names: a local symbol has
/// one, an inline variable one in each object that uses it. Its Symbol is the
/// linker's name or the demangled one, or "file:name", where the file is that
/// of the source or of the object; where LTO has renamed it, the stem decides.
/// Fails when there is none, or several objects and no ordinal.
llvm::Expected<std::vector<DefinitionRef>>
findDefinitions(const LinkInputs &Inputs, const plan::SymbolRef &Wanted);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_FINDDEFINITIONS_H
