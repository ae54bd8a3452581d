/* Part of Linesman, under the Apache License v2.0 with LLVM Exceptions. */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Before main: who are we in, is somebody driving us, then the thread.
 */

#include "shim.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* The one export: lets a client or a build see which protocol a file speaks
 * without running it. */
__attribute__((visibility("default"))) const uint32_t linesman_shim_protocol =
    LINESMAN_PROTOCOL_VERSION;

/* Reads decimal digits up to the character end. */
static const char *read_number(const char *text, char end, uint64_t *value) {
  *value = 0;
  if (!text || *text < '0' || *text > '9')
    return NULL;
  for (; *text >= '0' && *text <= '9'; ++text)
    if (__builtin_mul_overflow(*value, 10u, value) ||
        __builtin_add_overflow(*value, (uint64_t)(*text - '0'), value))
      return NULL;
  return *text == end ? text + 1 : NULL;
}

enum wish {
  /* Nobody drives: open the socket file. */
  WISH_ATTACHABLE,
  /* A driver waits for this program. */
  WISH_DRIVEN,
  /* A driver waits for another program (we are in the shell that starts it):
   * touch nothing, so that the socket is inherited. */
  WISH_NONE,
};

static enum wish read_wish(int *control) {
  struct stat self;
  uint64_t device, inode, number;
  const char *program = getenv(LINESMAN_ENV_PROGRAM);
  *control = -1;
  if (!program)
    return WISH_ATTACHABLE;
  program = read_number(program, ':', &device);
  if (!program || !read_number(program, '\0', &inode) ||
      stat("/proc/self/exe", &self) != 0)
    return WISH_NONE;
  if (self.st_dev != device || self.st_ino != inode)
    return WISH_NONE;
  if (!read_number(getenv(LINESMAN_ENV_CONTROL), '\0', &number) ||
      number > INT32_MAX)
    return WISH_ATTACHABLE;
  /* It is a socket between processes, and not a file that took the number. */
  int domain = 0, type = 0;
  socklen_t size = sizeof domain;
  if (getsockopt((int)number, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 ||
      getsockopt((int)number, SOL_SOCKET, SO_TYPE, &type, &size) != 0 ||
      domain != AF_UNIX || type != SOCK_SEQPACKET)
    return WISH_ATTACHABLE;
  fcntl((int)number, F_SETFD, FD_CLOEXEC);
  *control = (int)number;
  return WISH_DRIVEN;
}

__attribute__((constructor)) static void start_shim(void) {
  int saved = errno;
  int control;
  /* Somebody else's rights: do nothing at all. */
  if (getauxval(AT_SECURE))
    return;
  enum wish wish = read_wish(&control);
  if (wish != WISH_NONE &&
      pthread_atfork(linesman_lock_modules, linesman_unlock_modules,
                     linesman_unlock_modules) == 0) {
    linesman_probe_thread();
    int lives = wish == WISH_DRIVEN && linesman_serve_handshake(control) == 0;
    linesman_started = 1;
    linesman_start_thread(lives ? control : -1);
    /* The thread has its own copy by now, or there is no thread. */
    if (control >= 0)
      close(control);
  }
  errno = saved;
}

__attribute__((destructor)) static void stop_shim(void) {
  int saved = errno;
  linesman_remove_socket();
  errno = saved;
}
