// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects and their line-mates as comparisons print them:
//
//     counter (written): new line-mate log_level; no longer table

#ifndef LINESMAN_LIB_REPORT_MATENAMES_H
#define LINESMAN_LIB_REPORT_MATENAMES_H

#include "linesman/Layout/LineMates.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::report {

/// For people: demangled, with its file where it is local.
std::string nameOf(const layout::Identity &Is);
/// "written" or "read".
llvm::StringRef useWord(layout::Use Usage);

/// One line.
void writeText(const layout::MateChange &Change, llvm::raw_ostream &OS);

/// Keys of the object that is open.
void writeIdentity(const layout::Identity &Is, llvm::json::OStream &Json);
/// An array; of a name that needs no more a string.
void writeMates(llvm::StringRef Key, llvm::ArrayRef<layout::Identity> Mates,
                llvm::json::OStream &Json);
/// The array "objects".
void writeChanges(llvm::ArrayRef<layout::MateChange> Changes,
                  llvm::json::OStream &Json);

} // namespace linesman::report

#endif // LINESMAN_LIB_REPORT_MATENAMES_H
