// RUN: %check_tidy %s linesman-global-write %t
#include "threads.h"
// What a variable points to is as much everybody's as the variable.
struct Stats {
  std::atomic<long> packets;
  std::atomic<long> errors;
  Stats *next;
};
static Stats *all_stats;
void set_up(Stats *s) { all_stats = s; }

void receive() {
  all_stats->packets.fetch_add(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'all_stats->packets' is in one object for all threads, and 'receive' updates it
  all_stats->errors.fetch_add(1); // Now and then.
}
long show() { return all_stats->packets.load() + all_stats->errors.load(); }

// Each thread's own; one of many; a local list's.
static thread_local Stats *own_stats;
static Stats *table[64];
void quiet(Stats *given, unsigned hash) {
  own_stats->packets.fetch_add(1);
  table[hash % 64]->packets.fetch_add(1);
  given->packets.fetch_add(1);
}

// Handed out once a thread.
static std::atomic<int> next_number;
static thread_local int own_number = -1;
int number() {
  if (own_number < 0)
    own_number = next_number.fetch_add(1);
  return own_number;
}

// A number that is taken on unless another just has.
static std::atomic<long> stamp;
long read_stamp() {
  long now = stamp.load();
  if (stamp.load() == now)
    stamp.compare_exchange_strong(now, now + 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'stamp' has static storage, and 'read_stamp' updates it
  return now;
}

// What a pointer with static storage leads to is one word for all threads.
unsigned long own_area;
unsigned long *packets_received = &own_area;
void count_packet() {
  __sync_fetch_and_add(packets_received, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: '*packets_received' is in one object for all threads, and 'count_packet' updates it
}
// A thread's own; one of many.
thread_local unsigned long *own_packets;
unsigned long *areas[16];
void count_own(int number) {
  __sync_fetch_and_add(own_packets, 1);
  __sync_fetch_and_add(areas[number], 1);
}
