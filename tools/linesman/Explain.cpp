// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman explain CHECK|WORD: a check's page or a word of the glossary, as
// docs/ has them. The build puts these into the program.

#include "linesman/Report/Explain.h"
#include "Commands.h"
#include "SharedOptions.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace linesman::tool {

/// The glossary is last, and has no check's name.
static const report::CheckPage Pages[] = {
#include "ExplainPages.inc"
};

Expected<int> runExplain(Arguments Args) {
  cl::SubCommand Command{"explain"};
  // "true sharing" needs no quotes.
  Rest Words{Command, "[CHECK|WORD]"};
  if (Error E = parseOptions(Args))
    return std::move(E);
  ArrayRef<report::CheckPage> Known = Pages;
  report::Explanations All(Known.drop_back(), Known.back().Text);
  if (Words.empty()) {
    All.list(outs());
    return Success;
  }
  if (Error Unknown = All.explain(join(Words, " "), outs()))
    return std::move(Unknown);
  return Success;
}

} // namespace linesman::tool
