// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For LD_PRELOAD: tells the first write to each page of TRACED=begin-end (hex),
// an address a line on stderr. The pages are write-protected before main, and a
// page that is written becomes writable for good.

#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static uintptr_t begin, end, page;

static void tell(int signal_number, siginfo_t *info, void *context) {
  uintptr_t at = (uintptr_t)info->si_addr;
  char text[32];
  int length = snprintf(text, sizeof text, "%lx\n", (unsigned long)at);
  (void)context;
  // A crash of the program's own.
  if (at < begin || at >= end || write(2, text, length) != length) {
    signal(signal_number, SIG_DFL);
    return;
  }
  mprotect((void *)(at & -page), page, PROT_READ | PROT_WRITE);
}

__attribute__((constructor)) static void protect(void) {
  const char *range = getenv("TRACED");
  struct sigaction action = {.sa_sigaction = tell, .sa_flags = SA_SIGINFO};
  unsigned long from, to;
  if (!range || sscanf(range, "%lx-%lx", &from, &to) != 2)
    return;
  begin = from;
  end = to;
  page = sysconf(_SC_PAGESIZE);
  sigaction(SIGSEGV, &action, NULL);
  if (mprotect((void *)begin, end - begin, PROT_READ))
    abort();
}
