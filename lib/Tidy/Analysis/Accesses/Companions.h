// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two fields that belong on one line, because who comes for one has come for
// both:
//
//     head, tail    which the same functions write
//     queue, lock   of which the lock is only taken for the queue

#ifndef LINESMAN_TIDY_ANALYSIS_ACCESSES_COMPANIONS_H
#define LINESMAN_TIDY_ANALYSIS_ACCESSES_COMPANIONS_H

#include "Analysis/Accesses/UnitAccesses.h"

namespace linesman::tidy {

/// The same functions write both.
bool areWrittenTogether(const clang::FieldDecl &First,
                        const clang::FieldDecl &Second,
                        const UnitAccesses &Accesses);

/// That, or \p Second is a lock that is only taken, as far as the unit shows,
/// by who uses \p First.
bool areCompanions(const clang::FieldDecl &First,
                   const clang::FieldDecl &Second, const UnitAccesses &Accesses,
                   const TypeKinds &Kinds);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ACCESSES_COMPANIONS_H
