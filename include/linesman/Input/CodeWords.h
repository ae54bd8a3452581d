// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the code of a stripped binary says about itself. A function without a
// name still loads strings that stand in its source, and hands objects to
// functions that have names:
//
//     function at 0x70c80 "could not lock %s"
//         atomic  pthread_mutex_lock  at 0x70d5a
//
// Asked for what a report prints only: each question decodes one function.

#ifndef LINESMAN_INPUT_CODEWORDS_H
#define LINESMAN_INPUT_CODEWORDS_H

#include "linesman/Input/ReadBinary.h"

namespace linesman::input {

class CodeWords {
public:
  /// \p File must outlive this. A binary whose code is not read has no words.
  explicit CodeWords(const Binary &File);
  ~CodeWords();

  /// By what a person can find the function that begins at \p Function in its
  /// source: "asserts in name", with the name that an assertion of it (or of a
  /// function that was inlined) prints, or the longest string that it loads, in
  /// quotes and escaped; empty where there is neither.
  std::string describeFunction(layout::LinkAddress Function);
  /// The name of the function that the call at \p Instruction, in the function
  /// that begins at \p Function, calls; empty for any other instruction, and
  /// where the callee has no name.
  std::string findCallee(layout::LinkAddress Function,
                         layout::LinkAddress Instruction);

private:
  struct Opened;
  std::unique_ptr<Opened> Code;
};

} // namespace linesman::input

#endif // LINESMAN_INPUT_CODEWORDS_H
