// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names are split into words, because letters alone would find the lock in
// "clock", "block" and "deadlock".

#include "Analysis/Locks/LockWords.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/WordSwitch.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace linesman::tidy {

LockEffect effectOfName(StringRef Name, std::string &Subject) {
  LockEffect Effect = LockEffect::None;
  bool Tries = false;
  for (StringRef Word : wordsOf(Name)) {
    if (Word == "lock" || Word == "wrlock" || Word == "rdlock" ||
        Word == "lockshared") {
      Effect = LockEffect::Acquire;
    } else if (Word == "trylock" || Word == "tryrdlock" ||
               Word == "trywrlock") {
      Effect = LockEffect::TryAcquire;
    } else if (Word == "unlock") {
      Effect = LockEffect::Release;
    } else if (Word == "try") {
      Tries = true;
    } else if (Word != "shared" && Word != "exclusive" && Word != "reader" &&
               Word != "writer" && Word != "read" && Word != "write" &&
               Word != "guard") {
      Subject += Word;
      // lock_init, lock_destroy, is_locked, unlock_and_free: not plain.
      if (Word == "init" || Word == "destroy" || Word == "create" ||
          Word == "free" || Word == "new" || Word == "attr" || Word == "is")
        return LockEffect::None;
    }
  }
  if (Effect == LockEffect::Acquire && Tries)
    return LockEffect::TryAcquire;
  return Effect;
}

bool hasEffect(const FunctionDecl *Function, LockEffect Effect) {
  std::string Subject;
  return Function && Function->getIdentifier() &&
         effectOfName(Function->getName(), Subject) == Effect;
}

bool saysShared(StringRef Name) {
  bool IsLock = false, IsShared = false;
  for (StringRef Word : wordsOf(Name)) {
    IsLock |= Word.contains("lock");
    IsShared |= WordSwitch<bool>(Word)
                    .Cases({"rdlock", "readlock", "tryrdlock", "rlock"}, true)
                    .Cases({"read", "reader", "shared", "rd"}, true)
                    .Default(false);
    if (Word == "unlock" || Word == "rdunlock" || Word == "release")
      return false;
  }
  return IsLock && IsShared;
}

bool soundsLikeLock(const NamedDecl *Named) {
  if (!Named || !Named->getIdentifier())
    return false;
  std::string Word;
  StringRef Name = Named->getName();
  for (size_t I = 0; I <= Name.size(); ++I) {
    if (I == Name.size() || !llvm::isAlpha(Name[I]) ||
        (I != 0 && llvm::isUpper(Name[I]) && llvm::isLower(Name[I - 1]))) {
      if (WordSwitch<bool>(Word)
              .Cases({"lock", "locked", "unlock", "trylock", "rwlock", "wrlock",
                      "rdlock", "spinlock", "spin", "mutex", "latch", "owner",
                      "held", "acquire", "release"},
                     true)
              .Default(false))
        return true;
      Word.clear();
    }
    if (I != Name.size() && llvm::isAlpha(Name[I]))
      Word += llvm::toLower(Name[I]);
  }
  return false;
}

bool saysCallerHoldsLock(const FunctionDecl &Function) {
  const IdentifierInfo *Identifier = Function.getIdentifier();
  if (!Identifier)
    return false;
  StringRef Name = Identifier->getName();
  for (StringRef Suffix : {"_locked", "Locked", "_nolock", "NoLock",
                           "_unlocked", "Unlocked", "_unsafe", "Unsafe",
                           "WithLock", "_lockheld", "WithoutLock", "_holding"})
    if (Name.ends_with(Suffix))
      return true;
  return false;
}

} // namespace linesman::tidy
