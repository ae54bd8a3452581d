/* Part of Linesman, under the Apache License v2.0 with LLVM Exceptions. */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The shim's protocol: what the shim in a process (C) and the client (C++) say
 * to each other. docs/control-protocol.md explains it; a test holds the two
 * together.
 *
 *     client                                  shim
 *       | request (one SEQPACKET message)       |
 *       |-------------------------------------->|
 *       |        reply + entries (one message)  |
 *       |<--------------------------------------|
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
  LINESMAN_PROTOCOL_VERSION = 1,

  /* Pages that one request may name: 16 MB. Bounds the time that one request
   * can hold the mmap lock of the host, and the shim's static buffers. */
  LINESMAN_MAX_PAGES = 4096,
  /* Writable ranges of a module: each PT_LOAD gives at most two (RELRO cuts
   * it), and linkers make one or two writable ones. */
  LINESMAN_MAX_RANGES = 8,
  LINESMAN_MAX_PATH = 1024,
  /* Written regions in one reply. */
  LINESMAN_MAX_REGIONS = 1024,
  /* No message is longer. */
  LINESMAN_MAX_MESSAGE = 32768,
  /* Clients that are served at one time. */
  LINESMAN_MAX_CLIENTS = 4,
};

/* The environment of a process that `linesman run` starts. Processes with
 * another executable pass both on untouched. */
#define LINESMAN_ENV_CONTROL "LINESMAN_CONTROL_FD" /* number of the socket */
#define LINESMAN_ENV_PROGRAM "LINESMAN_PROGRAM"    /* DEVICE:INODE, decimal */

/* The socket of process PID of user UID; the folder has mode 0700, the socket
 * 0600. */
#define LINESMAN_SOCKET_FOLDER "/tmp/linesman-%u"
#define LINESMAN_SOCKET_FILE LINESMAN_SOCKET_FOLDER "/%d"

enum linesman_request_kind {
  /* Reply: one linesman_hello. The shim sends it unasked, with serial 0, when
   * the program of a driver starts. */
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
  /* Starts to watch writes to all ranges. Reply: no entries; count is the
   * number of ranges that can not be watched. */
  LINESMAN_WATCH_WRITES = 6,
  /* Reply: linesman_range entries, the pages written since the last scan (or
   * since the watch began); MORE when there are further ones. */
  LINESMAN_SCAN_WRITES = 7,
  LINESMAN_UNWATCH_WRITES = 8,
  /* Ends the handshake of a driver: the program runs on to main. */
  LINESMAN_START = 9,
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
  /* OK, and the next scan will bring more. */
  LINESMAN_MORE = 1,
  /* Too short, too long, wrong magic, unknown kind, odd values. */
  LINESMAN_BAD_MESSAGE = 2,
  LINESMAN_BAD_VERSION = 3,
  /* Not inside one writable range of a module. */
  LINESMAN_NOT_STATIC = 4,
  LINESMAN_TOO_MANY_PAGES = 5,
  /* The system call in `call` failed with `error`. */
  LINESMAN_CALL_FAILED = 6,
  /* There are LINESMAN_MAX_CLIENTS already; the connection is closed. */
  LINESMAN_BUSY = 7,
  /* A scan without a watch, a second watch, a start after the start. */
  LINESMAN_WRONG_STATE = 8,
};

enum linesman_call {
  LINESMAN_CALL_NONE = 0,
  LINESMAN_CALL_MBIND = 1,
  LINESMAN_CALL_MOVE_PAGES = 2,
  LINESMAN_CALL_MADVISE = 3,
  LINESMAN_CALL_GET_MEMPOLICY = 4,
  LINESMAN_CALL_USERFAULTFD = 5,
  LINESMAN_CALL_PAGEMAP_SCAN = 6,
  LINESMAN_CALL_OPEN_PAGEMAP = 7,
  /* And unshare: in a hello, why the process can not be attached to. */
  LINESMAN_CALL_CLOSE_RANGE = 8,
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

enum linesman_hello_flags {
  /* The socket file answers: the process can be attached to. */
  LINESMAN_CAN_ATTACH = 1,
};

struct linesman_hello {
  int32_t pid;
  uint32_t flags; /* linesman_hello_flags */
  uint32_t page_size;
  uint32_t modules;
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
