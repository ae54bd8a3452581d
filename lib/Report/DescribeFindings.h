// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a layout report says of lines, as findings have it.

#ifndef LINESMAN_LIB_REPORT_DESCRIBEFINDINGS_H
#define LINESMAN_LIB_REPORT_DESCRIBEFINDINGS_H

#include "linesman/Report/Report.h"

namespace linesman::report {

Finding describeFinding(const LayoutReport &Report,
                        const layout::LineFinding &Found);

/// Of a linked file.
FindingLine describeLine(const LayoutReport &Report, layout::LineIndex Line,
                         llvm::ArrayRef<layout::LineOccupant> Occupants);

/// Without its sites where they are those of the occupant at \p SitesAs.
FindingOccupant describeOccupant(const LayoutReport &Report,
                                 const layout::LineOccupant &Place,
                                 std::optional<uint64_t> SitesAs);

} // namespace linesman::report

#endif // LINESMAN_LIB_REPORT_DESCRIBEFINDINGS_H
