// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which library functions say by their results that they failed.

#ifndef LINESMAN_FACTS_KNOWNFAILURES_H
#define LINESMAN_FACTS_KNOWNFAILURES_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace linesman::facts {

/// Whether a library function gives back zero, and anything else only where it
/// failed. What only tries, or waits for some time, fails all the time.
inline bool givesZero(llvm::StringRef Callee) {
  if (!Callee.starts_with("pthread_") && !Callee.starts_with("mtx_") &&
      !Callee.starts_with("cnd_"))
    return false;
  static constexpr llvm::StringLiteral Others[] = {
      "pthread_barrier_wait", "pthread_equal", "pthread_self",
      "pthread_kill",         "pthread_once",  "pthread_getconcurrency"};
  return !Callee.contains("try") && !Callee.contains("timed") &&
         !Callee.contains("clock") && !llvm::is_contained(Others, Callee);
}

/// Whether a library function that gives back less than zero failed. Not what
/// finds nothing to do in a file or socket that does not wait, comes to the end
/// of a file, compares, or gives back any number.
inline bool failsBelowZero(llvm::StringRef Callee) {
  static constexpr llvm::StringLiteral Others[] = {
      "abs",     "atoi",          "atol",  "atoll",  "ffs",
      "ffsl",    "ffsll",         "fgetc", "getc",   "fgetc_unlocked",
      "getchar", "getc_unlocked", "labs",  "llabs",  "getchar_unlocked",
      "pread",   "pwrite",        "read",  "strtol", "strtoll",
      "toascii", "write"};
  return !Callee.contains("cmp") && !Callee.contains("coll") &&
         !llvm::is_contained(Others, Callee);
}

} // namespace linesman::facts

#endif // LINESMAN_FACTS_KNOWNFAILURES_H
