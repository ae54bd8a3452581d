// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A question that is asked until its answer is yes, and a no that is written
// down each time:
//
//     if (!must_yield) must_yield = should_yield();
//
// The test has just said that the flag is false, so that "false" goes where it
// is already. What is called must be a question by its name: an action
// (`if (!ready) ready = open();`) answers yes the first time.

#ifndef LINESMAN_TIDY_ANALYSIS_WRITES_REPEATEDANSWERS_H
#define LINESMAN_TIDY_ANALYSIS_WRITES_REPEATEDANSWERS_H

#include "Analysis/Accesses/HotAccesses.h"

namespace linesman::tidy {

/// \p Use stores a question's answer to an atomic or volatile bool of which a
/// test around it has told the value, and that another function reads.
bool repeatsAnswer(const Access &Use, HotAccesses &Hot);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_WRITES_REPEATEDANSWERS_H
