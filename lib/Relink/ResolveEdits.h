// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an edit means for the inputs of a link.

#ifndef LINESMAN_LIB_RELINK_RESOLVEEDITS_H
#define LINESMAN_LIB_RELINK_RESOLVEEDITS_H

#include "FindDefinitions.h"
#include "LinkedSections.h"
#include "ObjectEditor.h"
#include "linesman/Relink/Relink.h"

namespace linesman::relink {

/// One symbol of an edit: all definitions of it, any of which may be linked.
using Definitions = std::vector<DefinitionRef>;

struct ResolvedEdit {
  plan::Edit Change;
  /// As What.Symbols.
  std::vector<Definitions> Symbols;
  /// For Group: positions in Symbols, in the order in which they are expected
  /// to be linked.
  std::vector<size_t> Order;
};

/// Finds every symbol and checks that it can be moved. Fails with all problems
/// at once; each names its symbol and says why.
llvm::Expected<std::vector<ResolvedEdit>>
resolveEdits(const LinkInputs &Inputs, llvm::ArrayRef<plan::Edit> Edits,
             UnitPolicy Units);

/// The other symbols of the definition's input section, by offset. They move
/// together.
std::vector<const Definition *> unitOf(const LinkInputs &Inputs,
                                       DefinitionRef Ref);

/// By position in LinkInputs::Objects.
using LinkChanges = std::map<size_t, ObjectChanges>;
/// With these tails behind the new sections.
LinkChanges makeChanges(const LinkInputs &Inputs,
                        llvm::ArrayRef<ResolvedEdit> Edits, Tails After);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_RESOLVEEDITS_H
