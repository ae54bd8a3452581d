// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This program in a linker's place. Called as "ld.lld" or "linesman-ld.lld" it
// is ld.lld; as "ld" or "linesman-ld", ld, or what LINESMAN_LINKER names.
//
//     LINESMAN_CAPTURE is set    write the link down (linesman capture)
//     linesman.json is there     link, report, check the lock, apply the plan
//     otherwise                  become the linker

#ifndef LINESMAN_DRIVE_LINKERPLACE_H
#define LINESMAN_DRIVE_LINKERPLACE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::drive {

/// Whether a program that is called \p Program is to be that linker.
bool isLinkerName(llvm::StringRef Program);

/// Does what the linker \p Words would do, and what its linesman.json asks.
/// \p Self is this program's file. Returns the exit code of a linker, and not
/// at all where it becomes one. What there is to say goes to \p Said.
llvm::Expected<int> actAsLinker(llvm::ArrayRef<const char *> Words,
                                llvm::StringRef Self, llvm::raw_ostream &Said);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_LINKERPLACE_H
