// A unit with errors: what has none is judged, and what the missing parts could
// refute is not said.
// RUN: %check_tidy %s linesman-* %t
// With nothing missing all of it is said.
// RUN: %check_tidy -check-suffix=WHOLE %s linesman-* %t.whole -- -DWHOLE
#include <stdatomic.h>

#ifdef WHOLE
#define missing 0
#define LINE 8
#define nothing 0
typedef int unknown_t;
typedef int unknown_slot_t;
struct unknown {
  void (*run)(void);
};
void undeclared(int);
#endif

struct Cache {
  _Atomic long hits;
  long limit;
};

void take(long lock);
void hit(struct Cache *c) { c->hits++; }
// CHECK-MESSAGES-WHOLE: :[[@LINE-1]]:29: warning: 'Cache::hits' (offset 0) is updated here
// CHECK-MESSAGES: :[[@LINE-2]]:29: warning: 'Cache::hits' (offset 0) is updated here, in 'hit', and may share its cache line with 'Cache::limit' (offset 8), which 2 functions read
long room(struct Cache *c) { return c->limit; }
long full(struct Cache *c, long n) {
  while (n < c->limit)
    n += c->limit;
  return n;
}
void other(struct Cache *c) { take(missing); }
// CHECK-MESSAGES: :[[@LINE-1]]:36: error: use of undeclared identifier 'missing'

// A word that a function with an error names, and may change.
struct Changed {
  _Atomic long hits;
  long limit;
  long most;
};
void hit_changed(struct Changed *c) { c->hits++; }
// CHECK-MESSAGES-WHOLE: :[[@LINE-1]]:39: warning: 'Changed::hits' (offset 0) is updated here
long most(struct Changed *c) { return c->most; }
long most_of(struct Changed *c, long n) {
  while (n < c->most)
    n += c->most;
  return n;
}
long change(struct Changed *c) { return c->most + missing; }
// CHECK-MESSAGES: :[[@LINE-1]]:51: error: use of undeclared identifier 'missing'

// No layout: what is missing may keep the two apart.
struct Padded {
  _Atomic long hits;
  char pad[LINE];
  // CHECK-MESSAGES: :[[@LINE-1]]:12: error: use of undeclared identifier 'LINE'
  long level;
};
void hit_padded(struct Padded *c) { c->hits++; }
// CHECK-MESSAGES-WHOLE: :[[@LINE-1]]:37: warning: 'Padded::hits' (offset 0) is updated here
long level(struct Padded *c) { return c->level; }
long level_of(struct Padded *c, long n) {
  while (n < c->level)
    n += c->level;
  return n;
}
// A part of another record, too.
struct Owner {
  struct Padded part;
  _Atomic long asked;
  long depth;
};
void ask(struct Owner *o) { o->asked++; }
// CHECK-MESSAGES-WHOLE: :[[@LINE-1]]:29: warning: 'Owner::asked' (offset 24) is updated here
long depth(struct Owner *o) { return o->depth; }
long depth_of(struct Owner *o, long n) {
  while (n < o->depth)
    n += o->depth;
  return n;
}

// Written and never read, as far as can be seen; what is lost may read it.
static int last_error;
void fail(int code) { last_error = code; }
// CHECK-MESSAGES-WHOLE: :[[@LINE-1]]:23: warning: 'last_error' is written here and never read
int seen(unknown_t *c) { return c != 0; }
// CHECK-MESSAGES: :[[@LINE-1]]:10: error: unknown type name 'unknown_t'

// A call of what nobody has declared is a call.
struct Undeclared {
  _Atomic long hits;
  long width;
};
void hit_undeclared(struct Undeclared *c) { undeclared(1); c->hits++; }
// CHECK-MESSAGES-WHOLE: :[[@LINE-1]]:60: warning: 'Undeclared::hits' (offset 0) is updated here
// CHECK-MESSAGES: :[[@LINE-2]]:45: error: call to undeclared function 'undeclared'
// CHECK-MESSAGES: :[[@LINE-3]]:60: warning: 'Undeclared::hits' (offset 0) is updated here, in 'hit_undeclared'
long width(struct Undeclared *c) { return c->width; }
long width_of(struct Undeclared *c, long n) {
  while (n < c->width)
    n += c->width;
  return n;
}

// A helper may be called by anybody if code with an error names it, or if nobody
// calls it who is left.
static atomic_long steps;
static void step(void) { steps++; }
// CHECK-MESSAGES-WHOLE: :[[@LINE-1]]:26: warning: 'steps'
long run(void) { step(); return nothing; }
// CHECK-MESSAGES: :[[@LINE-1]]:33: error: use of undeclared identifier 'nothing'
static atomic_long turns;
static void turn(void) { turns++; }
// CHECK-MESSAGES-WHOLE: :[[@LINE-1]]:26: warning: 'turns'
static const struct unknown table = {turn};
// CHECK-MESSAGES: :[[@LINE-1]]:29: error: variable has incomplete type
long all(void) { return steps + turns; }
static atomic_long rounds;
long all_rounds(void) { return rounds; }
void go_round(void) { rounds++; }
// CHECK-MESSAGES-WHOLE: :[[@LINE-1]]:23: warning: 'rounds' has static storage
// CHECK-MESSAGES: :[[@LINE-2]]:23: warning: 'rounds'

// How far apart are elements of which a field is not known?
struct Slot {
  atomic_long lock;
  unknown_slot_t more;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: error: unknown type name 'unknown_slot_t'
};
struct Slot slots[64];
extern __thread int thread_number;
void use_slot(void) { slots[thread_number].lock++; }
// CHECK-MESSAGES-WHOLE: :[[@LINE-1]]:23: warning: each thread writes its own element of 'slots' here, but elements are 16 bytes apart
