// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A state that is compared with one number after the other.

#ifndef LINESMAN_LIB_INPUT_STATETESTS_H
#define LINESMAN_LIB_INPUT_STATETESTS_H

#include "RegisterFlow.h"

namespace linesman::input {

/// Adds the tests behind those in \p Found that look at the same value again:
/// of each row, the last one.
void addStateTests(llvm::ArrayRef<Step> Steps, const ControlFlow &Flow,
                   FoundFacts &Found);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_STATETESTS_H
