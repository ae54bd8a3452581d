// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two flags that are one conversation:
//
//     sleeping = true;  while (!done) pause();  sleeping = false;
//     done = true;      if (sleeping) wake();
//
// Who raises one looks at the other next: on one line that is one miss, on two
// lines it would be two.

#ifndef LINESMAN_TIDY_ANALYSIS_WRITES_FLAGANSWERS_H
#define LINESMAN_TIDY_ANALYSIS_WRITES_FLAGANSWERS_H

#include "Analysis/Accesses/FieldRoles.h"

namespace linesman::tidy {

/// Whoever raises \p Asking waits for \p Answer in a loop, and whoever raises
/// \p Answer looks at \p Asking; both only ever hold constants.
bool answerEachOther(const Role &Asking, const Role &Answer, HotAccesses &Hot,
                     const clang::ASTContext &Unit);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_WRITES_FLAGANSWERS_H
