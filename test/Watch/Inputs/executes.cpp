// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts for a while and then executes another program that counts nothing. It
// must be in the other program before a watcher has got tired of it.

#include <unistd.h>

volatile unsigned long Counter;

int main() {
  while (Counter < 300000000)
    Counter = Counter + 1;
  execlp("sleep", "sleep", "3", static_cast<char *>(nullptr));
}
