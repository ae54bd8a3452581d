// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fourth step of a relink: the linked file holds what was asked, and nobody
// else got other line-mates.

#ifndef LINESMAN_LIB_RELINK_VERIFYFILE_H
#define LINESMAN_LIB_RELINK_VERIFYFILE_H

#include "LinkEdits.h"

namespace linesman::relink {

struct VerifiedEdits {
  std::vector<AppliedEdit> Edits;
  std::vector<std::string> Warnings;
};

/// \p Plain is the output of a link without edits, where the thread block grows
/// (growsThreadBlock). Reads all definitions of \p Inputs if those of edits do
/// not tell.
llvm::Expected<VerifiedEdits>
verifyFile(const EditedFile &File, LinkInputs &Inputs, const LinkedFile *Plain);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_VERIFYFILE_H
