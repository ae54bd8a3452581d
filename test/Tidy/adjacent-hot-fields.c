// RUN: %check_tidy -fix-notes %s linesman-adjacent-hot-fields %t
#include <pthread.h>
#include <stdatomic.h>

struct queue {
  atomic_long length;
  long capacity;
  // CHECK-FIXES: _Alignas(64) long capacity;
};
void push(struct queue *q) {
  atomic_fetch_add(&q->length, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'queue::length' (offset 0) is updated here, in 'push', and may share its cache line with 'queue::capacity' (offset 8), which 'capacity_of' reads
}
long capacity_of(const struct queue *q) { return q->capacity; }

typedef struct {
  long served;
  // CHECK-FIXES: _Alignas(64) int backlog;
  int backlog;
} server_t;
void serve(server_t *s) {
  __atomic_add_fetch(&s->served, 1, __ATOMIC_RELAXED);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'server_t::served' (offset 0) is updated here
}
int backlog_of(server_t *s) { return s->backlog; }

// Under its own lock, and one that was just made.
struct guarded {
  pthread_mutex_t lock;
  _Atomic long hits;
  long limit;
};
void hit(struct guarded *g) {
  pthread_mutex_lock(&g->lock);
  g->hits++;
  pthread_mutex_unlock(&g->lock);
}
long limit_of(struct guarded *g) { return g->limit; }

void *malloc(unsigned long);
struct fresh {
  _Atomic long n;
  long size;
};
struct fresh *fresh_make(void) {
  struct fresh *f = malloc(sizeof(struct fresh));
  f->n++;
  return f;
}
long fresh_size(struct fresh *f) { return f->size; }
