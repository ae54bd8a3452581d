// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from a global to an object that it leads to, as C writes it: a name,
// then fields, elements and dereferences. There is only one name in it, so the
// whole is a list of steps:
//
//     *server->slots[3].lock     server, *, .slots, [3], .lock, *
//
// No arithmetic, no calls, no casts: an address that needs them can be computed
// in a debugger and given with --address.

#ifndef LINESMAN_WATCH_EXPRESSION_H
#define LINESMAN_WATCH_EXPRESSION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>
#include <vector>

namespace linesman::watch {

enum class StepKind : uint8_t { Dereference, Field, Element };

struct Step {
  StepKind Kind = StepKind::Field;
  /// Of a field.
  std::string Name;
  /// Of an element.
  uint64_t Index = 0;
  /// The expression up to here, for messages.
  std::string Text;
};

struct Expression {
  /// A global's name, qualified and with template arguments where it has them.
  std::string Root;
  std::vector<Step> Steps;

  /// What the last step says.
  llvm::StringRef text() const {
    return Steps.empty() ? llvm::StringRef(Root) : Steps.back().Text;
  }
};

/// Fails with a message that names the character that does not fit.
llvm::Expected<Expression> parseExpression(llvm::StringRef Text);

/// "ns::T::field" as {"ns::T", "field"}, looking past template arguments; the
/// first part is empty where there is no "::".
std::pair<std::string, std::string> splitScope(llvm::StringRef Name);

} // namespace linesman::watch

#endif // LINESMAN_WATCH_EXPRESSION_H
