// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a linked file back and checks that it is what was asked for.

#ifndef LINESMAN_LIB_RELINK_VERIFY_H
#define LINESMAN_LIB_RELINK_VERIFY_H

#include "ResolveEdits.h"
#include "linesman/Layout/LineMap.h"

namespace linesman::relink {

/// The two address spaces of a linked file.
struct LinkedImages {
  const layout::Image &Data;
  const layout::Image &ThreadBlock;

  const layout::Image &of(const Definition &D) const {
    return D.Kind == DefinitionKind::ThreadLocal ? ThreadBlock : Data;
  }
};

/// The symbols that \p Wanted can have become: of its name, of the size of one
/// of its definitions, and in the sections that edits make if one of them is.
/// More than one only for local ones, of which the linked file does not tell
/// the folder of the source.
std::vector<const layout::Symbol *> findSymbols(const LinkedImages &Linked,
                                                const LinkInputs &Inputs,
                                                const Definitions &Wanted);

/// Where the symbols of an edit are, after checking that it holds:
///   isolate, explode   no other occupant on their blocks
///   group              none but each other, and no more lines than they need
///   pad, shift         no occupant in that many bytes before
llvm::Expected<AppliedEdit> verifyEdit(const LinkedImages &Linked,
                                       const LinkInputs &Inputs,
                                       const ResolvedEdit &Edit);

/// Checks that every data symbol that an input defines has the size and the
/// alignment that one of its definitions gives it.
llvm::Error verifySymbols(const LinkedImages &Linked, const LinkInputs &Inputs);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_VERIFY_H
