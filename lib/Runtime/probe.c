/* Part of Linesman, under the Apache License v2.0 with LLVM Exceptions. */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A seccomp filter can kill who makes a call that it does not allow, as
 * systemd's SystemCallFilter= does, and no question tells whether it would. So
 * where a filter is in force, a short-lived child makes each call first, in a
 * way that changes nothing. The child shares memory, as vfork's does, and sends
 * no SIGCHLD.
 */

#include "shim.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int is_filtered(void) {
  /* Not prctl, which a filter may kill for as well. */
  static const char filtered[] = "\nSeccomp:\t2";
  char text[4096];
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 1;
  ssize_t size = read(file, text, sizeof text);
  close(file);
  return size <= 0 ||
         memmem(text, (size_t)size, filtered, sizeof filtered - 1) != NULL;
}

/* Calls about nothing: no bytes, no pages, no such flags. */
static int try_call(void *argument) {
  static const struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  switch (*(const enum linesman_call *)argument) {
  case LINESMAN_CALL_MBIND:
    syscall(SYS_mbind, 0L, 0L, 0, NULL, 0L, 0);
    break;
  case LINESMAN_CALL_MOVE_PAGES:
    syscall(SYS_move_pages, 0, 0L, NULL, NULL, NULL, 0);
    break;
  case LINESMAN_CALL_MADVISE:
    syscall(SYS_madvise, 0L, 0L, MADV_NOHUGEPAGE);
    break;
  case LINESMAN_CALL_GET_MEMPOLICY:
    syscall(SYS_get_mempolicy, NULL, NULL, 0L, NULL, ~0ul);
    break;
  case LINESMAN_CALL_USERFAULTFD:
    syscall(SYS_userfaultfd, ~0);
    break;
  default:
    break;
  }
  return 0;
}

int linesman_call_kills(enum linesman_call call) {
  static _Alignas(16) char stack[16384];
  static signed char known[8]; /* 1: harmless, 2: deadly */
  static signed char filtered; /* 1: no, 2: yes */
  if (!filtered)
    filtered = is_filtered() ? 2 : 1;
  if (filtered == 1)
    return 0;
  if (!known[call]) {
    int status = 0;
    pid_t child =
        clone(try_call, stack + sizeof stack, CLONE_VM | CLONE_VFORK, &call);
    while (child > 0 && waitpid(child, &status, __WCLONE) < 0 &&
           errno == EINTR) {
    }
    /* Without an answer the call is not made. */
    known[call] = child > 0 && !WIFSIGNALED(status) ? 1 : 2;
  }
  return known[call] == 2;
}
