/* Part of Linesman, under the Apache License v2.0 with LLVM Exceptions. */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Inside the shim. It runs in somebody else's process, and only in one place: a
 * constructor, before main. Afterwards nothing of it is left but its mapping:
 *
 *   - no thread, no descriptor, no signal or fork handler, no destructor, no
 *     socket file, no variable in the environment;
 *   - it allocates nothing, writes to no descriptor of the host, and leaves
 *     errno alone;
 *   - it touches only pages of ranges that it computed itself;
 *   - where nobody asks for it, it reads the environment, and that is all.
 *
 *     start.c ──▶ serve.c ──▶ handle.c ──▶ ranges.c, place.c
 *     (who asks)  (messages)  (a request)       probe.c
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
  /* Not made: a filter would have killed the program. */
  int kills;
};

/* ranges.c: the writable ranges of every module, asked of the loader. */
uint32_t linesman_count_modules(void);
/* Whether there is a module of that index. path has LINESMAN_MAX_PATH bytes. */
int linesman_find_module(uint32_t index, struct linesman_module *module,
                         char *path);
/* Whether [begin, end) lies inside one writable range. */
int linesman_is_static(uint64_t begin, uint64_t end);

/* place.c: pages must hold one entry for each page. */
int linesman_query_pages(uint64_t begin, uint64_t end,
                         struct linesman_page *pages,
                         struct linesman_failure *failure);
int linesman_prepare_pages(uint64_t begin, uint64_t end,
                           struct linesman_failure *failure);
int linesman_place_pages(uint64_t begin, uint64_t end, int node,
                         struct linesman_page *pages,
                         struct linesman_failure *failure);
/* A descriptor, or -1. */
int linesman_make_watcher(struct linesman_failure *failure);

/* probe.c: whether a seccomp filter kills who makes this call. */
int linesman_call_kills(enum linesman_call call);

/* handle.c: one message in, one message out (at most LINESMAN_MAX_MESSAGE).
 * Returns the size of the reply; the descriptor that goes with it, or -1, is
 * the caller's to close. */
size_t linesman_handle(const void *message, size_t size, void *reply,
                       int *descriptor);
/* The unasked hello of a start. */
size_t linesman_write_hello(void *reply);
/* Set when the program may run. */
extern int linesman_started;

/* serve.c: serves the linesman that started the program until it says start,
 * goes, or is silent for too long. */
void linesman_serve(int control);
/* Prepares and holds all static pages; what the system refuses stays. */
void linesman_hold_all(void);

#endif /* LINESMAN_LIB_RUNTIME_SHIM_H */
