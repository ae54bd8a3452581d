// RUN: %check_tidy %s linesman-broken-isolation %t
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Alignas(64) static _Atomic long slots[4];
// CHECK-MESSAGES: :[[@LINE-1]]:34: warning: the alignment of 'slots' is the array's, not its elements': they are 8 bytes apart

struct ring {
  _Alignas(64) atomic_ulong head;
  atomic_ulong tail;
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: 'ring::tail' (offset 8) is on the cache line that the alignment of 'ring::head' (offset 0) was meant to reserve
};

typedef struct {
  // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'padded_lock' is padded to 64 bytes but aligned to 8
  pthread_mutex_t lock;
  char padding[24];
} padded_lock;

struct padded_small {
  pthread_mutex_t lock;
  char padding[20];
  int last;
};

struct ring *make(void) {
  struct ring *r = malloc(sizeof(*r));
  // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: 'ring' is aligned to 64 bytes, but 'malloc' promises only 16: {{.*}}; use aligned_alloc
  return r;
}
struct ring *make_right(void) { return aligned_alloc(64, sizeof(struct ring)); }
long *make_longs(void) { return calloc(8, sizeof(long)); }
