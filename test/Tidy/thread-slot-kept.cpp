// RUN: %check_tidy %s linesman-thread-slot %t
#include "threads.h"
int get_thread_index();

// An object keeps the address of its thread's element, and writes it from then
// on without a number.
class Adder {
  float *mine;

public:
  explicit Adder(float *all) : mine(all + get_thread_index()) {}
  void add(float x) { *mine += x; }
  // CHECK-MESSAGES: :[[@LINE-1]]:29: warning: 'Adder::mine' is the address of a thread's own element, which 'Adder::add' writes here, but elements are 4 bytes apart and a cache line has 64: neighbouring threads write the same line; keep the value in the object and store it once, or make the element a record with alignas(64)
};

// By way of a constructor that somebody else calls.
template <class T> class Reducer {
  T *current;

public:
  explicit Reducer(T *place) : current{place} {}
  void combine(const T &value) { *current = *current + value; }
  // CHECK-MESSAGES: :[[@LINE-1]]:43: warning: 'Reducer::current' is the address of a thread's own element
};
class Descriptor {
  double *scratch;

public:
  double *get_scratch() const { return scratch; }
};
Reducer<double> make_reducer(const Descriptor &descriptor) {
  int my_thread = get_thread_index();
  auto *place = descriptor.get_scratch() + my_thread;
  return Reducer<double>{place};
}
void run(const Descriptor &descriptor, Adder &adder) {
  Reducer<double> own = make_reducer(descriptor);
  own.combine(2);
  adder.add(1);
}

// A record, and a store.
struct Counts {
  long hits, misses;
};
struct Shared {
  Counts all[64];
};
class Worker {
  Counts *own = nullptr;

public:
  void begin(Shared &shared) { own = &shared.all[get_thread_index()]; }
  void hit() { own->hits++; }
  // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: 'Worker::own' is the address of a thread's own element, which 'Worker::hit' writes here, but elements are 16 bytes apart
};
void work(Worker &w, Shared &shared) {
  w.begin(shared);
  w.hit();
}

// The cure: whole lines.
struct alignas(64) Padded {
  long hits;
};
class Careful {
  Padded *own = nullptr;

public:
  void begin(Padded *all) { own = &all[get_thread_index()]; }
  void hit() { own->hits++; }
};
void take_care(Careful &c, Padded *all) {
  c.begin(all);
  c.hit();
}

// It adds up in itself, and only looks at the element.
class Local {
  float *mine;
  float sum = 0;

public:
  explicit Local(float *all) : mine(all + get_thread_index()) {}
  void add(float x) { sum += x * *mine; }
};
// The sum is stored when it is ready.
class Once {
  float *mine;
  float sum = 0;

public:
  explicit Once(float *all) : mine(all + get_thread_index()) {}
  void add(float x) { sum += x; }
  void leave() { *mine = sum; }
};
// A place to start from.
class Walker {
  float *at;

public:
  explicit Walker(float *all) : at(all + get_thread_index()) {}
  void next(float x) { *at++ = x; }
};
// A part of the array, and another index: no thread's element.
class Part {
  float *row, *first;

public:
  Part(float *all, int n, int kind) : row(all + get_thread_index() * n), first(all + kind) {}
  void set(float x) {
    *row += x;
    *first += x;
  }
};
void use(Local &l, Once &o, Walker &w, Part &p) {
  o.add(1);
  o.leave();
  l.add(1);
  w.next(1);
  p.set(1);
}
