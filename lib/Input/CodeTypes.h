// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about types, of machine code: where a function uses a pointer, and
// debug information says what it points to.
//
//     push:  mov rax, [rdi + 24]       a Queue is in rdi: reads 8 bytes at 24
//            mov [rax + 8], rsi        and there it has an Item *: writes 8
//                                      bytes at 8 of an Item
//
// The same facts as a compiler's pass has them (facts::TypeFact), for the same
// ranking. What is outside of the record that the type names is no fact: a
// member's address that is led back to what it is in (container_of), a class
// that is derived from the one that the parameter names.

#ifndef LINESMAN_LIB_INPUT_CODETYPES_H
#define LINESMAN_LIB_INPUT_CODETYPES_H

#include "PointedRecords.h"
#include "linesman/Facts/Pointers.h"

namespace linesman::input {

/// What a function's uses of pointers do to objects of types, in the order of
/// their first access.
std::vector<facts::TypeFact> typeFactsOf(const facts::PointerFacts &Function,
                                         const PointedRecords &Records);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_CODETYPES_H
