// RUN: %check_tidy %s linesman-thread-slot %t
#include "threads.h"
// What a thread was started with is handed on to who counts for it. The loop
// that numbers the workers makes no counter of their number.
extern "C" int pthread_create(unsigned long *, const void *, void *(*)(void *),
                              void *);
struct Worker {
  unsigned id;
  int fd;
  void step();
};
static Worker workers[16];
static long direct[16], done[16], steps[16], bytes[16];
static long any[16], once[16], apart[16 * 16];

static void finish(Worker *w) { ++done[w->id]; }
// CHECK-MESSAGES: :[[@LINE-1]]:33: warning: each thread writes its own element of 'done' here, but elements are 8 bytes apart
static void add(Worker &w, long n) { bytes[w.id] += n; }
// CHECK-MESSAGES: :[[@LINE-1]]:38: warning: each thread writes its own element of 'bytes' here, but elements are 8 bytes apart
void Worker::step() { ++steps[this->id]; }
// CHECK-MESSAGES: :[[@LINE-1]]:23: warning: each thread writes its own element of 'steps' here, but elements are 8 bytes apart

// Right: two elements on a line never belong to two threads.
static void count(Worker *w) { ++apart[w->id * 16]; }
// Right: any worker may be asked for, and what is outside may pass another one.
static void steal(Worker *w) { ++any[w->id]; }
void retire(Worker *w) { ++once[w->id]; }

static void *run(void *argument) {
  Worker *w = static_cast<Worker *>(argument);
  for (int i = 0; i < 1000; ++i) {
    finish(w);
    add(*w, i);
    w->step();
    count(w);
    steal(&workers[i % 16]);
    steal(w);
    ++direct[w->id];
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'direct' here, but elements are 8 bytes apart
  }
  return nullptr;
}
void start() {
  unsigned long threads[16];
  for (unsigned i = 0; i < 16; ++i) {
    workers[i].id = i;
    pthread_create(&threads[i], nullptr, run, &workers[i]);
  }
}
