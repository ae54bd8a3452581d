// RUN: %check_tidy %s linesman-adjacent-writers %t
#include "threads.h"
#include <pthread.h>

// Two threads, each at a word of its own.
struct Counts {
  std::atomic<long> sent;
  std::atomic<long> received;
};
long count() {
  Counts counts;
  std::thread sender([&] {
    for (int i = 0; i < 1000000; ++i)
      counts.sent++;
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: one thread that this file starts writes 'Counts::sent' (offset 0) here, in a loop, and another writes 'Counts::received' (offset 8) in one; they may be on one cache line, which each write takes from the other thread; keep them a line apart [linesman-adjacent-writers]
  });
  std::thread receiver([&] {
    for (int i = 0; i < 1000000; ++i)
      counts.received++;
  });
  return counts.sent + counts.received;
}

// Plain words, of which one is only read, by functions.
struct Pair {
  int x;
  int y;
};
static Pair pair;
static void *sum(void *) {
  long all = 0;
  for (int i = 0; i < 1000000; ++i)
    all += pair.x;
  return (void *)all;
}
static void *step(void *) {
  for (int i = 0; i < 1000000; ++i)
    ++pair.y;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: one thread that this file starts writes 'Pair::y' (offset 4) here, in a loop, and another reads 'Pair::x' (offset 0) in one
  return nullptr;
}
void run() {
  pthread_t a, b;
  pthread_create(&a, nullptr, sum, nullptr);
  pthread_create(&b, nullptr, step, nullptr);
}

// Methods, and what they call in a loop.
class Server {
  long accepted = 0;
  long flushed = 0;
  std::thread acceptor, flusher;
  void accept_one() { accepted++; }
  // CHECK-MESSAGES: :[[@LINE-1]]:23: warning: one thread that this file starts writes 'Server::accepted' (offset 0) here, in a loop, and another writes 'Server::flushed' (offset 8) in one
  void acceptAll() {
    for (;;)
      accept_one();
  }
  void flushAll() {
    for (;;)
      flushed++;
  }

public:
  Server() : acceptor(&Server::acceptAll, this), flusher([this] { flushAll(); }) {}
};

// The fix.
struct Far {
  alignas(64) std::atomic<long> sent;
  alignas(64) std::atomic<long> received;
};
long count_far() {
  Far counts;
  std::thread sender([&] {
    for (int i = 0; i < 1000000; ++i)
      counts.sent++;
  });
  std::thread receiver([&] {
    for (int i = 0; i < 1000000; ++i)
      counts.received++;
  });
  return counts.sent + counts.received;
}

// Two large objects; one thread; a loop that waits; a loop that is at both.
struct Two {
  long x;
  long y;
  long room[8];
};
void two_objects() {
  Two a, b;
  std::thread first([&] {
    for (int i = 0; i < 1000000; ++i)
      a.x++;
  });
  std::thread second([&] {
    for (int i = 0; i < 1000000; ++i)
      b.y++;
  });
}
struct Alone {
  long x;
  long y;
};
void one_thread() {
  Alone a;
  std::thread first([&] {
    for (int i = 0; i < 1000000; ++i)
      a.x++;
  });
  for (int i = 0; i < 1000000; ++i)
    a.y++;
}
void wait_for_work();
struct Slow {
  long x;
  long y;
};
void waits() {
  Slow a;
  std::thread first([&] {
    for (;;) {
      wait_for_work();
      a.x++;
    }
  });
  std::thread second([&] {
    for (;;)
      a.y++;
  });
}
struct Shared {
  long x;
  long y;
};
void both() {
  Shared a;
  std::thread first([&] {
    for (;;)
      a.x++;
  });
  std::thread second([&] {
    for (;;)
      a.y += a.x;
  });
}

// Variables, one after the other; and apart.
static long produced, consumed;
void produce() {
  for (;;)
    produced++;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: one thread that this file starts writes 'produced' here, in a loop, and another writes 'consumed' in one; they are defined one after the other, so that they are on one cache line as a rule, which each write takes from the other thread; align both to 64
}
void consume() {
  for (;;)
    consumed++;
}
static long ended;
alignas(64) static long far_produced;
alignas(64) static long far_consumed;
void produce_far() {
  for (;;)
    far_produced++;
}
void consume_far() {
  for (;;)
    far_consumed++;
}
void start() {
  std::thread a(produce), b(consume), c(produce_far), d(consume_far);
  ended++;
}
