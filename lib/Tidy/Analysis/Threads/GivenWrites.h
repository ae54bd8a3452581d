// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a function write the object that it is given, or a part of it?
//
//     take(&pools[thread].free)      take(list):    remove(&list->head)
//                                    remove(head):  head->next = ...
//
// Who gives away the element that is his gives it to be written: what he calls
// is a part of his operation.

#ifndef LINESMAN_TIDY_ANALYSIS_THREADS_GIVENWRITES_H
#define LINESMAN_TIDY_ANALYSIS_THREADS_GIVENWRITES_H

#include "Analysis/Accesses/HotAccesses.h"

namespace linesman::tidy {

/// \p Given, or an object that it is a part of, is one of the arguments of the
/// call that \p Use stands for, and the callee, whose body is here, writes it
/// without an index and not only when it is made.
bool isWrittenByCallee(const Access &Use, const clang::Expr &Given,
                       HotAccesses &Hot);

/// \p Use hands a list, such as a std::vector, to a function whose body is here
/// and that only picks elements of it: these are elsewhere.
bool isListOnlyPicked(const Access &Use, const UnitAccesses &Accesses);

/// \p Use calls a method, not const, whose body is here and that only reads its
/// object: what it does, it does through pointers.
bool callsReader(const Access &Use, const UnitAccesses &Accesses);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_THREADS_GIVENWRITES_H
