// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One name for what reports call by several.

#include "linesman/Guard/Text.h"
#include "linesman/Report/Merge.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace linesman::report {

using guard::withoutBrackets;

/// An operator's name may have "<": it is no object's.
std::string plainIdentity(StringRef Id) {
  // "T[].lock" and "T[2].lock" are "T::lock".
  std::string Text = withoutBrackets(Id, '[', ']');
  if (Id.contains('['))
    if (size_t Dot = Text.find('.'); Dot != std::string::npos)
      Text.replace(Dot, 1, "::");
  Text = withoutBrackets(Text, '<', '>');
  Text = withoutBrackets(Text, '(', ')');
  StringRef Rest = Text;
  if (size_t Plus = Rest.rfind("+0x"); Plus != StringRef::npos)
    Rest = Rest.take_front(Plus);
  // A function template's local: "int f::count".
  if (size_t Space = Rest.rfind(' '); Space != StringRef::npos)
    Rest = Rest.drop_front(Space + 1);
  // "file.cpp:name", but not "a::b".
  for (size_t I = 1; I + 1 < Rest.size(); ++I)
    if (Rest[I] == ':' && Rest[I - 1] != ':' && Rest[I + 1] != ':') {
      Rest = Rest.drop_front(I + 1);
      break;
    }
  SmallVector<StringRef> Parts;
  Rest.split(Parts, "::", -1, /*KeepEmpty=*/false);
  if (Parts.size() != 1)
    return join(Parts, "::");
  // A C function's local: "function.name".
  auto [Function, Local] = Parts.front().split('.');
  return Local.empty() ? Function.str() : (Function + "::" + Local).str();
}

} // namespace linesman::report
