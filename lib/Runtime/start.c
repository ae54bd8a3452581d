/* Part of Linesman, under the Apache License v2.0 with LLVM Exceptions. */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Before main: who are we in, and does a linesman wait for this program?
 */

#include "shim.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef SO_COOKIE
#define SO_COOKIE 57 /* Linux 4.6 */
#endif

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

static int is_wanted_program(const char *program) {
  struct stat self;
  uint64_t device, inode;
  return (program = read_number(program, ':', &device)) &&
         read_number(program, '\0', &inode) &&
         stat("/proc/self/exe", &self) == 0 && self.st_dev == device &&
         self.st_ino == inode;
}

/* Whether the number is still the socket that linesman made, and not a
 * descriptor of somebody on the way who has closed it and reused the number. */
static int is_control(int number, uint64_t wanted) {
  uint64_t cookie = 0;
  socklen_t size = sizeof cookie;
  return getsockopt(number, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 &&
         cookie == wanted;
}

/* The program and its children see the environment that linesman was given.
 * Our part of LD_PRELOAD is its beginning. */
static void clean_environment(uint64_t preload_bytes) {
  unsetenv(LINESMAN_ENV_CONTROL);
  unsetenv(LINESMAN_ENV_PROGRAM);
  char *preload = getenv("LD_PRELOAD");
  size_t size = preload ? strlen(preload) : 0;
  if (!preload || preload_bytes > size)
    return;
  if (preload_bytes == size)
    unsetenv("LD_PRELOAD");
  else
    memmove(preload, preload + preload_bytes + 1, size - preload_bytes);
}

static void start_driven(void) {
  uint64_t number, cookie, preload_bytes;
  const char *control = read_number(getenv(LINESMAN_ENV_CONTROL), ':', &number);
  control = read_number(control, ':', &cookie);
  if (!read_number(control, '\0', &preload_bytes))
    return;
  clean_environment(preload_bytes);
  if (number > INT32_MAX || !is_control((int)number, cookie))
    return;
  /* Another constructor may have a thread that executes something. */
  fcntl((int)number, F_SETFD, FD_CLOEXEC);
  linesman_serve((int)number);
  close((int)number);
}

__attribute__((constructor)) static void start_shim(void) {
  int saved = errno;
  const char *program = getenv(LINESMAN_ENV_PROGRAM);
  /* Somebody else's rights: do nothing at all. */
  if (getauxval(AT_SECURE))
    return;
  if (program) {
    if (is_wanted_program(program))
      start_driven();
  } else if (getenv(LINESMAN_ENV_HOLD)) {
    linesman_hold_all();
  }
  errno = saved;
}
