// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields that the same functions use. Who writes the one has the line when it
// comes to the other: to part them spares nothing. What can be spared is what
// others do, who leave the written one alone.
//
//     remove(n) { n->prev->next = n->next; n->next->prev = n->prev; }
//     append(n) { ... both ... }            next, prev: to part them is no cure
//
//     push(q) { q->tail++; }  pop(q) { q->head++; }       head, tail: it is one

#ifndef LINESMAN_LIB_LAYOUT_USEDTOGETHER_H
#define LINESMAN_LIB_LAYOUT_USEDTOGETHER_H

#include "linesman/Layout/Finding.h"

namespace linesman::layout {

/// The share, 0 to 1, of what \p A and \p B on one line cost each other that is
/// between functions which do not write both: what lines of their own spare.
double shareApart(const Image &Program, const AccessTable &Table,
                  const LineOccupant &A, const LineOccupant &B);

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_USEDTOGETHER_H
