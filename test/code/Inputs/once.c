// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs once, beside what only looks like it.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#define ALIGNED __attribute__((aligned(64)))
#ifdef __clang__
#define noipa noinline
#endif
ALIGNED void *lazy;     // set by who finds it empty, and never cleared
ALIGNED long by_lazy;   // written behind that
ALIGNED void *toggled;  // set the same way, and cleared by others
ALIGNED long by_toggle; // so this is written again and again
ALIGNED long by_once;   // written by what pthread_once calls
ALIGNED long at_exit;   // written by what ends the process
ALIGNED long by_signal; // written by a handler of signals
ALIGNED long by_action; // the same, handed over in a record
ALIGNED long by_record; // written by what is kept in another record
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

static void on_signal(int number) { by_signal = random(); }
static void on_action(int number) { by_action = random(); }
static void on_record(int number) { by_record = random(); }
struct record {
  long flags;
  void (*call)(int);
};
struct record *volatile kept;
__attribute__((noipa)) static void keep(struct record *given) { kept = given; }

static void *work(void *unused) {
  for (;;) {
    kept->call(1);
    begin();
    toggle();
    clear();
    pthread_once(&once, run_once);
    always_five = 5;
    ++counter;
    *to_target = random();
    sink = by_lazy + by_toggle + by_once + at_exit + always_five + target +
           by_signal + by_action + by_record;
    if (random() == 7)
      leave();
  }
  return unused;
}

int main(void) {
  struct sigaction action;
  action.sa_handler = on_action;
  action.sa_flags = 0;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  signal(SIGTERM, on_signal);
  struct record local = {1, on_record};
  keep(&local);
  pthread_t threads[4];
  for (int i = 0; i != 4; ++i)
    pthread_create(&threads[i], NULL, work, NULL);
  pthread_join(threads[0], NULL);
  return 0;
}
