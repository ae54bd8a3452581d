/* Part of Linesman, under the Apache License v2.0 with LLVM Exceptions. */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Inside the shim. It runs in somebody else's process, so:
 *
 *   - it has one thread of its own, with all signals blocked, and a file table
 *     of its own: the host can not close, inherit or see its descriptors, and
 *     the kernel drops them at exec;
 *   - it allocates nothing after the start, installs no signal handler, writes
 *     to no descriptor of the host, and leaves errno and the environment alone;
 *   - it touches only pages of ranges that it computed itself;
 *   - in a forked child it is dead: no thread, no descriptors.
 *
 *     start.c ──▶ serve.c ──▶ handle.c ──▶ ranges.c, place.c, dirty.c
 *     (main       (thread)    (a request)
 *      thread)
 */

#ifndef LINESMAN_LIB_RUNTIME_SHIM_H
#define LINESMAN_LIB_RUNTIME_SHIM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "linesman/Runtime/Protocol.h"
#include <stddef.h>

/* A failed system call, by its name. */
struct linesman_failure {
  enum linesman_call call;
  int error;
};

/* ranges.c: the writable ranges of every module, asked of the loader anew each
 * time, because dlopen adds and dlclose removes. */
uint32_t linesman_count_modules(void);
/* Whether there is a module of that index. path has LINESMAN_MAX_PATH bytes. */
int linesman_find_module(uint32_t index, struct linesman_module *module,
                         char *path);
/* Whether [begin, end) lies inside one writable range. */
int linesman_is_static(uint64_t begin, uint64_t end);
/* Held while the loader's lists are read: a fork in between would leave the
 * child with the loader's lock taken. */
void linesman_lock_modules(void);
void linesman_unlock_modules(void);

/* place.c: pages must hold one entry for each page. */
int linesman_query_pages(uint64_t begin, uint64_t end,
                         struct linesman_page *pages,
                         struct linesman_failure *failure);
int linesman_prepare_pages(uint64_t begin, uint64_t end,
                           struct linesman_failure *failure);
int linesman_place_pages(uint64_t begin, uint64_t end, int node,
                         struct linesman_page *pages,
                         struct linesman_failure *failure);

/* dirty.c */
int linesman_watch_writes(uint32_t *unwatched,
                          struct linesman_failure *failure);
int linesman_scan_writes(struct linesman_range *regions, uint32_t capacity,
                         uint32_t *count, int *more,
                         struct linesman_failure *failure);
void linesman_unwatch_writes(void);
int linesman_is_watching(void);

/* handle.c: one message in, one message out (at most LINESMAN_MAX_MESSAGE).
 * Returns the size of the reply. */
size_t linesman_handle(const void *message, size_t size, void *reply);
/* The unasked hello of a start. */
size_t linesman_write_hello(void *reply);
/* What the hello says about attaching. */
extern int linesman_can_attach;
/* Why there will be no thread, and so nothing to attach to; NONE when there
 * will be one. */
extern struct linesman_failure linesman_refusal;
/* Set when a driver has said that the program may run. */
extern int linesman_started;

/* serve.c: serves a driver until it says start, goes, or is silent for too
 * long; then 0 if the connection is still good. */
int linesman_serve_handshake(int control);
/* Finds out whether the thread can have a file table of its own, and sets
 * linesman_refusal. Changes nothing. */
void linesman_probe_thread(void);
/* Starts the thread; takes control (or -1) over. Returns when the thread has
 * its own file table and, where it can, the socket file. */
void linesman_start_thread(int control);
/* Removes the socket file of this process. */
void linesman_remove_socket(void);

#endif /* LINESMAN_LIB_RUNTIME_SHIM_H */
