/* Part of Linesman, under the Apache License v2.0 with LLVM Exceptions. */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The shim's protocol: what the shim in a program that stands before main (C)
 * and the linesman that started it (C++) say to each other.
 * docs/control-protocol.md explains it; a test holds the two together.
 *
 *     linesman                                shim, before main
 *       |              hello, with a descriptor |
 *       |<--------------------------------------|
 *       | request (one SEQPACKET message)       |
 *       |-------------------------------------->|
 *       |        reply + entries (one message)  |
 *       |<--------------------------------------|
 *       | start                                 |
 *       |-------------------------------------->|  main runs; the shim never
 *                                                  runs again
 *
 * SOCK_SEQPACKET, because the kernel keeps the bounds of messages: a truncated
 * one is seen as such, and nobody waits for the rest of a message that never
 * comes. Both sides are on one machine, so numbers are in its byte order.
 */

#ifndef LINESMAN_RUNTIME_PROTOCOL_H
#define LINESMAN_RUNTIME_PROTOCOL_H

#include <stdint.h>

/* "LSHM" as bytes. */
#define LINESMAN_MAGIC 0x4d48534cu

enum {
  /* Another version is refused: shim and client come from one build. */
  LINESMAN_PROTOCOL_VERSION = 2,

  /* Pages that one request may name: 16 MB. Bounds the shim's static buffers.
   */
  LINESMAN_MAX_PAGES = 4096,
  /* Writable ranges of a module: each PT_LOAD gives at most two (RELRO cuts
   * it), and linkers make one or two writable ones. */
  LINESMAN_MAX_RANGES = 8,
  LINESMAN_MAX_PATH = 1024,
  /* No message is longer. */
  LINESMAN_MAX_MESSAGE = 32768,
};

/* The environment of a program that linesman starts. Programs with another
 * executable, such as the shell of a script, pass all of it on untouched; the
 * shim of the program that is meant takes it away again, LD_PRELOAD included.
 *
 * CONTROL is "FD:COOKIE:BYTES", decimal: the number of the socket, the kernel's
 * SO_COOKIE of it, which no other socket has until the machine is booted again,
 * and how many bytes of LD_PRELOAD are linesman's. */
#define LINESMAN_ENV_CONTROL "LINESMAN_CONTROL"
/* DEVICE:INODE, decimal, of the program that is meant. */
#define LINESMAN_ENV_PROGRAM "LINESMAN_PROGRAM"
/* Set by people, in a service's settings, together with LD_PRELOAD: hold the
 * static pages of each program. No linesman is there, and nothing is said. */
#define LINESMAN_ENV_HOLD "LINESMAN_HOLD"

enum linesman_request_kind {
  /* One linesman_hello. The shim sends it unasked, with serial 0, when the
   * program starts. The descriptor that comes with it is the connection for
   * this one process; without one, the socket of the hello is. */
  LINESMAN_HELLO = 1,
  /* begin: index of a module. Reply: one linesman_module and its path. */
  LINESMAN_MODULE = 2,
  /* begin, end. Reply: a linesman_page for each page. */
  LINESMAN_QUERY = 3,
  /* begin, end, node, flags. Reply: a linesman_page for each page, as the
   * kernel answered after the move. */
  LINESMAN_PLACE = 4,
  /* begin, end. Makes every page private and present. Reply as for a query. */
  LINESMAN_PREPARE = 5,
  /* A userfaultfd of the process, in write-protect-async mode and without any
   * registration, comes with the reply. No copy of it stays in the process. */
  LINESMAN_WATCHER = 6,
  /* The program runs on to main, and the connection ends. */
  LINESMAN_START = 7,
};

enum linesman_request_flags {
  /* PLACE: make the pages private and present first. Without it, pages that
   * nobody has written yet get only the policy, and go to the node at their
   * first write. */
  LINESMAN_FLAG_PREPARE = 1,
};

/* Values of node besides a node's number. */
enum linesman_node {
  /* No policy: the kernel's own choice from here on; nothing moves. */
  LINESMAN_NODE_DEFAULT = -1,
  /* Page by page over all nodes that the process may use. */
  LINESMAN_NODE_INTERLEAVE = -2,
  /* Each page on the node where it is, or will be first written, as without a
   * policy; but the kernel's NUMA balancing leaves it there. */
  LINESMAN_NODE_HELD = -3,
};

struct linesman_request {
  uint32_t magic;
  uint16_t version;
  uint16_t kind;   /* linesman_request_kind */
  uint32_t serial; /* repeated in the reply */
  uint32_t flags;  /* linesman_request_flags */
  uint64_t begin;  /* run-time addresses, multiples of the page size */
  uint64_t end;
  int32_t node;
  uint32_t reserved; /* 0 */
};

enum linesman_status {
  LINESMAN_OK = 0,
  /* Too short, too long, wrong magic, unknown kind, odd values. */
  LINESMAN_BAD_MESSAGE = 1,
  LINESMAN_BAD_VERSION = 2,
  /* Not inside one writable range of a module. */
  LINESMAN_NOT_STATIC = 3,
  LINESMAN_TOO_MANY_PAGES = 4,
  /* The system call in `call` failed with `error`. */
  LINESMAN_CALL_FAILED = 5,
  /* A seccomp filter would kill the program for the system call in `call`,
   * which was therefore not made. */
  LINESMAN_CALL_KILLS = 6,
};

enum linesman_call {
  LINESMAN_CALL_NONE = 0,
  LINESMAN_CALL_MBIND = 1,
  LINESMAN_CALL_MOVE_PAGES = 2,
  LINESMAN_CALL_MADVISE = 3,
  LINESMAN_CALL_GET_MEMPOLICY = 4,
  LINESMAN_CALL_USERFAULTFD = 5,
  LINESMAN_CALL_OPEN_PAGEMAP = 6,
};

struct linesman_reply {
  uint32_t magic;
  uint16_t version;
  uint16_t kind;
  uint32_t serial;
  uint16_t status; /* linesman_status */
  uint16_t call;   /* linesman_call */
  int32_t error;   /* errno of the call */
  uint32_t count;  /* entries that follow */
};

struct linesman_hello {
  int32_t pid; /* in the program's own PID namespace */
  uint32_t page_size;
  uint32_t modules;
  uint32_t reserved; /* 0 */
};

struct linesman_range {
  uint64_t begin;
  uint64_t end;
};

/* Followed by path_size bytes of path, without a zero; empty for the
 * executable. The shim's own module is not in the list. */
struct linesman_module {
  uint64_t bias; /* run-time address minus link-time address */
  uint32_t range_count;
  uint32_t path_size;
  struct linesman_range ranges[LINESMAN_MAX_RANGES];
};

enum linesman_page_state {
  /* Present and only this process's. */
  LINESMAN_PAGE_PRIVATE = 0,
  /* The page cache's page of the file, which nobody has written here. */
  LINESMAN_PAGE_FILE = 1,
  /* Nothing there yet. */
  LINESMAN_PAGE_UNTOUCHED = 2,
  /* Only read so far: the zero page that all processes share. */
  LINESMAN_PAGE_ZERO = 3,
  /* Shared with a forked process; only the administrator may move it. */
  LINESMAN_PAGE_SHARED = 4,
  LINESMAN_PAGE_SWAPPED = 5,
  /* The kernel gave no answer that we know. */
  LINESMAN_PAGE_UNKNOWN = 6,
};

struct linesman_page {
  int16_t node;  /* where it is, or -1 */
  uint8_t state; /* linesman_page_state */
  uint8_t error; /* PLACE: the errno why it is not where it should be, or 0 */
};

#endif /* LINESMAN_RUNTIME_PROTOCOL_H */
