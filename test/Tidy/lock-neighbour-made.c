// Locks that a function makes one by one, for whoever asks.
// RUN: split-file %s %t
// RUN: %check_tidy %t/make.c 'linesman-*' %t.make
// RUN: %check_tidy %t/right.c 'linesman-*' %t.right
//--- make.c
#include <pthread.h>
#include <stdlib.h>

typedef struct {
  pthread_mutex_t mutex;
  int acquired;
} sys_mutex_t;

sys_mutex_t *sys_mutex(void) {
  sys_mutex_t *made = (sys_mutex_t *)malloc(sizeof(sys_mutex_t));
  // CHECK-MESSAGES: :[[@LINE-1]]:23: warning: 'sys_mutex' takes 48 bytes from 'malloc' for each lock of type 'sys_mutex_t': the allocator puts locks that are made one after the other on one cache line of 64, {{.*}}; if they are taken often, keep each lock in the object that it guards
  pthread_mutex_init(&made->mutex, 0);
  made->acquired = 0;
  return made;
}
void sys_mutex_lock(sys_mutex_t *mutex) { pthread_mutex_lock(&mutex->mutex); }
//--- right.c
#include <pthread.h>
#include <stdlib.h>

// The fix.
typedef struct {
  pthread_mutex_t mutex;
  int acquired;
} line_mutex_t;
line_mutex_t *line_mutex(void) {
  line_mutex_t *made = (line_mutex_t *)aligned_alloc(64, 64);
  pthread_mutex_init(&made->mutex, 0);
  return made;
}

// An object with a lock, one that is larger than a line, and a lock that the function has
// for itself.
struct account {
  pthread_mutex_t mutex;
  int sum;
};
struct account *account(void) {
  struct account *made = (struct account *)malloc(sizeof(struct account));
  pthread_mutex_init(&made->mutex, 0);
  return made;
}
typedef struct {
  pthread_mutex_t mutex;
  char state[88];
} far_mutex_t;
far_mutex_t *far_mutex(void) {
  far_mutex_t *made = (far_mutex_t *)malloc(sizeof(far_mutex_t));
  pthread_mutex_init(&made->mutex, 0);
  return made;
}
typedef struct {
  pthread_mutex_t mutex;
} own_mutex_t;
int wait_once(void) {
  own_mutex_t *made = (own_mutex_t *)malloc(sizeof(own_mutex_t));
  pthread_mutex_init(&made->mutex, 0);
  free(made);
  return 1;
}
