// RUN: %check_tidy %s linesman-thread-slot %t -- -target x86_64-linux-gnu
// A record that each thread has keeps the address of its element, and a
// function that is nothing but an atomic operation counts in it.
#include <stdatomic.h>
typedef unsigned word;
static inline void word_dec(word *target) { __asm__ __volatile__("lock decl %0" : "+m"(*target) : : "memory"); }

static inline void word_add(word *target, word delta) {
  delta = __sync_fetch_and_add(target, delta);
  return;
}
static inline void word_inc(word *target) {
  word_add(target, 1);
  return;
}

static __thread struct {
  int id;
  word *backlog, *served;
  _Atomic(word) *done;
} lane;
extern int lanes;
extern word *backlogs, *served;
extern _Atomic(word) *done;
static int claim(void);
int take_lane(void) {
  if (!lane.backlog) {
    int number = claim();
    lane.id = number;
    lane.backlog = &backlogs[number];
    lane.done = &done[number];
    lane.served = &served[number];
  }
  return lane.id;
}
void next(void) {
  word_dec(lane.backlog);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'backlog' is the address of a thread's own element, which 'next' writes here, but elements are 4 bytes apart and a cache line has 64
  atomic_fetch_add(lane.done, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'done' is the address of a thread's own element, which 'next' writes here
  word_inc(lane.served);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'served' is the address of a thread's own element, which 'next' writes here
}
extern int number;
static int claim(void) { return number; }

// Elements of a line; the record is everybody's; one element for all; the
// address goes through several.
struct line {
  _Alignas(64) word value;
};
static __thread struct {
  struct line *own;
} wide;
extern struct line *lines;
void take_line(int at) { wide.own = &lines[at]; }
void count_line(void) { wide.own->value++; }
static struct {
  word *current;
} shared;
void take_shared(int at) { shared.current = &backlogs[at]; }
void count_shared(void) { word_dec(shared.current); }
static __thread struct {
  word *first;
} one;
void take_first(void) { one.first = &backlogs[0]; }
void count_first(void) { word_dec(one.first); }
static __thread struct {
  word *each;
} walking;
void count_all(void) {
  for (int i = 0; i < lanes; i++) {
    walking.each = &backlogs[i];
    word_dec(walking.each);
  }
}
