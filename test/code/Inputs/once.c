// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs once, beside what only looks like it.
#include <pthread.h>
#include <stdlib.h>

#define ALIGNED __attribute__((aligned(64)))
ALIGNED void *lazy;     // set by who finds it empty, and never cleared
ALIGNED long by_lazy;   // written behind that
ALIGNED void *toggled;  // set the same way, and cleared by others
ALIGNED long by_toggle; // so this is written again and again
ALIGNED long by_once;   // written by what pthread_once calls
ALIGNED long at_exit;   // written by what ends the process
ALIGNED int always_five;
ALIGNED long counter;
ALIGNED long target;
long *to_target = &target; // a pointer in initialised data
volatile long sink;
pthread_once_t once = PTHREAD_ONCE_INIT;

static void run_once(void) { by_once = random(); }
__attribute__((noipa)) static void leave(void) {
  at_exit = random();
  exit(1);
}
__attribute__((noipa)) static void begin(void) {
  if (!lazy) {
    lazy = malloc(1);
    by_lazy = random();
  }
}
__attribute__((noipa)) static void toggle(void) {
  if (!toggled) {
    toggled = malloc(1);
    by_toggle = random();
  }
}
__attribute__((noipa)) static void clear(void) { toggled = NULL; }

static void *work(void *unused) {
  for (;;) {
    begin();
    toggle();
    clear();
    pthread_once(&once, run_once);
    always_five = 5;
    ++counter;
    *to_target = random();
    sink = by_lazy + by_toggle + by_once + at_exit + always_five + target;
    if (random() == 7)
      leave();
  }
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i != 4; ++i)
    pthread_create(&threads[i], NULL, work, NULL);
  pthread_join(threads[0], NULL);
  return 0;
}
