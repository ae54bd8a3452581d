// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the message of a check says, by the table of the checks.

#ifndef LINESMAN_LIB_INPUT_TIDYCHECKS_H
#define LINESMAN_LIB_INPUT_TIDYCHECKS_H

#include "linesman/Layout/Suspected.h"

namespace linesman::input {

/// Fills in the identity, function, kind and remedy of \p Finding from its
/// check and message. False when the check is not one of ours.
bool describeSuspected(layout::SuspectedFinding &Finding);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_TIDYCHECKS_H
