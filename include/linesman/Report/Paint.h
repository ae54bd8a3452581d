// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Colour for people at a terminal. A report is plain text, and says without
// colour what it says with it. What a line is, its shape tells:
//
//     1. hits                          bold
//        ........wwwwwwww....rrrr      writes red, reads green
//          write  1  work              the word
//     note: ...                        the word

#ifndef LINESMAN_REPORT_PAINT_H
#define LINESMAN_REPORT_PAINT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace linesman::report {

/// \p Report with the sequences of a terminal.
std::string paint(llvm::StringRef Report);

} // namespace linesman::report

#endif // LINESMAN_REPORT_PAINT_H
