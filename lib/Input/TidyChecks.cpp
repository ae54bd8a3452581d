// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of the checks: what each one's message names. A message is written
// for people; that it keeps naming its object is tested against the checks
// themselves (test/findings/from-tidy.test).

#include "TidyChecks.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using linesman::layout::RemedyKind;
using linesman::layout::SharingKind;

namespace linesman::input {

namespace {

struct CheckRow {
  StringLiteral Check;
  /// Matches a message of the check.
  StringLiteral Pattern;
  /// Groups of the pattern; 0 is "not in the message".
  unsigned Object, Function;
  SharingKind Kind;
  RemedyKind Cure;
};

constexpr CheckRow Rows[] = {
    {"linesman-sentinel-write",
     "^'?([^']+)'? writes .* be to the static '([^']+)'", 2, 1,
     SharingKind::True, RemedyKind::Guard},
    {"linesman-shared-refcount",
     "^'?([^']+)'? counts '[^']+' of the static '([^']+)'", 2, 1,
     SharingKind::True, RemedyKind::Guard},
    {"linesman-const-path-write", "^'([^']+)' promises .* but writes '([^']+)'",
     2, 1, SharingKind::Mixed, RemedyKind::Guard},
    {"linesman-global-write", "^'([^']+)' has static storage, and '([^']+)'", 1,
     2, SharingKind::True, RemedyKind::PerThread},
    {"linesman-adjacent-hot-fields",
     "^'([^']+)' \\(offset [0-9]+\\) is updated here(, in '([^']+)')?", 1, 3,
     SharingKind::False, RemedyKind::AlignAs},
    {"linesman-thread-slot", "own element of '([^']+)'", 1, 0,
     SharingKind::False, RemedyKind::AlignAs},
    {"linesman-broken-isolation", "^[^']*'([^']+)'", 1, 0, SharingKind::False,
     RemedyKind::AlignAs},
    {"linesman-broken-isolation", "^(hardware_constructive_interference_size)",
     1, 0, SharingKind::False, RemedyKind::AlignAs},
    {"linesman-redundant-store",
     "^every call of '([^']+)' stores the same constant to '([^']+)'", 2, 1,
     SharingKind::True, RemedyKind::Guard},
    {"linesman-redundant-store", "^this [^']*'([^']+)'", 1, 0,
     SharingKind::True, RemedyKind::Guard},
    {"linesman-write-only-global", "^'([^']+)' is written", 1, 0,
     SharingKind::True, RemedyKind::Guard},
};

} // namespace

bool describeSuspected(layout::SuspectedFinding &Finding) {
  if (!StringRef(Finding.Check).starts_with("linesman-"))
    return false;
  // A message that no row knows still names something; its source identifies
  // what names nothing.
  Finding.Id = Finding.Source;
  for (const CheckRow &Row : Rows) {
    if (Row.Check != Finding.Check)
      continue;
    Finding.Kind = Row.Kind;
    Finding.Cure = Row.Cure;
    SmallVector<StringRef> Groups;
    if (!Regex(Row.Pattern).match(Finding.Message, &Groups))
      continue;
    Finding.Id = Groups[Row.Object].str();
    if (Row.Function)
      Finding.Function = Groups[Row.Function].str();
    break;
  }
  return true;
}

} // namespace linesman::input
