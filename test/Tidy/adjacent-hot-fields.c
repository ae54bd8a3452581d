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

// Regions: the aligned member keeps its own apart, and says nothing about the
// rest. What a function has just made, it may fill in.
struct list {
  struct list *next;
};
#define REGION union { } __attribute__((aligned(64)))
void *calloc(unsigned long, unsigned long);
struct pool {
  unsigned used;
  unsigned limit;
  unsigned size;
  REGION;
  struct list caches[8];
};
struct pool *pool_create(unsigned size) {
  void *room = calloc(1, sizeof(struct pool) + 64);
  struct pool *p = (struct pool *)(((unsigned long)room + 63) & -64UL);
  p->size = size;
  p->limit = 8 * size;
  return p;
}
void pool_take(struct pool *p) {
  __atomic_add_fetch(&p->used, 1, __ATOMIC_RELAXED);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'pool::used' (offset 0) is updated here, in 'pool_take', and shares its cache line with 'pool::size' (offset 8), which 2 functions read
}
unsigned pool_size(const struct pool *p) { return p->size; }
unsigned pool_room(const struct pool *p) { return 2 * p->size; }

struct pool_fixed {
  unsigned limit;
  unsigned size;
  REGION;
  unsigned used;
  REGION;
  struct list caches[8];
};
void fixed_take(struct pool_fixed *p) {
  __atomic_add_fetch(&p->used, 1, __ATOMIC_RELAXED);
}
unsigned fixed_size(const struct pool_fixed *p) { return p->size; }
unsigned fixed_room(const struct pool_fixed *p) { return 2 * p->size; }

// Right: one reader in a region that somebody composed; elements of a line;
// flags; a maximum.
struct composed {
  REGION;
  unsigned served;
  unsigned waiting;
};
void composed_serve(struct composed *c) {
  __atomic_add_fetch(&c->served, 1, __ATOMIC_RELAXED);
}
unsigned composed_waiting(const struct composed *c) { return c->waiting; }
struct file {
  unsigned long users;
  unsigned long mode;
} __attribute__((aligned(64)));
struct file files[128];
void file_use(int fd) {
  __atomic_add_fetch(&files[fd].users, 1, __ATOMIC_RELAXED);
}
unsigned long file_mode(int fd) { return files[fd].mode; }
unsigned long file_type(int fd) { return files[fd].mode & 7; }
struct flags {
  unsigned state;
  unsigned kind;
};
void flag(struct flags *f) {
  __atomic_or_fetch(&f->state, 4, __ATOMIC_RELAXED);
}
unsigned flag_kind(const struct flags *f) { return f->kind; }
struct peak {
  unsigned highest;
  unsigned period;
};
void peak_seen(struct peak *p, unsigned now) {
  unsigned old = __atomic_load_n(&p->highest, __ATOMIC_RELAXED);
  while (old < now && !__atomic_compare_exchange_n(&p->highest, &old, now, 0,
                                                   __ATOMIC_RELAXED,
                                                   __ATOMIC_RELAXED))
    ;
}
unsigned peak_period(const struct peak *p) { return p->period; }
static __thread struct peak *mine;
void peak_count(void) {
  __atomic_add_fetch(&mine->highest, 1, __ATOMIC_RELAXED);
}

// A word in a struct of its own, which functions of the program update.
typedef struct {
  unsigned long v;
} own_atomic_t;
static inline unsigned long own_fetch_add(own_atomic_t *a, unsigned long n) {
  return __atomic_fetch_add(&a->v, n, __ATOMIC_RELAXED);
}
struct association {
  own_atomic_t packets;
  unsigned long limit;
  // CHECK-FIXES: _Alignas(64) unsigned long limit;
};
unsigned long sent(struct association *a) {
  return own_fetch_add(&a->packets, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'association::packets' (offset 0) is updated here, in 'sent', and may share its cache line with 'association::limit' (offset 8), which 'most_of' reads
}
unsigned long most_of(const struct association *a) { return a->limit; }

// A struct of more than the word is somebody's object: what is updated is a
// part of it, and not what is beside it.
struct connection {
  char name[120];
  unsigned long count;
};
static inline unsigned long count_up(struct connection *c) {
  return __atomic_fetch_add(&c->count, 1, __ATOMIC_RELAXED);
}
struct session {
  struct connection connection;
  unsigned long limit;
};
unsigned long used(struct session *s) { return count_up(&s->connection); }
unsigned long session_limit(const struct session *s) { return s->limit; }

// A function that adds nothing is how this program reads the word: one finding
// of redundant-store, and none at those who call it.
static inline unsigned long own_get(own_atomic_t *a) {
  return __atomic_fetch_add(&a->v, 0, __ATOMIC_SEQ_CST);
}
struct handle {
  own_atomic_t closed;
  unsigned long number;
};
int is_closed(struct handle *h) { return own_get(&h->closed) != 0; }
unsigned long number_of(const struct handle *h) { return h->number; }

// Alternatives of a union inside are the same bytes: what reads one of them
// reads the word that is updated.
struct lane {
  union {
    _Atomic unsigned long state;
    struct {
      unsigned width, bits;
    };
  };
};
void lane_enter(struct lane *l) { l->state += 2; }
unsigned lane_bits(const struct lane *l) { return l->bits; }
unsigned lane_width(const struct lane *l) { return l->width; }
