// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of a command's words: its options, its help, or an error.

#include "Commands.h"
#include "Vocabulary.h"
#include "options/Help.h"
#include "options/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include <cassert>
#include <cstdlib>

using namespace llvm;

namespace linesman::tool {

static bool isHelp(StringRef Word) {
  return Word == "--help" || Word == "-help" || Word == "-h";
}

/// Whoever asks for help or a document has made no mistake.
static void answerQuestions(Arguments Words, const Command &Asked,
                            const options::OptionTable &Table) {
  const options::CommandPage Page{Asked.Purpose, Asked.Examples,
                                  LINESMAN_VERSION};
  StringRef Form = Words.empty() ? "" : Words.front();
  const bool IsDocument =
      Form.consume_front("--describe=") && options::isDescription(Form);
  if (IsDocument)
    options::describe(Form, Table, Page, outs());
  else if (any_of(ArrayRef(Words.begin(), find(Words, StringRef("--"))),
                  isHelp))
    options::writeHelp(Table, Page);
  else
    return;
  std::exit(Success);
}

Error parseOptions(Arguments Args) {
  options::OptionTable Table(Args[1], groupings());
  Arguments Words = Args.drop_front(2);
  const Command *Asked = findCommand(Args[1]);
  assert(Asked && "the options of a command that is not in the table");
  answerQuestions(Words, *Asked, Table);
  BumpPtrAllocator Memory;
  SmallVector<const char *> Expanded(Words);
  Error Problem = options::expandFiles(Expanded, Memory);
  if (!Problem)
    Problem = options::parse(Table, Expanded, habits());
  if (Problem)
    return createStringError(toString(std::move(Problem)) + "; see 'linesman " +
                             Args[1] + " --help'");
  return options::checkOverwrites(Table, Expanded, outputOptions());
}

Error parseOptions(Arguments Args, cl::list<std::string> &Program) {
  auto End = find(Args, StringRef("--"));
  Arguments Rest = ArrayRef(End, Args.end());
  Rest = Rest.drop_front(!Rest.empty());
  if (!Rest.empty())
    Program.setNumOccurrencesFlag(cl::ZeroOrMore);
  if (Error E = parseOptions(ArrayRef(Args.begin(), End)))
    return E;
  for (const char *Word : Rest)
    Program.push_back(Word);
  return options::checkOverwrites(options::OptionTable(Args[1], groupings()),
                                  ArrayRef(End, Args.end()).take_front(2),
                                  outputOptions());
}

Error checkRegex(StringRef Option, StringRef Value) {
  std::string Problem;
  if (Value.empty() || Regex(Value).isValid(Problem))
    return Error::success();
  return createStringError("--" + Option + "=" + Value + ": " + Problem);
}

Error checkPowerOfTwo(StringRef Option, uint64_t Value, uint64_t Least,
                      uint64_t Most) {
  if (isPowerOf2_64(Value) && Value >= Least && Value <= Most)
    return Error::success();
  return createStringError(
      formatv("--{0}={1}: expected a power of two from {2} to {3}", Option,
              Value, Least, Most));
}

} // namespace linesman::tool
