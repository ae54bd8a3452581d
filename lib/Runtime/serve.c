/* Part of Linesman, under the Apache License v2.0 with LLVM Exceptions. */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Before main, on main's thread: answers the linesman that started the program
 * until it says start. The socket that is inherited is shared by all programs
 * of one script, so each takes a connection of its own from the hello on.
 */

#include "shim.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  /* A linesman that is silent for this long is taken for dead: the program
   * must not hang before main. */
  SILENCE_MILLISECONDS = 30000,
};

static _Alignas(16) char message[LINESMAN_MAX_MESSAGE];
static _Alignas(16) char reply[LINESMAN_MAX_MESSAGE];

/* Sends the reply, and a descriptor with it unless that is -1. */
static int send_reply(int connection, size_t size, int descriptor) {
  struct iovec bytes = {reply, size};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof descriptor)];
  } control = {.space = {0}};
  struct msghdr header = {.msg_iov = &bytes, .msg_iovlen = 1};
  if (descriptor >= 0) {
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
    header.msg_control = &control;
    header.msg_controllen = sizeof control.space;
  }
  return sendmsg(connection, &header, MSG_DONTWAIT | MSG_NOSIGNAL) ==
         (ssize_t)size;
}

/* Whether the peer is still of use. */
static int serve_once(int connection) {
  int descriptor;
  ssize_t size = recv(connection, message, sizeof message, MSG_DONTWAIT);
  if (size < 0)
    return errno == EAGAIN || errno == EINTR;
  if (size == 0)
    return 0;
  size_t reply_size =
      linesman_handle(message, (size_t)size, reply, &descriptor);
  int sent = send_reply(connection, reply_size, descriptor);
  if (descriptor >= 0)
    close(descriptor);
  return sent;
}

void linesman_serve(int control) {
  /* Without descriptors to spare the shared socket must do. */
  int pair[2] = {-1, -1};
  (void)!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair);
  int connection = pair[0] >= 0 ? pair[0] : control;
  int lives = send_reply(control, linesman_write_hello(reply), pair[1]);
  if (pair[1] >= 0)
    close(pair[1]);
  struct pollfd wait = {.fd = connection, .events = POLLIN};
  while (lives && !linesman_started) {
    int ready = poll(&wait, 1, SILENCE_MILLISECONDS);
    if (ready < 0 && errno == EINTR)
      continue;
    lives = ready > 0 && serve_once(connection);
  }
  if (pair[0] >= 0)
    close(pair[0]);
}

void linesman_hold_all(void) {
  static struct linesman_module module;
  static char path[LINESMAN_MAX_PATH];
  struct linesman_page *pages = (struct linesman_page *)(void *)reply;
  struct linesman_failure failure = {LINESMAN_CALL_NONE, 0, 0};
  uint64_t most = LINESMAN_MAX_PAGES * (uint64_t)sysconf(_SC_PAGESIZE);
  for (uint32_t i = 0; linesman_find_module(i, &module, path); ++i)
    for (uint32_t j = 0; j < module.range_count; ++j)
      for (uint64_t at = module.ranges[j].begin, end; at < module.ranges[j].end;
           at = end) {
        end =
            module.ranges[j].end - at > most ? at + most : module.ranges[j].end;
        linesman_place_pages(at, end, LINESMAN_NODE_HELD, pages, &failure);
        linesman_prepare_pages(at, end, &failure);
      }
}
