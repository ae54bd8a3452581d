// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error that tells a dead thread from a refusal.

#include "linesman/Watch/WatchError.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace linesman::watch {

char WatchError::ID;

void WatchError::log(raw_ostream &OS) const { OS << Message; }

std::error_code WatchError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

Refusal reasonOf(Error E, Error &Rest) {
  Refusal Reason = Refusal::Other;
  Rest = handleErrors(std::move(E), [&](std::unique_ptr<WatchError> W) {
    Reason = W->reason();
    return Error(std::move(W));
  });
  return Reason;
}

} // namespace linesman::watch
