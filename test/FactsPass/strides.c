// What an index that is not constant is known to be a multiple of, and whether
// it is the thread's own.
// RUN: %clang -O2 -S -emit-llvm %s -o %t.ll
// RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.ll 2>&1 | FileCheck %s
#include <pthread.h>
struct lock { volatile long held; long rest[4]; };
volatile long words[4096];
struct lock locks[64];
__thread long mine;
int omp_get_thread_num(void);

// CHECK-LABEL: {{^}}plain:
// CHECK: write 8 at 0+n*8 weight 1
void plain(long i) { words[i] = 1; }
// CHECK-LABEL: {{^}}scaled:
// CHECK: write 8 at 8+n*128 weight 1
void scaled(long i) { words[i * 16 + 1] = 1; }
// CHECK-LABEL: {{^}}masked:
// CHECK: write 8 at 0+n*64 weight 1
void masked(long i) { words[i & ~7L] = 1; }
// CHECK-LABEL: {{^}}record:
// CHECK: write 8 at 0+n*40 weight 1
void record(long i) { locks[i & 63].held = 1; }
// CHECK-LABEL: {{^}}of_thread:
// CHECK: write 8 at 0+n*128 by thread weight 1
void of_thread(void) { words[mine * 16] = 1; }
// CHECK-LABEL: {{^}}of_number:
// CHECK: write 8 at 0+n*64 by thread weight 1
void of_number(void) { words[omp_get_thread_num() * 8L] = 1; }
// CHECK-LABEL: {{^}}mixed:
// CHECK: write 8 at 0+n*8 weight 1
void mixed(long i) { words[mine * 16 + i] = 1; }
// CHECK-LABEL: {{^}}entry:
// CHECK: write 8 at 0+n*64 by thread weight 1
void *entry(void *p) { words[(long)p * 8] = 1; return 0; }
void start(long i) { pthread_t t; pthread_create(&t, 0, entry, (void *)i); }
// What all are given is nobody's own.
// CHECK-LABEL: {{^}}common:
// CHECK: write 8 at 0+n*64 weight 1
void *common(void *p) { words[*(long *)p * 8] = 1; return 0; }
long given;
void start_all(void) { pthread_t t; for (int i = 0; i != 4; ++i) pthread_create(&t, 0, common, &given); }
