// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes changed copies of inputs and names them in the command.

#ifndef LINESMAN_LIB_RELINK_WRITECOPIES_H
#define LINESMAN_LIB_RELINK_WRITECOPIES_H

#include "ResolveEdits.h"
#include "Scratch.h"

namespace linesman::relink {

/// Makes the copies in \p Scratch and returns \p Command with them in the place
/// of the originals. Only changed objects, and archives with a changed member,
/// are copied.
llvm::Expected<std::vector<std::string>>
writeCopies(const LinkInputs &Inputs, const LinkChanges &Changes,
            const ScratchFolder &Scratch, std::vector<std::string> Command);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_WRITECOPIES_H
