// RUN: %check_tidy %s linesman-adjacent-writers %t
#include <pthread.h>
// Two threads are started with one object, and each writes a field of its own.

struct counts {
  long odd;
  long even;
};
static struct counts all;

static void *count_odd(void *argument) {
  struct counts *c = argument;
  for (int i = 0; i < 100000000; i++)
    c->odd++;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: one thread that this file starts writes 'all.odd' here, in a loop, and another writes 'all.even' in one; they are 8 bytes apart
  return 0;
}
static void *count_even(void *argument) {
  struct counts *c = argument;
  for (int i = 0; i < 100000000; i++)
    c->even++;
  return 0;
}
void start(void) {
  pthread_t a, b;
  pthread_create(&a, 0, count_odd, &all);
  pthread_create(&b, 0, count_even, &all);
}

// The fix.
struct apart {
  long odd;
  _Alignas(64) long even;
};
static struct apart lines;
static void *apart_odd(void *argument) {
  struct apart *c = argument;
  for (int i = 0; i < 100000000; i++)
    c->odd++;
  return 0;
}
static void *apart_even(void *argument) {
  struct apart *c = argument;
  for (int i = 0; i < 100000000; i++)
    c->even++;
  return 0;
}
void start_apart(void) {
  pthread_t a, b;
  pthread_create(&a, 0, apart_odd, &lines);
  pthread_create(&b, 0, apart_even, &lines);
}

// One hands the object on, looks at the other's field, or has ended before.
struct state {
  long done;
  long wanted;
};
static struct state first, second, third;
void show(const struct state *);
static void *work(void *argument) {
  struct state *s = argument;
  for (int i = 0; i < 100000000; i++)
    s->done++;
  return 0;
}
static void *ask(void *argument) {
  struct state *s = argument;
  for (int i = 0; i < 100000000; i++)
    s->wanted++;
  show(s);
  return 0;
}
static void *follow(void *argument) {
  struct state *s = argument;
  for (int i = 0; i < 100000000; i++)
    s->wanted += s->done;
  return 0;
}
static void *want(void *argument) {
  struct state *s = argument;
  for (int i = 0; i < 100000000; i++)
    s->wanted++;
  return 0;
}
void start_others(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, &first);
  pthread_create(&b, 0, ask, &first);
}
void start_followers(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, &second);
  pthread_create(&b, 0, follow, &second);
}
void start_in_turn(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, &third);
  pthread_join(a, 0);
  pthread_create(&b, 0, want, &third);
}
