// RUN: %check_tidy %s linesman-global-write %t
// Every so many calls: the count is written by each.
#include "threads.h"
void log_line();
long now_ns();
std::atomic<int> users;
int user_count() { return users.load(); }

static unsigned calls;
void handle() {
  if (++calls % 1000 == 0)
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'calls' has static storage, and 'handle' updates it
    log_line();
}
static unsigned packets;
void receive() {
  // A power of two is as good.
  if ((packets++ & 255) == 0)
    // CHECK-MESSAGES: :[[@LINE-1]]:8: warning: 'packets' has static storage, and 'receive' updates it
    log_line();
}
static long last_call;
void serve() {
  last_call = now_ns();
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'last_call' has static storage, and 'serve' stores to it
}
long idle() { return now_ns() - last_call; }

// ---- From here on: nothing.

// A position; the clock of the program; a number that others look at.
static unsigned position, seen;
int next() { return ++position; }
static long current_time;
void tick() { current_time = now_ns(); }
long clock_of_all() { return current_time; }
void count() {
  if (++seen % 10 == 0)
    log_line();
}
unsigned how_many() { return seen; }
