// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A queue of linked nodes, into which many put and from which one takes:
//
//     node *before = head.exchange(n);    who puts swaps one end,
//     before->next = n;
//     tail = tail->next;                  who takes walks the other, plainly
//
// Or from which many take, too. Who finds that the end has not moved yet moves
// it for the others, so that both parties write the end that grows:
//
//     last->next.compare_exchange(none, n);   tail.compare_exchange(last, n);
//     if (first == tail) tail.compare_exchange(last, next);     who takes helps
//     else head.compare_exchange(first, next);

#ifndef LINESMAN_TIDY_ANALYSIS_CONTAINERS_LISTENDS_H
#define LINESMAN_TIDY_ANALYSIS_CONTAINERS_LISTENDS_H

#include "Analysis/Accesses/HotAccesses.h"

namespace linesman::tidy {

/// A record that links to its kind.
bool isNode(clang::QualType Type);

/// Both point to nodes of one type that link to their kind; operations exchange
/// \p Swapped for the node that was there, and write \p Walked plainly where
/// they have read it. \p Walked may also be a node itself, of which they write
/// the link.
bool areEndsOfList(const clang::FieldDecl &Swapped,
                   const clang::FieldDecl &Walked, HotAccesses &Hot);

/// Both point to nodes of one type that link to their kind, with or without a
/// count beside the pointer, and operations only compare and exchange them. Who
/// moves \p Taken looks at \p Grown, which somebody moves who leaves \p Taken
/// alone.
bool areHelpedEnds(const clang::FieldDecl &Grown, const clang::FieldDecl &Taken,
                   HotAccesses &Hot);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CONTAINERS_LISTENDS_H
