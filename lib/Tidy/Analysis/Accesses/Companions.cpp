// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Accesses/Companions.h"
#include "Analysis/Locks/LockUses.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace linesman::tidy {

namespace {

using Functions = llvm::SmallPtrSet<const FunctionDecl *, 4>;

Functions usersOf(const FieldDecl &Field, const UnitAccesses &Accesses,
                  bool OnlyWriters) {
  Functions Users;
  for (unsigned Index : Accesses.of(Field)) {
    const Access &Use = Accesses.all()[Index];
    if (Use.Function && !Use.IsConstruction && (Use.writes() || !OnlyWriters))
      Users.insert(Use.Function->getCanonicalDecl());
  }
  return Users;
}

} // namespace

bool areWrittenTogether(const FieldDecl &First, const FieldDecl &Second,
                        const UnitAccesses &Accesses) {
  const Functions Writers = usersOf(First, Accesses, /*OnlyWriters=*/true);
  return !Writers.empty() &&
         Writers == usersOf(Second, Accesses, /*OnlyWriters=*/true);
}

bool areCompanions(const FieldDecl &First, const FieldDecl &Second,
                   const UnitAccesses &Accesses, const TypeKinds &Kinds) {
  if (areWrittenTogether(First, Second, Accesses))
    return true;
  if (!isLockField(Second, Kinds))
    return false;
  const Functions Users = usersOf(First, Accesses, /*OnlyWriters=*/false);
  return llvm::all_of(
      usersOf(Second, Accesses, /*OnlyWriters=*/false),
      [&](const FunctionDecl *Taker) { return Users.contains(Taker); });
}

} // namespace linesman::tidy
