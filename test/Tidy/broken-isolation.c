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

// Padding between members, in a record that may start anywhere.
struct parted_ring {
  // CHECK-MESSAGES: :[[@LINE-1]]:8: warning: the padding in 'parted_ring' puts 'parted_ring::head' at offset 64, the start of a line, but 'parted_ring' is only aligned to 8: unless its address happens to be a multiple of 64, 'parted_ring::head' and 'parted_ring::tail' (offset 8) can share a cache line; align the type to 64
  long size;
  long tail;
  char pad_head[48];
  long head;
  char pad_end[56];
};
struct parted_ring *parted_make(long size) {
  struct parted_ring *r = malloc(sizeof *r);
  r->size = size;
  return r;
}
void parted_push(struct parted_ring *r) {
  __atomic_add_fetch(&r->tail, 1, __ATOMIC_RELEASE);
}
void parted_pop(struct parted_ring *r) {
  __atomic_add_fetch(&r->head, 1, __ATOMIC_RELEASE);
}
struct ring_fixed {
  long size;
  long tail;
  char pad_head[48];
  long head;
  char pad_end[56];
} __attribute__((aligned(64)));
void fixed_push(struct ring_fixed *r) {
  __atomic_add_fetch(&r->tail, 1, __ATOMIC_RELEASE);
}
void fixed_pop(struct ring_fixed *r) {
  __atomic_add_fetch(&r->head, 1, __ATOMIC_RELEASE);
}
// A whole line between them does it on any base.
struct far_ring {
  long tail;
  char pad[64];
  long head;
};
void far_push(struct far_ring *r) {
  __atomic_add_fetch(&r->tail, 1, __ATOMIC_RELEASE);
}
void far_pop(struct far_ring *r) {
  __atomic_add_fetch(&r->head, 1, __ATOMIC_RELEASE);
}
// Half a line does not.
struct near_ring {
  long tail;
  char pad[24];
  // CHECK-MESSAGES: :[[@LINE-1]]:8: warning: 24 bytes of padding do not keep 'near_ring::tail' (offset 0) and 'near_ring::head' (offset 32) on different cache lines of 64 bytes; align 'near_ring::head' instead
  long head;
};
void near_push(struct near_ring *r) {
  __atomic_add_fetch(&r->tail, 1, __ATOMIC_RELEASE);
}
void near_pop(struct near_ring *r) {
  __atomic_add_fetch(&r->head, 1, __ATOMIC_RELEASE);
}

// Room for the alignment, which somebody makes by hand.
struct ring_fixed *room_make(void) {
  struct ring_fixed *room = malloc(sizeof *room + 64);
  return (struct ring_fixed *)(((unsigned long)room + 63) & -64UL);
}

// Padded, and aligned wherever it is used; and not everywhere.
typedef struct {
  _Atomic(void *) head;
  _Atomic(void *) tail;
  char pad[48];
} inner_queue;
struct outer_queue {
  _Alignas(64) inner_queue q;
  long advisory;
};
void outer_push(struct outer_queue *o, void *p) { atomic_store(&o->q.tail, p); }
typedef struct {
  // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'loose_queue' is padded to 64 bytes but aligned to 8
  _Atomic(void *) head;
  _Atomic(void *) tail;
  char pad[48];
} loose_queue;
struct loose_outer {
  long advisory;
  loose_queue q;
};
void loose_push(struct loose_outer *o, void *p) { atomic_store(&o->q.tail, p); }

#define MY_CACHE_LINE_SIZE 32
// CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'MY_CACHE_LINE_SIZE' is 32, but a cache line has 64 bytes: what is aligned or padded with it still shares lines
#define OTHER_CACHELINE_BYTES 64
#define CACHELINE_SHIFT 6

// Padded between its members, and aligned by what it is the start of.
struct common_ends {
  _Atomic unsigned head;
  char pad[60];
  _Atomic unsigned tail;
};
struct aligned_ring {
  struct common_ends ends;
  unsigned data[16];
} __attribute__((aligned(64)));
void ends_push(struct aligned_ring *r) { atomic_fetch_add(&r->ends.tail, 1); }
void ends_pop(struct aligned_ring *r) { atomic_fetch_add(&r->ends.head, 1); }

// Padded, not aligned, and made by an allocator that aligns; and by malloc.
int posix_memalign(void **, size_t, size_t);
struct worker {
  _Atomic unsigned tried, stolen;
  char pad[56];
  _Atomic unsigned own;
};
struct other_worker {
  // CHECK-MESSAGES: :[[@LINE-1]]:8: warning: the padding in 'other_worker' puts 'other_worker::own' at offset 64, the start of a line, but 'other_worker' is only aligned to 4
  _Atomic unsigned tried, stolen;
  char pad[56];
  _Atomic unsigned own;
};
struct worker *new_worker(void) {
  struct worker *w;
  posix_memalign((void **)&w, 64, sizeof(struct worker));
  return w;
}
struct other_worker *new_other(void) {
  return (struct other_worker *)malloc(sizeof(struct other_worker));
}
void work(struct worker *w) { atomic_fetch_add(&w->own, 1); }
void steal(struct worker *w) { atomic_fetch_add(&w->stolen, 1); }
void work_other(struct other_worker *w) { atomic_fetch_add(&w->own, 1); }
void steal_other(struct other_worker *w) { atomic_fetch_add(&w->stolen, 1); }

// The allocators of GLib and talloc promise no more; one that is told to align
// does.
void *g_malloc0(size_t);
void *talloc_named_const(const void *, size_t, const char *);
void *talloc_aligned(const void *, size_t line, size_t);
struct event {
  _Atomic long count;
} __attribute__((aligned(64)));
struct message {
  _Atomic long count;
} __attribute__((aligned(64)));
struct entry {
  _Atomic long count;
} __attribute__((aligned(64)));
struct event *new_event(void) {
  struct event *e = g_malloc0(sizeof *e);
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'event' is aligned to 64 bytes, but 'g_malloc0' promises only 16
  return e;
}
struct message *new_message(void *owner) {
  return talloc_named_const(owner, sizeof(struct message), "message");
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'message' is aligned to 64 bytes, but 'talloc_named_const' promises only 16
}
struct entry *new_entry(void *owner) {
  return talloc_aligned(owner, 64, sizeof(struct entry));
}

// What a function of the unit gets from the C library.
void *calloc(unsigned long, unsigned long);
void *aligned_alloc(unsigned long, unsigned long);
void abort(void);
struct shard {
  long hits;
} __attribute__((aligned(64)));
static void *checked(unsigned long n, unsigned long size) {
  void *p = calloc(n, size);
  if (!p)
    abort();
  return p;
}
static void *checked_line(unsigned long size) {
  void *p = aligned_alloc(64, size);
  if (!p)
    abort();
  return p;
}
static char buffer[4096];
static void *from_buffer(unsigned long size) {
  void *p = calloc(1, size);
  if (!p)
    p = buffer;
  return p;
}
struct shard *shards(int n) { return checked(n, sizeof(struct shard)); }
// CHECK-MESSAGES: :[[@LINE-1]]:38: warning: 'shard' is aligned to 64 bytes, but 'checked' promises only 16
struct shard *aligned_shards(int n) { return checked_line(n * sizeof(struct shard)); }
struct shard *buffered(int n) { return from_buffer(n * sizeof(struct shard)); }

// Padded elements of an aligned array that are shorter than a line.
struct ends {
  long size;
  struct {
    long index;
    void *node;
    char padding[2 * sizeof(void *)];
  } end[2] __attribute__((aligned(64)));
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: the alignment of 'ends::end' is the array's, not its elements': they are 32 bytes apart, so up to 2 of them share a cache line; align the element type instead
};
long put_end(struct ends *e) { return e->end[0].index++; }
long get_end(struct ends *e) { return e->end[1].index++; }
// The cure: padded to a line. A pad of a few bytes is a hole made visible, and
// what nobody writes costs nothing.
struct whole_ends {
  struct {
    long index;
    void *node;
    char padding[64 - 2 * sizeof(void *)];
  } end[2] __attribute__((aligned(64)));
};
struct small_pads {
  struct {
    long index;
    int kind;
    char pad[4];
  } end[2] __attribute__((aligned(64)));
};
struct tables {
  struct {
    long first;
    char pad[24];
  } entry[2] __attribute__((aligned(64)));
};
long others(struct whole_ends *w, struct small_pads *s, const struct tables *t) {
  return w->end[0].index++ + w->end[1].index++ + s->end[0].index++ + s->end[1].index++ + t->entry[1].first;
}

// How many fit on a line is no size.
#define LINE_BYTES 64
static const size_t cache_line_floats = LINE_BYTES / sizeof(float);
static const size_t cache_line_longs = LINE_BYTES / (sizeof(long));
static const size_t cache_line_half = LINE_BYTES / 2;
// CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'cache_line_half' is 32, but a cache line has 64 bytes
size_t line_parts(void) {
  return cache_line_floats + cache_line_longs + cache_line_half;
}
