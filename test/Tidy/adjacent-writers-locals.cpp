// RUN: %check_tidy %s linesman-adjacent-writers %t
#include "threads.h"
#include <pthread.h>
// Two threads that a function starts at locals of its own.

// Captured.
void captured() {
  long odd = 0;
  long even = 0;
  std::thread a([&] {
    for (int i = 0; i < 1000000; ++i)
      odd++;
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: one thread that this file starts writes 'captured::odd' here, in a loop, and another writes 'captured::even' in one; they are small locals of one function, on one cache line as a rule, which each write takes from the other thread; count in a variable of each thread's own and store that once, or align both to 64 [linesman-adjacent-writers]
  });
  std::thread b([&even] {
    for (int i = 0; i < 1000000; ++i)
      even += i;
  });
}

// Atomics, handed over by reference.
void count(std::atomic<int> &n) {
  for (int i = 0; i < 1000000; ++i)
    n++;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: one thread that this file starts writes 'handed::here' here, in a loop, and another writes 'handed::there' in one
}
void handed() {
  std::atomic<int> here, there;
  std::thread a(count, std::ref(here));
  std::thread b(count, std::ref(there));
}

// By an address, through void *.
static void *step(void *argument) {
  long *n = (long *)argument;
  for (int i = 0; i < 1000000; ++i)
    ++*n;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: one thread that this file starts writes 'addressed::x' here, in a loop, and another writes 'addressed::y' in one
  return nullptr;
}
void addressed() {
  long x = 0, y = 0;
  pthread_t a, b;
  pthread_create(&a, nullptr, step, &x);
  pthread_create(&b, nullptr, step, &y);
}

// The fix: each counts for itself and stores once, or has a line.
void stored_once() {
  long odd = 0, even = 0;
  std::thread a([&] {
    long mine = 0;
    for (int i = 0; i < 1000000; ++i)
      mine++;
    odd = mine;
  });
  std::thread b([&] {
    long mine = 0;
    for (int i = 0; i < 1000000; ++i)
      mine++;
    even = mine;
  });
}
void aligned() {
  alignas(64) long odd = 0;
  alignas(64) long even = 0;
  std::thread a([&] {
    for (int i = 0; i < 1000000; ++i)
      odd++;
  });
  std::thread b([&] {
    for (int i = 0; i < 1000000; ++i)
      even++;
  });
}

// One has ended when the other starts.
void in_turn() {
  long odd = 0, even = 0;
  std::thread a([&] {
    for (int i = 0; i < 1000000; ++i)
      odd++;
  });
  a.join();
  std::thread b([&] {
    for (int i = 0; i < 1000000; ++i)
      even++;
  });
}

// Copies; one that both are at; an array between; loops that wait.
void copies() {
  long odd = 0, even = 0;
  std::thread a([odd]() mutable {
    for (int i = 0; i < 1000000; ++i)
      odd++;
  });
  std::thread b([even]() mutable {
    for (int i = 0; i < 1000000; ++i)
      even++;
  });
}
void both() {
  long odd = 0, even = 0;
  std::thread a([&] {
    for (int i = 0; i < 1000000; ++i)
      odd++;
  });
  std::thread b([&] {
    for (int i = 0; i < 1000000; ++i)
      even += odd;
  });
}
void far() {
  long odd = 0;
  char between[256];
  long even = 0;
  std::thread a([&] {
    for (int i = 0; i < 1000000; ++i)
      odd++;
  });
  std::thread b([&] {
    for (int i = 0; i < 1000000; ++i)
      even++;
  });
  between[0] = 0;
}
void wait_for_work();
void slow() {
  long odd = 0, even = 0;
  std::thread a([&] {
    for (;;) {
      wait_for_work();
      odd++;
    }
  });
  std::thread b([&] {
    for (int i = 0; i < 1000000; ++i)
      even++;
  });
}

// Elements and fields of one variable.
void elements() {
  int sums[2] = {0, 0};
  std::thread a([&] {
    for (int i = 0; i < 1000000; ++i)
      sums[0] += i;
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: one thread that this file starts writes 'elements::sums[0]' here, in a loop, and another writes 'elements::sums[1]' in one; they are 4 bytes apart, on one cache line as a rule
  });
  std::thread b([&] {
    for (int i = 0; i < 1000000; ++i)
      sums[1] += i;
  });
}
struct Sides {
  long left = 0;
  long right = 0;
};
void add(long &n) {
  for (int i = 0; i < 1000000; ++i)
    n++;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: one thread that this file starts writes 'fields::sides.left' here, in a loop, and another writes 'fields::sides.right' in one; they are 8 bytes apart
}
void fields() {
  Sides sides;
  std::thread a(add, std::ref(sides.left));
  std::thread b(add, std::ref(sides.right));
}
struct FarSides {
  alignas(64) long left = 0;
  alignas(64) long right = 0;
};
void far_fields() {
  FarSides sides;
  std::thread a(add, std::ref(sides.left));
  std::thread b(add, std::ref(sides.right));
}
void far_elements() {
  int sums[32] = {0};
  std::thread a([&] {
    for (int i = 0; i < 1000000; ++i)
      sums[0] += i;
  });
  std::thread b([&] {
    for (int i = 0; i < 1000000; ++i)
      sums[16] += i;
  });
}
void all_elements() {
  int sums[2] = {0, 0};
  std::thread a([&] {
    for (int i = 0; i < 1000000; ++i)
      sums[0] += i;
  });
  std::thread b([&] {
    for (int i = 0; i < 1000000; ++i)
      sums[1] += sums[i % 2];
  });
}

// ---- Two small records, each of which one thread is handed.
struct Tally {
  long hits;
};
static void tally(Tally *own) {
  for (int i = 0; i < 1000000; ++i)
    own->hits++;
}
long tallies() {
  Tally first = {0}, second = {0};
  std::thread a(tally, &first);
  std::thread b(tally, &second);
  // CHECK-MESSAGES: :[[@LINE-6]]:5: warning: one thread that this file starts writes 'tallies::first.hits' here, in a loop, and another writes 'tallies::second.hits' in one; they are small locals of one function
  a.join();
  b.join();
  return first.hits + second.hits;
}
// Large ones, one with room, one of a line's own.
struct LargeTally {
  long hits, all[8];
};
struct alignas(64) LineTally {
  long hits;
};
static void large_tally(LargeTally *own) {
  for (int i = 0; i < 1000000; ++i)
    own->hits++;
}
static void line_tally(LineTally *own) {
  for (int i = 0; i < 1000000; ++i)
    own->hits++;
}
void far_tallies() {
  LargeTally first = {0}, second = {0};
  std::thread a(large_tally, &first);
  std::thread b(large_tally, &second);
}
void line_tallies() {
  LineTally first = {0}, second = {0};
  std::thread a(line_tally, &first);
  std::thread b(line_tally, &second);
}
void far_apart() {
  Tally first = {0};
  char room[128];
  Tally second = {0};
  std::thread a(tally, &first);
  std::thread b(tally, &second);
  room[0] = 0;
}
