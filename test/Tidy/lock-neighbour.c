// RUN: %check_tidy %s linesman-lock-neighbour %t
#define _XOPEN_SOURCE 700
#include <pthread.h>

#define ALIGNED __attribute__((aligned(64)))
typedef unsigned long word_lock;
#define TABLE_RDLOCK(l) (void)__atomic_add_fetch((l), 4, __ATOMIC_ACQUIRE)
#define TABLE_WRLOCK(l) (void)__atomic_add_fetch((l), 1, __ATOMIC_ACQUIRE)
#define TABLE_RDUNLOCK(l) (void)__atomic_sub_fetch((l), 4, __ATOMIC_RELEASE)
#define TABLE_WRUNLOCK(l) (void)__atomic_sub_fetch((l), 1, __ATOMIC_RELEASE)

// A lock that is a word, in a region with what its readers use.
struct table {
  long size;
  union {
  } ALIGNED;
  unsigned latest;
  word_lock updt_lock;
};
unsigned touch(struct table *t) {
  unsigned last;
  TABLE_RDLOCK(&t->updt_lock);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'table::updt_lock' (offset 72) is taken for reading here, in 'touch', and shares its cache line with 'table::latest' (offset 64), which its readers use: each new reader writes the lock and takes the line from those who hold it; put the lock on a line of its own [linesman-lock-neighbour]
  last = t->latest;
  TABLE_RDUNLOCK(&t->updt_lock);
  return last;
}
void update(struct table *t) {
  TABLE_WRLOCK(&t->updt_lock);
  t->latest++;
  TABLE_WRUNLOCK(&t->updt_lock);
}

// A spin lock beside what three functions read without it.
struct pool {
  pthread_spinlock_t lock;
  int limit;
  int used;
};
struct pool shared;
void take(void) {
  struct pool *p = &shared;
  pthread_spin_lock(&p->lock);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'pool::lock' (offset 0) is taken here, in 'take', and may share its cache line with 'pool::limit' (offset 4), which 3 functions read without it: each attempt to take the lock makes their next access a miss; keep them a line apart
  p->used++;
  pthread_spin_unlock(&p->lock);
}
void give(void) {
  struct pool *p = &shared;
  pthread_spin_lock(&p->lock);
  p->used--;
  pthread_spin_unlock(&p->lock);
}
int fits(const struct pool *p, int n) { return n < p->limit; }
int half(const struct pool *p) { return p->limit / 2; }
int room(const struct pool *p) { return p->limit - 1; }

// Two ends, a lock for each.
struct queue {
  pthread_spinlock_t head_lock;
  int head;
  pthread_spinlock_t tail_lock;
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 'queue::head_lock' (offset 0) and 'queue::tail_lock' (offset 8) may be on one cache line, and no function takes both: who takes one slows down those who take the other; keep them a line apart
  int tail;
};
struct queue jobs;
void pop(void) {
  struct queue *q = &jobs;
  pthread_spin_lock(&q->head_lock);
  q->head++;
  pthread_spin_unlock(&q->head_lock);
}
void pop_two(void) {
  struct queue *q = &jobs;
  pthread_spin_lock(&q->head_lock);
  q->head += 2;
  pthread_spin_unlock(&q->head_lock);
}
void push(void) {
  struct queue *q = &jobs;
  pthread_spin_lock(&q->tail_lock);
  q->tail++;
  pthread_spin_unlock(&q->tail_lock);
}
void push_two(void) {
  struct queue *q = &jobs;
  pthread_spin_lock(&q->tail_lock);
  q->tail += 2;
  pthread_spin_unlock(&q->tail_lock);
}

// Many locks, one of which a hash picks.
pthread_mutex_t item_locks[1024];
void lock_item(unsigned hash) {
  pthread_mutex_lock(&item_locks[hash & 1023]);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: a computed number picks one of the locks in 'item_locks' here, and they are 40 bytes apart: up to 2 share a cache line of 64, so threads that take different locks still write one line; a line for each costs 24 bytes a lock, fewer locks of a line each cost nothing and collide more often
}

// Two spin locks, each of which one operation takes.
typedef struct {
  unsigned next, serving;
} my_ticketlock_t;
void my_ticketlock_lock(my_ticketlock_t *l);
void my_ticketlock_unlock(my_ticketlock_t *l);
struct port {
  my_ticketlock_t rx;
  my_ticketlock_t tx;
  // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: 'port::rx' (offset 0) and 'port::tx' (offset 8) are on one cache line, and no function takes both: who takes one slows down those who take the other; keep them a line apart [linesman-lock-neighbour]
  char buffer[64] ALIGNED;
};
int port_receive(struct port *p) {
  my_ticketlock_lock(&p->rx);
  int first = p->buffer[0];
  my_ticketlock_unlock(&p->rx);
  return first;
}
void port_send(struct port *p, char c) {
  my_ticketlock_lock(&p->tx);
  p->buffer[1] = c;
  my_ticketlock_unlock(&p->tx);
}

// A mutex of an object of the heap, which others visit without it.
struct peer {
  pthread_mutex_t lock;
  int down;
  long conns;
  struct peer *next;
};
void use_peer(struct peer *p) {
  pthread_mutex_lock(&p->lock);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'peer::lock' (offset 0) is taken here, in 'use_peer', and may share its cache line with 'peer::down' (offset 40), which 2 functions read without it: each attempt to take the lock makes their next access a miss; keep them a line apart [linesman-lock-neighbour]
  p->conns++;
  pthread_mutex_unlock(&p->lock);
}
void leave_peer(struct peer *p) {
  pthread_mutex_lock(&p->lock);
  p->conns--;
  pthread_mutex_unlock(&p->lock);
}
struct peer *first_up(struct peer *p) {
  for (; p; p = p->next)
    if (!p->down)
      return p;
  return 0;
}
int is_up(const struct peer *p) { return !p->down; }

// One of the locks, by the caller's choice.
pthread_spinlock_t node_locks[64];
void lock_node(unsigned node) {
  pthread_spin_lock(&node_locks[node]);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: the caller picks one of the locks in 'node_locks' here, and they are 4 bytes apart: up to 16 share a cache line of 64
}

// ---- From here on: nothing.

// The caller's choice among whole lines; all of them, one after the other.
struct node_lock {
  pthread_spinlock_t lock;
} ALIGNED;
struct node_lock wide_node_locks[64];
void lock_wide_node(unsigned node) {
  pthread_spin_lock(&wide_node_locks[node].lock);
}
pthread_spinlock_t every_lock[64];
void lock_every(void) {
  for (unsigned i = 0; i < 64; ++i)
    pthread_spin_lock(&every_lock[i]);
}

// A mutex beside what only those with it, or one function without it, look at.
struct quiet_peer {
  pthread_mutex_t lock;
  int down;
  long conns;
};
void use_quiet(struct quiet_peer *p) {
  pthread_mutex_lock(&p->lock);
  p->conns += p->down;
  pthread_mutex_unlock(&p->lock);
}
void leave_quiet(struct quiet_peer *p) {
  pthread_mutex_lock(&p->lock);
  p->conns -= p->down;
  pthread_mutex_unlock(&p->lock);
}
int is_quiet(const struct quiet_peer *p) { return p->down; }

// The fixes.
struct table_fixed {
  long size;
  union {
  } ALIGNED;
  unsigned latest;
  union {
  } ALIGNED;
  word_lock updt_lock;
};
unsigned touch_fixed(struct table_fixed *t) {
  unsigned last;
  TABLE_RDLOCK(&t->updt_lock);
  last = t->latest;
  TABLE_RDUNLOCK(&t->updt_lock);
  return last;
}
void update_fixed(struct table_fixed *t) {
  TABLE_WRLOCK(&t->updt_lock);
  t->latest++;
  TABLE_WRUNLOCK(&t->updt_lock);
}
struct wide_lock {
  pthread_mutex_t mutex;
} ALIGNED;
struct wide_lock wide_locks[1024];
void lock_wide(unsigned hash) {
  pthread_mutex_lock(&wide_locks[hash & 1023].mutex);
}

// An object for each request: its lock is its user's, most of the time.
struct entry {
  pthread_spinlock_t lock;
  int expire;
  int hits;
};
void hit(struct entry *e) {
  pthread_spin_lock(&e->lock);
  e->hits++;
  pthread_spin_unlock(&e->lock);
}
void forget(struct entry *e) {
  pthread_spin_lock(&e->lock);
  e->hits = 0;
  pthread_spin_unlock(&e->lock);
}
int is_old(const struct entry *e, int now) { return e->expire < now; }
int age(const struct entry *e, int now) { return now - e->expire; }
int is_due(const struct entry *e, int now) { return e->expire == now; }

// A lock with the data that it protects, and nobody else's.
struct counter {
  pthread_spinlock_t lock;
  long value;
};
void add(struct counter *c) {
  pthread_spin_lock(&c->lock);
  c->value++;
  pthread_spin_unlock(&c->lock);
}
void sub(struct counter *c) {
  pthread_spin_lock(&c->lock);
  c->value--;
  pthread_spin_unlock(&c->lock);
}

// A mutex beside a setting: everywhere, and its waiters sleep.
struct server {
  pthread_mutex_t mutex;
  int port;
  int clients;
};
void connect_client(struct server *s) {
  pthread_mutex_lock(&s->mutex);
  s->clients++;
  pthread_mutex_unlock(&s->mutex);
}
void disconnect_client(struct server *s) {
  pthread_mutex_lock(&s->mutex);
  s->clients--;
  pthread_mutex_unlock(&s->mutex);
}
int port_of(const struct server *s) { return s->port; }
int next_port(const struct server *s) { return s->port + 1; }
int last_port(const struct server *s) { return s->port - 1; }

// Both locks at once; two locks; a lock for each of few.
struct both {
  pthread_spinlock_t first, second;
  int a, b;
};
void move_one(struct both *x) {
  pthread_spin_lock(&x->first);
  pthread_spin_lock(&x->second);
  x->a = x->b;
  pthread_spin_unlock(&x->second);
  pthread_spin_unlock(&x->first);
}
void move_back(struct both *x) {
  pthread_spin_lock(&x->first);
  pthread_spin_lock(&x->second);
  x->b = x->a;
  pthread_spin_unlock(&x->second);
  pthread_spin_unlock(&x->first);
}
pthread_mutex_t few[2];
void lock_one(unsigned hash) { pthread_mutex_lock(&few[hash & 1]); }
pthread_mutex_t stages[16];
void lock_all(void) {
  for (int i = 0; i < 16; ++i)
    pthread_mutex_lock(&stages[i]);
}

// The number of the lock is kept in the object; locks of more than a line.
struct long_lock {
  pthread_mutex_t lock;
  char owners[60];
};
typedef struct long_lock long_lock_t;
struct keyed {
  unsigned lock_number, number;
};
struct buckets {
  pthread_mutex_t *locks;
  long_lock_t *long_locks;
  pthread_mutex_t *own_locks;
  unsigned count;
};
void take_long(long_lock_t *lock);
void add_node(struct buckets *t, struct keyed *n, unsigned hash) {
  n->lock_number = hash % t->count;
  n->number = 0;
}
void use_node(struct buckets *t, struct keyed *n) {
  pthread_mutex_t *lock = &t->locks[n->lock_number];
  // CHECK-MESSAGES: :[[@LINE-1]]:27: warning: a computed number picks one of the locks in 'buckets::locks' here, and they are 40 bytes apart: up to 2 share a cache line of 64
  pthread_mutex_lock(lock);
  pthread_mutex_unlock(lock);
  take_long(&t->long_locks[n->lock_number]);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: a computed number picks one of the locks in 'buckets::long_locks' here, and they are 104 bytes apart: the end of one and the start of the next share a cache line of 64, so threads that take different locks still write one line; whole lines for each cost 24 bytes a lock
  // A number that no hash gave.
  pthread_mutex_lock(&t->own_locks[n->number]);
}

// Making and destroying a lock is not taking it.
struct zone {
  pthread_spinlock_t lock;
  int id;
  int kind;
};
struct zone *zone_of(int id);
void fill_zone(struct zone *z) { pthread_spin_init(&z->lock, 0); }
void drop_zone(struct zone *z) { pthread_spin_destroy(&z->lock); }
int zone_id(const struct zone *z) { return z->id; }
int zone_next(const struct zone *z) { return z->id + 1; }
int zone_last(const struct zone *z) { return z->id - 1; }

// Two spin locks that one operation takes both of; and a line apart.
struct pair {
  my_ticketlock_t in;
  my_ticketlock_t out;
  char buffer[64] ALIGNED;
};
void pair_move(struct pair *p) {
  my_ticketlock_lock(&p->in);
  my_ticketlock_lock(&p->out);
  p->buffer[0] = p->buffer[1];
  my_ticketlock_unlock(&p->out);
  my_ticketlock_unlock(&p->in);
}
struct apart_port {
  my_ticketlock_t rx ALIGNED;
  my_ticketlock_t tx ALIGNED;
  char buffer[64] ALIGNED;
};
void apart_receive(struct apart_port *p) {
  my_ticketlock_lock(&p->rx);
  p->buffer[0]++;
  my_ticketlock_unlock(&p->rx);
}
void apart_send(struct apart_port *p) {
  my_ticketlock_lock(&p->tx);
  p->buffer[1]++;
  my_ticketlock_unlock(&p->tx);
}

// Of a state of several lines, only the end is beside the lock.
struct state {
  long registers[32];
  int mode;
};
struct machine {
  struct state state;
  pthread_spinlock_t interrupt;
};
struct machine running;
void interrupt(int mode) {
  pthread_spin_lock(&running.interrupt);
  pthread_spin_unlock(&running.interrupt);
}
void resume(void) {
  pthread_spin_lock(&running.interrupt);
  pthread_spin_unlock(&running.interrupt);
}
long first(void) { return running.state.registers[0]; }
long second(void) { return running.state.registers[1]; }
long third(void) { return running.state.registers[2]; }
