// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An edit: one thing that a plan does to the layout.

#ifndef LINESMAN_PLAN_EDIT_H
#define LINESMAN_PLAN_EDIT_H

#include <cstdint>
#include <string>

namespace linesman::plan {

enum class EditKind : uint8_t {
  /// The symbol's lines hold nobody else.
  Isolate,
};

struct Edit {
  EditKind Kind = EditKind::Isolate;
  /// The linker's name or the demangled one; "file:name" where several objects
  /// have that name.
  std::string Symbol;
};

} // namespace linesman::plan

#endif // LINESMAN_PLAN_EDIT_H
