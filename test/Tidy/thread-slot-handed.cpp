// RUN: %check_tidy %s linesman-thread-slot %t
// A thread's element is handed to what counts in it.
#include "threads.h"
struct Session {
  long requests, bytes;
  char name[8];
};
void handle(Session &own, long size) {
  own.requests++;
  own.bytes += size;
}
long look(const Session &own) { return own.bytes; }

static Session sessions[16];
static std::vector<Session> kept;
static Session looked_at[16];
static Session others[16];
static void serve(int thread, long n) {
  for (long k = 0; k < n; ++k) {
    handle(sessions[thread], k);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'sessions' here, but elements are 24 bytes apart
    handle(kept[thread], k);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'kept' here, but elements are 24 bytes apart
    n -= look(looked_at[thread]);
    // By what comes in, and not by the thread.
    handle(others[k & 15], k);
  }
}
void start(long n) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([i, n] { serve(i, n); });
  for (std::thread &t : threads)
    t.join();
}
