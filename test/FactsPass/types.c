// The same for C, and an array of locks behind a pointer.
// RUN: %clang -O2 -S -emit-llvm %s -o %t.O2.ll
// RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.O2.ll 2>&1 | FileCheck %s
// RUN: %clang -O2 -g -S -emit-llvm %s -o %t.g.ll
// RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.g.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,G
// Without TBAA debug info alone says what pointers point to.
// RUN: %clang -O2 -g -fno-strict-aliasing -S -emit-llvm %s -o %t.alias.ll
// RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.alias.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,G
#include <pthread.h>

typedef struct {
  int a, b;
} nameless;
struct conn {
  struct conn *next;
  pthread_mutex_t lock;
  int state;
  nameless part;
};
static pthread_mutex_t *locks;
static unsigned mask;

void set_locks(pthread_mutex_t *p, unsigned m) {
  locks = p;
  mask = m;
}

// CHECK-LABEL: {{^}}lock_one:
// CHECK: type pthread_mutex_t size 40 align
// CHECK-NEXT: atomic 16 at 0 weight 1 lock element
void lock_one(unsigned hash) { pthread_mutex_lock(&locks[hash & mask]); }

// CHECK-LABEL: {{^}}serve:
// CHECK-NEXT: type conn size
// G-SAME: 64
// CHECK-NEXT: read 8 at 0 weight 1
// G-SAME: types.c:[[#@LINE+9]]
// CHECK-NEXT: atomic 16 at 8 weight 1 lock
// G-SAME: types.c:[[#@LINE+5]]
// CHECK-NEXT: read 4 at 48 weight 1
// CHECK-NEXT: write 4 at 48 weight 1
// CHECK-NEXT: read 4 at 56 weight 1
int serve(struct conn *c) {
  pthread_mutex_lock(&c->lock);
  c->state++;
  return c->part.b + (c->next != 0);
}

// A record without a name has one from its typedef, where debug info has that.
// G-LABEL: {{^}}count:
// G-NEXT: type nameless size 8 align
// G-NEXT: read 4 at 4 weight 1
// G-NEXT: write 4 at 4 weight 1
void count(nameless *n) { n->b++; }
