// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of a command's words: its options, its help, or an error.

#include "Commands.h"
#include "Help.h"
#include "Vocabulary.h"
#include "options/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include <cstdlib>

using namespace llvm;

namespace linesman::tool {

static bool isHelp(StringRef Word) {
  return Word == "--help" || Word == "-help" || Word == "-h";
}

bool parseOptions(Arguments Args, StringRef Overview) {
  options::OptionTable Table(Args[1], groupings());
  Arguments Words = Args.drop_front(2);
  if (!Words.empty())
    if (StringRef First = Words.front();
        First.consume_front("--describe=") && options::isDescription(First)) {
      options::describe(First, Table, pageOf(Args[1], Overview), outs());
      return false;
    }
  // Whoever asks for help has made no mistake.
  if (any_of(ArrayRef(Words.begin(), find(Words, StringRef("--"))), isHelp)) {
    writeHelp(Table, pageOf(Args[1], Overview));
    std::exit(Success);
  }
  BumpPtrAllocator Memory;
  SmallVector<const char *> Expanded(Words);
  Error Problem = options::expandFiles(Expanded, Memory);
  if (!Problem)
    Problem = options::parse(Table, Expanded, habits());
  if (Problem) {
    fail(createStringError(toString(std::move(Problem)) + "; see 'linesman " +
                           Args[1] + " --help'"));
    return false;
  }
  if (Error E = options::checkOverwrites(Table, Expanded, outputOptions())) {
    fail(std::move(E));
    return false;
  }
  return true;
}

bool parseOptions(Arguments Args, StringRef Overview,
                  cl::list<std::string> &Command) {
  auto End = find(Args, StringRef("--"));
  Arguments Rest = ArrayRef(End, Args.end());
  Rest = Rest.drop_front(!Rest.empty());
  if (!Rest.empty())
    Command.setNumOccurrencesFlag(cl::ZeroOrMore);
  if (!parseOptions(ArrayRef(Args.begin(), End), Overview))
    return false;
  for (const char *Word : Rest)
    Command.push_back(Word);
  options::OptionTable Table(Args[1], groupings());
  if (Error E = options::checkOverwrites(
          Table, ArrayRef(End, Args.end()).take_front(2), outputOptions())) {
    fail(std::move(E));
    return false;
  }
  return true;
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
