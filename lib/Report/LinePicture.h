// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The picture of a line, one character a byte:
//
//     0x4040  AAAAAAAAAAAAAAAAAAAAAAAABBBB----CCCCCCCC[.got.plt contents......
//             ........wwwwwwww........rrrr............

#ifndef LINESMAN_LIB_REPORT_LINEPICTURE_H
#define LINESMAN_LIB_REPORT_LINEPICTURE_H

#include "linesman/Report/Report.h"

namespace linesman::report {

/// Bytes in one row of a picture, whatever the size of a line: with the address
/// it fits 80 columns.
inline constexpr size_t RowBytes = 64;

/// The letter of the N-th occupant of a line that is not a hole: A, B, ... Z,
/// a, b, ... z, then '#'.
char occupantLetter(size_t N);

/// Letters for the occupants of a line, in order; '-' for holes and padding,
/// '?' for bytes that nothing names.
std::string occupantLetters(const layout::Image &Image,
                            llvm::ArrayRef<layout::LineOccupant> Occupants);

/// What is done to each byte of a line, one character a byte: 'a' an atomic
/// operation, 'w' a write, 'r' a read, '~' an access somewhere in the object,
/// '.' none that is known.
std::string accessMarks(const LayoutReport &Report, layout::LineIndex Line,
                        llvm::ArrayRef<layout::LineOccupant> Occupants);

void writeLinePicture(const LayoutReport &Report, layout::LineIndex Line,
                      llvm::ArrayRef<layout::LineOccupant> Occupants,
                      llvm::raw_ostream &OS);

} // namespace linesman::report

#endif // LINESMAN_LIB_REPORT_LINEPICTURE_H
