// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finding's number in the data bases of other tools.

#ifndef LINESMAN_LIB_REPORT_FINGERPRINT_H
#define LINESMAN_LIB_REPORT_FINGERPRINT_H

#include "linesman/Report/Document.h"
#include "llvm/ADT/StringMap.h"

namespace linesman::report {

/// 40 hexadecimal digits of what stays the same when lines of the source and
/// addresses change. \p Seen counts the findings of one report, so that no two
/// have one.
std::string fingerprint(const Finding &Found, llvm::StringMap<unsigned> &Seen);

} // namespace linesman::report

#endif // LINESMAN_LIB_REPORT_FINGERPRINT_H
