// RUN: %check_tidy %s linesman-thread-slot %t
// Objects that start a thread of their own, side by side.
#include "threads.h"

class Worker {
  std::atomic<long> processed;
  std::thread thread;
  bool stopped = false;

  void run() {
    while (!stopped)
      processed.fetch_add(1);
  }

public:
  void start() {
    thread = std::thread([this] { run(); });
  }
};
class Pool {
  std::vector<Worker> workers;
  // CHECK-MESSAGES: :[[@LINE-1]]:23: warning: each element of 'Pool::workers' has a thread of its own that writes it, in 'Worker::run', but elements are {{[0-9]+}} bytes apart and a cache line has 64: neighbouring threads write the same line; give the element type alignas(64) [linesman-thread-slot]
};

// By a method; and in a static array.
class Ticker {
  std::thread thread;
  long ticks = 0;
  bool stopped = false;

public:
  void run() {
    while (!stopped)
      ticks++;
  }
  void start() { thread = std::thread(&Ticker::run, this); }
};
static Ticker tickers[4];
// CHECK-MESSAGES: :[[@LINE-1]]:15: warning: each element of 'tickers' has a thread of its own that writes it, in 'Ticker::run'

// One element; an object whose threads are several, or another one's; whole
// lines; elsewhere; one; a thread that writes its object once; many lines
// long.
static Ticker single[1];
class Crowd {
  std::thread threads[8];
  std::atomic<long> turns;
  bool stopped = false;

public:
  void run() {
    while (!stopped)
      turns++;
  }
  void start() {
    for (auto &thread : threads)
      thread = std::thread(&Crowd::run, this);
  }
};
static Crowd crowds[4];
class Served {
  long turns = 0;
  bool stopped = false;

public:
  void run() {
    while (!stopped)
      turns++;
  }
};
static Served served[4];
void serve(Served &first) { std::thread thread(&Served::run, &first); }
class alignas(64) Wide {
  std::thread thread;
  long ticks = 0;
  bool stopped = false;

public:
  void run() {
    while (!stopped)
      ticks++;
  }
  void start() { thread = std::thread(&Wide::run, this); }
};
static Wide wide[4];
class Heap {
  std::vector<Ticker *> tickers;
  Ticker one;
};
class Once {
  std::thread thread;
  long sum = 0;
  const int *values;

public:
  void run() {
    long own = 0;
    for (int i = 0; i < 1000; ++i)
      own += values[i];
    sum = own;
  }
  void start() { thread = std::thread(&Once::run, this); }
};
static Once once[4];
class Long {
  std::thread thread;
  long ticks = 0;
  bool stopped = false;
  long history[100];

public:
  void run() {
    while (!stopped)
      ticks++;
  }
  void start() { thread = std::thread(&Long::run, this); }
};
static Long longs[4];
