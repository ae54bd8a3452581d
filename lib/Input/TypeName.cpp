// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Input/TypeName.h"
#include "llvm/ADT/StringExtras.h"
#include <vector>

using namespace llvm;

namespace linesman::input {

static bool isWord(char C) { return isAlnum(C) || C == '_'; }

std::string comparableTypeName(StringRef Name) {
  std::string Result;
  // Qualifiers that were in front, for each open bracket.
  std::vector<std::string> Waiting(1);
  bool IsFirst = true; // nothing of this type was said yet
  auto Release = [&] {
    Result += Waiting.back();
    Waiting.back().clear();
  };
  for (size_t I = 0; I != Name.size();) {
    const char C = Name[I];
    if (isWord(C)) {
      StringRef Word = Name.drop_front(I).take_while(isWord);
      I += Word.size();
      if (IsFirst && (Word == "const" || Word == "volatile")) {
        Waiting.back() += Word;
        continue;
      }
      // 64UL, 64ul, 64
      Result += isDigit(Word.front()) ? Word.rtrim("uUlL") : Word;
      IsFirst = false;
      continue;
    }
    ++I;
    switch (C) {
    case ' ':
      continue;
    case '<':
    case '(':
      Waiting.emplace_back();
      IsFirst = true;
      break;
    case '>':
    case ')':
      Release();
      if (Waiting.size() > 1)
        Waiting.pop_back();
      IsFirst = false;
      break;
    case ',':
      Release();
      IsFirst = true;
      break;
    case '*':
    case '&':
      Release();
      break;
    default:
      break;
    }
    Result += C;
  }
  Release();
  return Result;
}

} // namespace linesman::input
