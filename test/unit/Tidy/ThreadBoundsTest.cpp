// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arrays have an element for each thread, as their bounds say.

#include "Analysis/Threads/ThreadBounds.h"
#include "Analysis/Names/ThreadCounts.h"
#include "ParsedUnit.h"

using namespace clang;
using namespace linesman::tidy;

namespace {

TEST(ThreadBoundsTest, NamesOfNumbersOfThreads) {
  for (const char *Name :
       {"MAX_THREADS", "nthreads", "num_io_threads", "workerCount",
        "kMaxWorkers", "RTE_MAX_LCORE", "THREAD_MAX", "threads", "m_numThreads",
        "omp_get_max_threads"})
    EXPECT_TRUE(soundsLikeThreadCount(Name)) << Name;
  for (const char *Name :
       {"thread", "thread_id", "MAX_KEYS", "THREAD_NAME_MAX",
        "threads_per_block", "THREAD_STACK_SIZE", "worker", "max", "n"})
    EXPECT_FALSE(soundsLikeThreadCount(Name)) << Name;
}

TEST(ThreadBoundsTest, BoundsOfAllForms) {
  ParsedUnit Unit(R"(
enum { MAX_WORKERS = 8, MAX_KEYS = 8 };
void *malloc(unsigned long);
extern int nthreads;
long by_constant[MAX_WORKERS], by_sum[MAX_WORKERS + 1];
long *by_memory, *by_product, *by_quotient;
long plain[8], by_keys[MAX_KEYS], by_share[64 / MAX_WORKERS];
void start(int n) {
  by_memory = malloc(nthreads * sizeof(long));
  by_product = malloc(nthreads * n);
  by_quotient = malloc(n / nthreads);
}
)",
                  /*IsC=*/true);
  UnitAccesses Accesses(Unit.context(), {});
  ThreadBounds Bounds(Accesses);
  for (const char *Name : {"by_constant", "by_sum", "by_memory"})
    EXPECT_TRUE(Bounds.isSizedByThreads(Unit.get<VarDecl>(Name))) << Name;
  for (const char *Name :
       {"plain", "by_keys", "by_share", "by_product", "by_quotient"})
    EXPECT_FALSE(Bounds.isSizedByThreads(Unit.get<VarDecl>(Name))) << Name;
}

} // namespace
