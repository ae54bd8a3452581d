// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Writes/LastUses.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/ClockValues.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/WordSwitch.h"

using namespace clang;

namespace linesman::tidy {

/// last_used, lastSeen, access_time, atime: of what happens to an object again
/// and again, whoever does it.
static bool saysLastUse(llvm::StringRef Name) {
  return llvm::any_of(wordsOf(Name), [](llvm::StringRef Word) {
    return WordSwitch<bool>(Word)
        .Cases({"used", "use", "seen", "access", "accessed", "touched", "atime",
                "activity", "hit"},
               true)
        .Cases({"lastused", "lastseen", "lastaccess", "lastactive"}, true)
        .Default(false);
  });
}

bool storesLastUse(const Access &Use, HotAccesses &Hot) {
  const FieldDecl *Field = Use.Object.field();
  if (!Field || Use.Kind == AccessKind::Read || Use.Object.Index ||
      !Field->getIdentifier() || !saysLastUse(Field->getName()) ||
      Hot.operationOf(Use) != AtomicOperation::Store || Hot.isReadBefore(Use))
    return false;
  const auto Operands = atomicOperands(*Use.Site);
  return !Operands.empty() && !Operands[0]->isValueDependent() &&
         clockValueOf(*Operands[0]) == ClockValue::Fine;
}

} // namespace linesman::tidy
