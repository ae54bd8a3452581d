// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a finding breaks: a check's rule, or one for its kind of sharing. The
// checks' sentences are those of docs/checks/README.md, which a test compares.

#include "linesman/Layout/Checks.h"
#include "linesman/Report/Formats.h"

using namespace llvm;

namespace linesman::report {

namespace {

struct Text {
  StringLiteral Id, Summary;
};

/// By name.
constexpr Text CheckTexts[] = {
    {"linesman-adjacent-hot-fields",
     "a field that every operation updates beside one that is only read"},
    {"linesman-adjacent-writers",
     "two words on one line that different functions write"},
    {"linesman-broken-isolation",
     "alignment and padding that does not do what it was written for"},
    {"linesman-const-path-write", "a const function that writes its object"},
    {"linesman-global-write",
     "a variable with static storage that every operation writes"},
    {"linesman-lock-neighbour",
     "a lock on the line of what is used without it"},
    {"linesman-redundant-store",
     "an atomic write that a test would make unnecessary"},
    {"linesman-sentinel-write",
     "a write to the object that stands for nothing"},
    {"linesman-shared-refcount",
     "a reference count of an object that never goes away"},
    {"linesman-thread-object",
     "a word of a thread's own object that other threads use, beside the "
     "owner's"},
    {"linesman-thread-slot",
     "an array with an element for each thread, two to a line"},
    {"linesman-write-only-global", "a variable that nobody reads"},
};
static_assert(std::size(CheckTexts) == std::size(layout::CheckTable));

struct KindText {
  StringLiteral Id, Summary, Help;
};
constexpr StringLiteral CheckHelp =
    "The source has the shape of a hazard. What it costs, only the binary and "
    "a running process can tell. [[clang::annotate(\"linesman:shared-ok\")]] "
    "on the variable, field or type accepts it; so does a NOLINT comment.";
constexpr KindText Kinds[] = {
    {"false-sharing", "different bytes of one cache line",
     "Threads use different bytes of one cache line, and one writes: each "
     "write "
     "takes the line away from the others. Give the written object lines of "
     "its own (alignas, linesman relink), or group what is written together."},
    {"true-sharing", "the same bytes, written by several threads",
     "Threads use the same bytes, and one writes. Padding does not help: do "
     "not write (test before the store), or keep one copy for each thread."},
    {"mixed", "the same bytes, and others of their cache line",
     "Threads meet on the same bytes and on others of the line. Layout cures "
     "the second; for the first, do not write, or keep one copy for each "
     "thread."},
    {"sharing", "threads meet on a cache line",
     "Threads meet on the line; which bytes they share is not known."},
};

} // namespace

std::vector<Rule> allRules() {
  std::vector<Rule> Rules;
  for (const Text &Check : CheckTexts)
    Rules.push_back({Check.Id.str(), Check.Summary, CheckHelp});
  for (const KindText &Kind : Kinds)
    Rules.push_back({("linesman-" + Kind.Id).str(), Kind.Summary, Kind.Help});
  return Rules;
}

std::string ruleOf(const Finding &Found) {
  if (const FindingSuspicion *Check = Found.check())
    return Check->Check;
  for (const KindText &Kind : Kinds)
    if (Kind.Id == Found.Kind)
      return ("linesman-" + Kind.Id).str();
  return "linesman-sharing";
}

} // namespace linesman::report
