// Which accesses to a type are made without a lock, in a function that takes one.
// RUN: %clang -O2 -S -emit-llvm %s -o %t.ll
// RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.ll 2>&1 | FileCheck %s
#include <pthread.h>
struct server {
  long port;
  pthread_mutex_t lock;
  long queued;
};
// CHECK-LABEL: {{^}}handle:
// CHECK: read 8 at 0 {{.*}}unlocked
// CHECK: atomic {{.*}} lock
// CHECK: write 8 at 48 weight {{[0-9.]+}}{{$}}
long handle(struct server *s) {
  pthread_mutex_lock(&s->lock);
  s->queued++;
  pthread_mutex_unlock(&s->lock);
  return s->port;
}
// Its callers may hold one.
// CHECK-LABEL: {{^}}look:
// CHECK: read 8 at 0 weight 1{{$}}
long look(struct server *s) { return s->port; }
