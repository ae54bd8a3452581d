/* Part of Linesman, under the Apache License v2.0 with LLVM Exceptions. */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The thread: waits for requests of the driver and of attached clients, one at
 * a time. It never waits for a client: who does not take its reply at once is
 * dropped.
 *
 * The thread's file table is its own: by CLOSE_RANGE_UNSHARE (Linux 5.9), or by
 * unshare and a walk over /proc where that is refused. A host that closes all
 * descriptors, as daemons do, does not close ours; a descriptor number of ours
 * is never one of the host's; a pipe of the host is not held open by us;
 * children do not inherit; exec closes. Rejected: sharing the table and
 * checking before each use whether a descriptor is still ours, which is a race;
 * a raw clone without CLONE_FILES, which libc does not know, so that setuid
 * would not reach it. Where the system refuses both calls, there is no thread,
 * and the hello says why: placement at the start still works.
 */

#include "shim.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE 2
#endif

enum {
  /* A driver that says nothing for so long is taken for dead: the host must
   * not hang before main. */
  HANDSHAKE_MILLISECONDS = 30000,
  BACKLOG = 16,
  STACK_SIZE = 128 * 1024,
};

/* One thread uses them at a time: main's until the handshake is over. */
static _Alignas(16) char message[LINESMAN_MAX_MESSAGE];
static _Alignas(16) char reply[LINESMAN_MAX_MESSAGE];

static struct sockaddr_un socket_name;
static pid_t socket_owner;

void linesman_remove_socket(void) {
  /* A forked child has our memory, and not our socket. */
  if (socket_owner && socket_owner == getpid())
    unlink(socket_name.sun_path);
}

/* Whether the peer is still of use. */
static int serve_once(int connection) {
  ssize_t size = recv(connection, message, sizeof message, MSG_DONTWAIT);
  if (size < 0)
    return errno == EAGAIN || errno == EINTR;
  if (size == 0)
    return 0;
  size_t reply_size = linesman_handle(message, (size_t)size, reply);
  return send(connection, reply, reply_size, MSG_DONTWAIT | MSG_NOSIGNAL) ==
         (ssize_t)reply_size;
}

int linesman_serve_handshake(int control) {
  size_t size = linesman_write_hello(reply);
  if (send(control, reply, size, MSG_DONTWAIT | MSG_NOSIGNAL) != (ssize_t)size)
    return -1;
  struct pollfd wait = {.fd = control, .events = POLLIN};
  while (!linesman_started) {
    int ready = poll(&wait, 1, HANDSHAKE_MILLISECONDS);
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0 || !serve_once(control))
      return -1;
  }
  return 0;
}

static int is_same_user(int connection) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         (peer.uid == geteuid() || peer.uid == 0);
}

/* The folder must be ours alone: /tmp belongs to everybody. */
static int open_socket(void) {
  struct stat folder;
  uid_t user = geteuid();
  socket_name.sun_family = AF_UNIX;
  snprintf(socket_name.sun_path, sizeof socket_name.sun_path,
           LINESMAN_SOCKET_FOLDER, user);
  if (mkdir(socket_name.sun_path, 0700) != 0 && errno != EEXIST)
    return -1;
  if (lstat(socket_name.sun_path, &folder) != 0 || !S_ISDIR(folder.st_mode) ||
      folder.st_uid != user || (folder.st_mode & 077))
    return -1;
  snprintf(socket_name.sun_path, sizeof socket_name.sun_path,
           LINESMAN_SOCKET_FILE, user, getpid());
  int listener =
      socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0)
    return -1;
  /* Left by a process that had our number and crashed. */
  unlink(socket_name.sun_path);
  /* The umask is the host's, for all threads: the folder's mode protects the
   * file until chmod has made it 0600. */
  if (bind(listener, (struct sockaddr *)&socket_name, sizeof socket_name) !=
          0 ||
      chmod(socket_name.sun_path, 0600) != 0 ||
      listen(listener, BACKLOG) != 0) {
    close(listener);
    return -1;
  }
  socket_owner = getpid();
  return listener;
}

static void accept_client(struct pollfd *listener, struct pollfd *clients) {
  int connection =
      accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (connection < 0) {
    /* EMFILE and its kin do not pass by themselves, and poll would return at
     * once for ever. */
    if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
      close(listener->fd);
      listener->fd = -1;
    }
    return;
  }
  if (is_same_user(connection)) {
    for (int i = 0; i < LINESMAN_MAX_CLIENTS; ++i) {
      if (clients[i].fd >= 0)
        continue;
      clients[i].fd = connection;
      return;
    }
    struct linesman_reply busy = {.magic = LINESMAN_MAGIC,
                                  .version = LINESMAN_PROTOCOL_VERSION,
                                  .status = LINESMAN_BUSY};
    (void)!send(connection, &busy, sizeof busy, MSG_DONTWAIT | MSG_NOSIGNAL);
  }
  close(connection);
}

static void serve(int control, int listener) {
  /* [0] the driver, [1] the socket file, then clients. poll skips -1. */
  struct pollfd files[2 + LINESMAN_MAX_CLIENTS];
  for (int i = 0; i < 2 + LINESMAN_MAX_CLIENTS; ++i)
    files[i] = (struct pollfd){.fd = -1, .events = POLLIN};
  files[0].fd = control;
  files[1].fd = listener;
  /* Whose watch of writes it is: it ends with its connection. */
  int watcher = -1;
  while (files[0].fd >= 0 || files[1].fd >= 0) {
    if (poll(files, 2 + LINESMAN_MAX_CLIENTS, -1) < 0)
      continue;
    for (int i = 0; i < 2 + LINESMAN_MAX_CLIENTS; ++i) {
      if (!files[i].revents || i == 1)
        continue;
      int was_watching = linesman_is_watching();
      int lives = serve_once(files[i].fd);
      if (!was_watching && linesman_is_watching())
        watcher = i;
      if (lives)
        continue;
      close(files[i].fd);
      files[i].fd = -1;
      if (watcher == i) {
        linesman_unwatch_writes();
        watcher = -1;
      }
    }
    if (files[1].revents)
      accept_client(&files[1], files + 2);
  }
}

/* What the starter hands to the thread, and its answer. */
struct start {
  int control;
  int ready;
  pthread_mutex_t lock;
  pthread_cond_t changed;
};

static void report_ready(struct start *start, int listens) {
  linesman_can_attach = listens;
  pthread_mutex_lock(&start->lock);
  start->ready = 1;
  pthread_cond_signal(&start->changed);
  pthread_mutex_unlock(&start->lock);
}

struct linesman_failure linesman_refusal;

void linesman_probe_thread(void) {
  /* No descriptor has the largest number, and 0 unshares nothing. */
  if (syscall(SYS_close_range, ~0u, ~0u, 0) == 0)
    return;
  int error = errno;
  if (syscall(SYS_unshare, 0) == 0)
    return;
  linesman_refusal.call = LINESMAN_CALL_CLOSE_RANGE;
  linesman_refusal.error = error;
}

/* struct linux_dirent64 of the kernel, which libc does not declare. */
struct directory_entry {
  uint64_t inode;
  int64_t next;
  uint16_t size;
  uint8_t type;
  char name[];
};

/* Without opendir, which allocates. */
static int close_all_but(int control) {
  int folder = open("/proc/thread-self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return 0;
  long size;
  while ((size = syscall(SYS_getdents64, folder, message, sizeof message)) >
         0) {
    for (char *at = message; at < message + size;) {
      struct directory_entry *entry = (struct directory_entry *)(void *)at;
      at += entry->size;
      int number = 0;
      const char *digit = entry->name;
      for (; *digit >= '0' && *digit <= '9'; ++digit)
        number = number * 10 + (*digit - '0');
      if (digit != entry->name && number != control && number != folder)
        close(number);
    }
  }
  close(folder);
  return size == 0;
}

static int take_own_files(int control) {
  unsigned first = control < 0 ? 0 : (unsigned)control + 1;
  if (syscall(SYS_close_range, first, ~0u, CLOSE_RANGE_UNSHARE) == 0)
    return control <= 0 ||
           syscall(SYS_close_range, 0u, (unsigned)control - 1, 0) == 0;
  return syscall(SYS_unshare, CLONE_FILES) == 0 && close_all_but(control);
}

static void *run(void *argument) {
  struct start *start = argument;
  int control = start->control;
  prctl(PR_SET_NAME, "linesman-shim");
  if (!take_own_files(control)) {
    report_ready(start, 0);
    return NULL;
  }
  int listener = open_socket();
  report_ready(start, listener >= 0); /* start is gone from here on */
  serve(control, listener);
  return NULL;
}

void linesman_start_thread(int control) {
  struct start start = {.control = control,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .changed = PTHREAD_COND_INITIALIZER};
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t all, before;
  if (pthread_attr_init(&attributes) != 0)
    return;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, STACK_SIZE);
  /* By pthread_sigmask, which leaves the signals that libc needs for itself: a
   * thread that does not answer them makes setuid hang. */
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int error = pthread_create(&thread, &attributes, run, &start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (error)
    return;
  pthread_mutex_lock(&start.lock);
  while (!start.ready)
    pthread_cond_wait(&start.changed, &start.lock);
  pthread_mutex_unlock(&start.lock);
}
