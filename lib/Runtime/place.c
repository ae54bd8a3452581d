/* Part of Linesman, under the Apache License v2.0 with LLVM Exceptions. */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What needs to be done from inside: policies, preparation, a userfaultfd.
 * Moves pages, and asks the kernel afterwards where they are: that answer, not
 * the success of a call, is what the client gets. mbind(MPOL_MF_MOVE |
 * MPOL_MF_STRICT) can return 0 and leave a shared page where it was, and says
 * of no page why it did not move; so mbind only sets the policy here (which
 * keeps NUMA balancing away, and decides about pages that do not exist yet),
 * and move_pages, which answers page by page, moves.
 */

#include "shim.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/mempolicy.h>
#include <linux/userfaultfd.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MPOL_F_NUMA_BALANCING
#define MPOL_F_NUMA_BALANCING (1 << 13)
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif
/* Newer than the headers of older systems (Linux 6.7). */
#ifndef UFFD_FEATURE_WP_UNPOPULATED
#define UFFD_FEATURE_WP_UNPOPULATED (1 << 13)
#endif
#ifndef UFFD_FEATURE_WP_ASYNC
#define UFFD_FEATURE_WP_ASYNC (1 << 15)
#endif
#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif

enum {
  /* Linux's largest MAX_NUMNODES. */
  MAX_NODES = 1024,
  WORD_BITS = 8 * sizeof(unsigned long),
  /* EBUSY and EAGAIN pass: a page is under I/O or on a per-CPU list. */
  MOVE_ATTEMPTS = 3,
};

/* One request is handled at a time, so the buffers can be static. */
static void *addresses[LINESMAN_MAX_PAGES];
static int targets[LINESMAN_MAX_PAGES];
static int answers[LINESMAN_MAX_PAGES];
static uint64_t pagemap_bits[LINESMAN_MAX_PAGES];

static int fail(struct linesman_failure *failure, enum linesman_call call) {
  failure->call = call;
  failure->error = errno;
  return 0;
}

/* Before each call that a filter may forbid on pain of death. */
static int may_call(enum linesman_call call, struct linesman_failure *failure) {
  if (!linesman_call_kills(call))
    return 1;
  failure->call = call;
  failure->kills = 1;
  return 0;
}

/* Without /proc, private, file and shared pages look the same; they are then
 * reported as unknown, and not moved. */
static int read_pagemap(uint64_t begin, size_t count, uint64_t page,
                        struct linesman_failure *failure) {
  int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return fail(failure, LINESMAN_CALL_OPEN_PAGEMAP);
  ssize_t size = pread(file, pagemap_bits, count * sizeof *pagemap_bits,
                       (off_t)(begin / page * sizeof *pagemap_bits));
  int error = errno;
  close(file);
  if (size == (ssize_t)(count * sizeof *pagemap_bits))
    return 1;
  errno = size < 0 ? error : EIO;
  return fail(failure, LINESMAN_CALL_OPEN_PAGEMAP);
}

static struct linesman_page describe_page(int answer, uint64_t bits) {
  /* Documentation/admin-guide/mm/pagemap.rst */
  const uint64_t swapped = UINT64_C(1) << 62, file = UINT64_C(1) << 61,
                 exclusive = UINT64_C(1) << 56;
  struct linesman_page page = {-1, LINESMAN_PAGE_UNKNOWN, 0};
  if (answer >= 0) {
    page.node = (int16_t)answer;
    page.state = bits & file        ? LINESMAN_PAGE_FILE
                 : bits & exclusive ? LINESMAN_PAGE_PRIVATE
                                    : LINESMAN_PAGE_SHARED;
  } else if (bits & swapped) {
    page.state = LINESMAN_PAGE_SWAPPED;
  } else if (answer == -ENOENT) {
    page.state = LINESMAN_PAGE_UNTOUCHED;
  } else if (answer == -EFAULT) {
    page.state = LINESMAN_PAGE_ZERO;
  }
  return page;
}

int linesman_query_pages(uint64_t begin, uint64_t end,
                         struct linesman_page *pages,
                         struct linesman_failure *failure) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  size_t count = (end - begin) / page;
  for (size_t i = 0; i < count; ++i)
    addresses[i] = (void *)(uintptr_t)(begin + i * page);
  if (!may_call(LINESMAN_CALL_MOVE_PAGES, failure))
    return 0;
  if (syscall(SYS_move_pages, 0, count, addresses, NULL, answers, 0) != 0)
    return fail(failure, LINESMAN_CALL_MOVE_PAGES);
  if (!read_pagemap(begin, count, page, failure))
    return 0;
  for (size_t i = 0; i < count; ++i)
    pages[i] = describe_page(answers[i], pagemap_bits[i]);
  return 1;
}

/* Adds 0 to a word of each page, atomically, in the kernel: a page becomes
 * private without changing a byte, and one that the program has made read-only
 * is left alone (EFAULT). Rejected: __atomic_fetch_or(page, 0), of which the
 * optimizer makes a fence and a load, and which dies on a read-only page. */
static void write_each_page(uint64_t begin, uint64_t end, uint64_t page) {
  static uint32_t nobody_waits;
  for (; begin < end; begin += page)
    syscall(SYS_futex, &nobody_waits, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG, 0, 0L,
            (uintptr_t)begin, FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_EQ, 0));
}

int linesman_prepare_pages(uint64_t begin, uint64_t end,
                           struct linesman_failure *failure) {
  void *address = (void *)(uintptr_t)begin;
  if (!may_call(LINESMAN_CALL_MADVISE, failure))
    return 0;
  /* A huge page has one node for all of its symbols. EINVAL: a kernel without
   * huge pages, which is as good. */
  if (madvise(address, end - begin, MADV_NOHUGEPAGE) != 0 && errno != EINVAL)
    return fail(failure, LINESMAN_CALL_MADVISE);
  if (madvise(address, end - begin, MADV_POPULATE_WRITE) == 0)
    return 1;
  /* EINVAL: the advice is not known (before Linux 5.14), or a page is
   * read-only. */
  if (errno != EINVAL && errno != EFAULT)
    return fail(failure, LINESMAN_CALL_MADVISE);
  write_each_page(begin, end, (uint64_t)sysconf(_SC_PAGESIZE));
  return 1;
}

static int set_policy(uint64_t begin, uint64_t end, int mode,
                      const unsigned long *nodes,
                      struct linesman_failure *failure) {
  if (!may_call(LINESMAN_CALL_MBIND, failure))
    return 0;
  /* The kernel decrements maxnode before it uses it. */
  if (syscall(SYS_mbind, begin, end - begin, mode, nodes,
              nodes ? MAX_NODES + 1 : 0, 0) != 0)
    return fail(failure, LINESMAN_CALL_MBIND);
  return 1;
}

/* Sets targets[i] to where page i belongs. Interleaved pages are numbered by
 * address, so that neighbouring requests go on with the pattern. */
static int choose_targets(uint64_t begin, size_t count, uint64_t page, int node,
                          const unsigned long *allowed) {
  int nodes[MAX_NODES], node_count = 0;
  for (int i = 0; i < MAX_NODES; ++i)
    if (allowed[i / WORD_BITS] >> (i % WORD_BITS) & 1)
      nodes[node_count++] = i;
  if (!node_count)
    return 0;
  for (size_t i = 0; i < count; ++i)
    targets[i] =
        node >= 0 ? node : nodes[(begin / page + i) % (uint64_t)node_count];
  return 1;
}

/* Moves what is private and elsewhere. Returns 0 when the call is refused. */
static int move_misplaced(uint64_t begin, size_t count, uint64_t page,
                          struct linesman_page *pages,
                          struct linesman_failure *failure) {
  static int indices[LINESMAN_MAX_PAGES], wanted[LINESMAN_MAX_PAGES];
  for (int attempt = 0; attempt < MOVE_ATTEMPTS; ++attempt) {
    size_t misplaced = 0;
    for (size_t i = 0; i < count; ++i) {
      if (pages[i].state != LINESMAN_PAGE_PRIVATE ||
          pages[i].node == targets[i])
        continue;
      indices[misplaced] = (int)i;
      addresses[misplaced] = (void *)(uintptr_t)(begin + i * page);
      wanted[misplaced++] = targets[i];
    }
    if (!misplaced)
      return 1;
    long left = syscall(SYS_move_pages, 0, misplaced, addresses, wanted,
                        answers, MPOL_MF_MOVE);
    int error = errno;
    if (left < 0 && (error == EPERM || error == ENOSYS))
      return fail(failure, LINESMAN_CALL_MOVE_PAGES);
    for (size_t i = 0; i < misplaced; ++i) {
      /* A failed call leaves the answers as they were. */
      int reason = left < 0 ? error : answers[i] < 0 ? -answers[i] : 0;
      pages[indices[i]].error = (uint8_t)reason;
    }
    /* Keep the reasons over the question where the pages are now. */
    static uint8_t reasons[LINESMAN_MAX_PAGES];
    for (size_t i = 0; i < count; ++i)
      reasons[i] = pages[i].error;
    if (!linesman_query_pages(begin, begin + count * page, pages, failure))
      return 0;
    for (size_t i = 0; i < count; ++i)
      if (pages[i].node != targets[i])
        pages[i].error = reasons[i];
  }
  return 1;
}

/* A range with a policy of its own is not balanced. It gets the policy that it
 * has anyway, from the process: numactl may have started it. */
static int hold_pages(uint64_t begin, uint64_t end,
                      struct linesman_failure *failure) {
  unsigned long nodes[MAX_NODES / WORD_BITS] = {0};
  int mode = MPOL_DEFAULT;
  if (syscall(SYS_get_mempolicy, &mode, nodes, MAX_NODES, NULL, 0) != 0)
    return fail(failure, LINESMAN_CALL_GET_MEMPOLICY);
  mode &= ~MPOL_F_NUMA_BALANCING;
  if (mode == MPOL_DEFAULT || mode == MPOL_LOCAL)
    return set_policy(begin, end, MPOL_LOCAL, NULL, failure);
  return set_policy(begin, end, mode, nodes, failure);
}

int linesman_place_pages(uint64_t begin, uint64_t end, int node,
                         struct linesman_page *pages,
                         struct linesman_failure *failure) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  size_t count = (end - begin) / page;
  unsigned long nodes[MAX_NODES / WORD_BITS] = {0};
  if (node == LINESMAN_NODE_DEFAULT)
    return set_policy(begin, end, MPOL_DEFAULT, NULL, failure) &&
           linesman_query_pages(begin, end, pages, failure);
  if (!may_call(LINESMAN_CALL_GET_MEMPOLICY, failure))
    return 0;
  if (node == LINESMAN_NODE_HELD)
    return hold_pages(begin, end, failure) &&
           linesman_query_pages(begin, end, pages, failure);
  if (node >= 0) {
    nodes[(unsigned)node / WORD_BITS] |= 1ul << ((unsigned)node % WORD_BITS);
  } else if (syscall(SYS_get_mempolicy, NULL, nodes, MAX_NODES, NULL,
                     MPOL_F_MEMS_ALLOWED) != 0) {
    return fail(failure, LINESMAN_CALL_GET_MEMPOLICY);
  }
  if (!choose_targets(begin, count, page, node, nodes)) {
    errno = EINVAL;
    return fail(failure, LINESMAN_CALL_GET_MEMPOLICY);
  }
  /* Preferred, not MPOL_BIND: on a full node the first write to a bound page
   * makes the kernel kill the process. A page that had to go elsewhere is
   * found by the question below. */
  if (!set_policy(begin, end, node >= 0 ? MPOL_PREFERRED : MPOL_INTERLEAVE,
                  nodes, failure) ||
      !linesman_query_pages(begin, end, pages, failure) ||
      !move_misplaced(begin, count, page, pages, failure))
    return 0;
  /* Whatever is still elsewhere says why. */
  for (size_t i = 0; i < count; ++i)
    if (pages[i].node >= 0 && pages[i].node != targets[i] && !pages[i].error)
      pages[i].error = pages[i].state == LINESMAN_PAGE_SHARED ? EACCES : EAGAIN;
  return 1;
}

int linesman_make_watcher(struct linesman_failure *failure) {
  if (!may_call(LINESMAN_CALL_USERFAULTFD, failure))
    return -1;
  int file = (int)syscall(SYS_userfaultfd,
                          O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
  if (file < 0) {
    fail(failure, LINESMAN_CALL_USERFAULTFD);
    return -1;
  }
  struct uffdio_api api = {.api = UFFD_API,
                           .features = UFFD_FEATURE_WP_ASYNC |
                                       UFFD_FEATURE_WP_UNPOPULATED};
  if (ioctl(file, UFFDIO_API, &api) == 0)
    return file;
  /* EINVAL: features that this kernel does not know. */
  errno = errno == EINVAL ? ENOSYS : errno;
  fail(failure, LINESMAN_CALL_USERFAULTFD);
  close(file);
  return -1;
}
