// RUN: %check_tidy %s linesman-global-write %t
#include "threads.h"
// The same with guards, and with a lock that a function without arguments
// takes.
long requests, answers;
std::mutex lock;
int work(int);
int handle(int key) {
  {
    std::lock_guard<std::mutex> guard(lock);
    requests++;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'handle' takes a lock of the whole program for nothing but to count in 'requests'
  }
  return work(key);
}
void lock_stats();
void unlock_stats();
void answer(int key) {
  work(key);
  lock_stats();
  answers++;
  unlock_stats();
}
long both() {
  std::lock_guard<std::mutex> guard(lock);
  return requests + answers;
}
