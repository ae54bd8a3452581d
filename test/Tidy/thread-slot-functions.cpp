// RUN: %check_tidy %s linesman-thread-slot %t
#include "threads.h"
// A function without arguments that is named after the thread's number, whose
// body is elsewhere.
int get_thread_id();
struct Number {
  int value;
};
Number current_thread();
struct Slot {
  long served;
};

static Slot slots[16];
void serve() {
  slots[get_thread_id()].served++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'slots' here, but elements are 8 bytes apart
}

struct Counter {
  Slot parts[16];
  void add(long n) {
    Slot &own = parts[current_thread().value];
    own.served += n;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'Counter::parts' here, but elements are 8 bytes apart
  }
};

// The fix.
struct alignas(64) Far {
  long served;
};
static Far far[16];
void serve_far() { far[get_thread_id()].served++; }

// How many there are, what an object says of itself, and what is asked for
// another thread.
int num_threads();
static Slot last[16];
void serve_last() { last[num_threads()].served++; }
struct Job {
  int thread_id() const;
};
static Slot jobs[16];
void serve_job(const Job &job) { jobs[job.thread_id()].served++; }
int thread_of(int connection);
static Slot connections[16];
void serve_connection(int connection) {
  connections[thread_of(connection)].served++;
}
