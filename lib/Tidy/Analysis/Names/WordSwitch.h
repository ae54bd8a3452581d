// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value by words. llvm::StringSwitch takes several words for one value in one
// way in LLVM 19 and in another in LLVM 22; this is the part of it that we use,
// the same for both.

#ifndef LINESMAN_TIDY_ANALYSIS_NAMES_WORDSWITCH_H
#define LINESMAN_TIDY_ANALYSIS_NAMES_WORDSWITCH_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <initializer_list>
#include <optional>

namespace linesman::tidy {

template <typename T> class WordSwitch {
public:
  explicit WordSwitch(llvm::StringRef Word) : Word(Word) {}

  WordSwitch &Case(llvm::StringRef Asked, T Value) {
    return Cases({Asked}, Value);
  }
  WordSwitch &Cases(std::initializer_list<llvm::StringRef> Asked, T Value) {
    if (!Found && llvm::is_contained(Asked, Word))
      Found = Value;
    return *this;
  }
  WordSwitch &StartsWith(llvm::StringRef Prefix, T Value) {
    if (!Found && Word.starts_with(Prefix))
      Found = Value;
    return *this;
  }
  T Default(T Value) const { return Found.value_or(Value); }

private:
  llvm::StringRef Word;
  std::optional<T> Found;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_NAMES_WORDSWITCH_H
