// Which lock is held for accesses and calls: on every way, of several the one
// that was taken first.
// RUN: %clang -std=c++17 -O1 -S -emit-llvm -Xclang -disable-llvm-passes %s -o %t.raw.ll
// RUN: %opt -passes='default<O1>' -S %t.raw.ll -o %t.ll
// RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.ll 2>&1 | FileCheck %s
// Guards that are objects still, as at -O0:
// RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.raw.ll 2>&1 | FileCheck --check-prefix=GUARD %s
#include <mutex>
#include <pthread.h>
#include <shared_mutex>

extern "C" {
pthread_mutex_t big, inner, *through;
pthread_spinlock_t spin[2];
pthread_rwlock_t readers;
pthread_cond_t ready;
long total, other;
void callee(void);

// CHECK-LABEL: {{^}}plain:
// CHECK:       total
// CHECK-NEXT:    read 8 at 0 weight {{[0-9.]+}} with big
// CHECK-NEXT:    write 8 at 0 weight {{[0-9.]+}} with big
// CHECK:       other
// CHECK-NEXT:    read 8 at 0 weight {{[0-9.]+}}{{$}}
// CHECK-NEXT:    write 8 at 0 weight {{[0-9.]+( storing [01])?}}{{$}}
// CHECK:       call callee weight {{[0-9.]+}} with big
// CHECK:       takes big+0 weight 1
void plain(void) {
  pthread_mutex_lock(&big);
  ++total;
  callee();
  pthread_mutex_unlock(&big);
  ++other;
}
// CHECK-LABEL: {{^}}nested:
// CHECK:       total
// CHECK-NEXT:    write 8 at 0 weight {{[0-9.]+}} with big
// CHECK:       other
// CHECK-NEXT:    write 8 at 0 weight {{[0-9.]+}} with inner
void nested(void) {
  pthread_mutex_lock(&big);
  pthread_mutex_lock(&inner);
  *(volatile long *)&total = 1;
  pthread_mutex_unlock(&big);
  *(volatile long *)&other = 1;
  pthread_mutex_unlock(&inner);
}
// What is handed on meanwhile.
// CHECK-LABEL: {{^}}hands:
// CHECK:       pointer total to parameter 0 of count weight {{[0-9.]+}} with big
// CHECK:       pointer other to parameter 0 of count weight {{[0-9.]+}}{{$}}
void count(long *at);
void hands(void) {
  pthread_mutex_lock(&big);
  count(&total);
  pthread_mutex_unlock(&big);
  count(&other);
}
// On one way only: there may be a lock.
// CHECK-LABEL: {{^}}sometimes:
// CHECK:       total
// CHECK-NEXT:    write 8 at 0 weight {{[0-9.]+}} with a lock
void sometimes(volatile int *threads) {
  if (*threads)
    pthread_mutex_lock(&big);
  *(volatile long *)&total = 1;
  if (*threads)
    pthread_mutex_unlock(&big);
}
// Tried, for readers, and one that is not known.
// CHECK-LABEL: {{^}}tried:
// CHECK:         write 8 at 0 weight {{[0-9.]+}} with a lock
void tried(void) {
  if (pthread_mutex_trylock(&big) == 0) {
    *(volatile long *)&total = 1;
    pthread_mutex_unlock(&big);
  }
}
// CHECK-LABEL: {{^}}reading:
// CHECK:         write 8 at 0 weight {{[0-9.]+}} with a lock
void reading(void) {
  pthread_rwlock_rdlock(&readers);
  *(volatile long *)&total = 1;
  pthread_rwlock_unlock(&readers);
}
// CHECK-LABEL: {{^}}given:
// CHECK:         write 8 at 0 weight {{[0-9.]+}} with a lock
void given(pthread_mutex_t *lock) {
  pthread_mutex_lock(lock);
  *(volatile long *)&total = 1;
  pthread_mutex_unlock(lock);
}
// CHECK-LABEL: {{^}}element:
// CHECK:         write 8 at 0 weight {{[0-9.]+}} with spin+4
void element(void) {
  pthread_spin_lock(&spin[1]);
  *(volatile long *)&total = 1;
  pthread_spin_unlock(&spin[1]);
}
// A lock behind a pointer goes by the pointer.
// CHECK-LABEL: {{^}}pointed:
// CHECK:         write 8 at 0 weight {{[0-9.]+}} with through
void pointed(void) {
  pthread_mutex_lock(through);
  *(volatile long *)&total = 1;
  pthread_mutex_unlock(through);
}
// Who waits takes the lock again; who waits without one has it from his callers.
// CHECK-LABEL: {{^}}waits:
// CHECK:       takes big+0 weight 1
// CHECK-NEXT:  takes big+0 weight
void waits(void) {
  pthread_mutex_lock(&big);
  while (!total)
    pthread_cond_wait(&ready, &big);
  pthread_mutex_unlock(&big);
}
// CHECK-LABEL: {{^}}callers:
// CHECK:       leaves a lock of its callers
void callers(void) {
  ++total;
  pthread_mutex_unlock(&big);
}
}

std::mutex guarded;
std::shared_mutex shared;
extern "C" {
// CHECK-LABEL: {{^}}guards:
// CHECK:       total
// CHECK-NEXT:    write 8 at 0 weight {{[0-9.]+}} with guarded
// CHECK:       other
// CHECK-NEXT:    write 8 at 0 weight {{[0-9.]+( storing [01])?}}{{$}}
// GUARD-LABEL: {{^}}guards:
// GUARD:       total
// GUARD-NEXT:    write 8 at 0 weight {{[0-9.]+}} with guarded
// GUARD:       other
// GUARD-NEXT:    write 8 at 0 weight {{[0-9.]+( storing [01])?}}{{$}}
void guards(void) {
  {
    std::lock_guard<std::mutex> Held(guarded);
    *(volatile long *)&total = 1;
  }
  *(volatile long *)&other = 1;
}
// GUARD-LABEL: {{^}}unlocked:
// GUARD:       total
// GUARD-NEXT:    write 8 at 0 weight {{[0-9.]+( storing [01])?}}{{$}}
// GUARD:       other
// GUARD-NEXT:    write 8 at 0 weight {{[0-9.]+}} with guarded
void unlocked(void) {
  std::unique_lock<std::mutex> Held(guarded, std::defer_lock);
  *(volatile long *)&total = 1;
  Held.lock();
  *(volatile long *)&other = 1;
}
// GUARD-LABEL: {{^}}sharing:
// GUARD:       total
// GUARD-NEXT:    write 8 at 0 weight {{[0-9.]+}} with a lock
void sharing(void) {
  std::shared_lock<std::shared_mutex> Held(shared);
  *(volatile long *)&total = 1;
}
}
