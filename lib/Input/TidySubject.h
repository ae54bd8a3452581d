// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the message of a check is about: the brackets at its end.

#ifndef LINESMAN_LIB_INPUT_TIDYSUBJECT_H
#define LINESMAN_LIB_INPUT_TIDYSUBJECT_H

#include "linesman/Layout/Suspected.h"

namespace linesman::input {

/// Fills in the identity, function, kind and remedy of \p Finding from its
/// check and message, of which only the words for people are left. False when
/// the check is not one of ours. A message without a subject (an older plugin
/// wrote none) is identified by its source.
bool describeSuspected(layout::SuspectedFinding &Finding);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_TIDYSUBJECT_H
