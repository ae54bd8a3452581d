// RUN: %check_tidy %s linesman-adjacent-writers %t
#include <stdatomic.h>

struct pool {
  atomic_uint free;
  atomic_uint limit;
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: 'pool::free' (offset 0) and 'pool::limit' (offset 4) may be on one cache line and have different writers, 'put' and 'set_limit'
};
int put(struct pool *p) {
  return atomic_fetch_add(&p->free, 1) < atomic_load(&p->limit);
}
void set_limit(struct pool *p, unsigned n) { atomic_store(&p->limit, n); }

// What is initialised is nobody else's yet, wherever it came from.
struct made {
  atomic_uint free;
  atomic_uint limit;
};
void *get(void);
struct made *make_one(void) {
  struct made *m = get();
  atomic_init(&m->limit, 1);
  return m;
}
int take(struct made *m) {
  return atomic_fetch_add(&m->free, 1) < atomic_load(&m->limit);
}

// posix_memalign gives its memory in place: what is written then is nobody
// else's yet.
int posix_memalign(void **, unsigned long, unsigned long);
struct node {
  struct node *volatile next;
  volatile unsigned long id;
};
struct node *new_node(unsigned long id) {
  struct node *n;
  posix_memalign((void **)&n, 64, sizeof(struct node));
  n->id = id;
  return n;
}
void link_node(struct node *n, struct node *next, unsigned long most) {
  if (n->id < most)
    n->next = next;
}
