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

// Who starts the threads writes down whose element is whose.
struct Connection {
  int id;
  Counts *counts;
  long *bytes;
  Padded *apart;
  Counts *shown;
};
long serve(Connection *c) {
  for (int i = 0; i < 1000; i++)
    c->counts->hits++;
  // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: 'Connection::counts' is the address of a thread's own element, which 'serve' writes here, but elements are 16 bytes apart
  *c->bytes += 3;
  // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'Connection::bytes' is the address of a thread's own element
  c->apart->hits++;
  return c->shown->hits;
}
void start(int n, Connection *all, Counts *counts, long *bytes, Padded *apart) {
  std::vector<std::thread> threads;
  for (int i = 0; i < n; i++) {
    Connection *own = &all[i];
    own->counts = &counts[i];
    all[i].bytes = bytes + i;
    all[i].apart = &apart[i];
    all[i].shown = &counts[i];
    threads.emplace_back(serve, own);
  }
}

// Each thread has a pointer of its own to its element.
static Counts all_counts[64];
static std::atomic<int> next_count;
static thread_local Counts *my_counts;
void attach() { my_counts = &all_counts[next_count.fetch_add(1)]; }
void miss() { my_counts->misses++; }
// CHECK-MESSAGES: :[[@LINE-1]]:32: warning: 'my_counts' is the address of a thread's own element, which 'miss' writes here, but elements are 16 bytes apart and a cache line has 64: neighbouring threads write the same line; keep the value in a local or thread_local variable and store it once, or give the element type alignas(64)
static long sums[64];
thread_local long *my_sum = sums + next_count.fetch_add(1);
void add(long x) { *my_sum += x; }
// CHECK-MESSAGES: :[[@LINE-1]]:28: warning: 'my_sum' is the address of a thread's own element

// ---- From here on: nothing.

static Padded all_padded[64];
static thread_local Padded *my_padded;
void attach_padded(int slot) { my_padded = &all_padded[slot]; }
void count_padded() { my_padded->hits++; }
// The one that a thread works at, of many; and one for all.
static thread_local Counts *current;
void work_at_all() {
  for (int i = 0; i < 64; i++) {
    current = &all_counts[i];
    current->hits++;
  }
}
static thread_local Counts *common;
void attach_common() { common = &all_counts[0]; }
void count_common() { common->hits++; }
// No thread of its own for each.
struct Job {
  Counts *counts;
};
void run_job(Job *job) { job->counts->hits++; }
void number(int n, Job *jobs, Counts *counts) {
  for (int i = 0; i < n; i++)
    jobs[i].counts = &counts[i];
  for (int i = 0; i < n; i++)
    run_job(&jobs[i]);
}
// Threads, and a list that has nothing to do with them.
struct Row {
  Counts *counts;
};
void fill(Row *row) { row->counts->hits++; }
void start_beside(int n, Connection *all, Row *rows, Counts *counts) {
  std::vector<std::thread> threads;
  for (int i = 0; i < n; i++) {
    rows[i].counts = &counts[i];
    threads.emplace_back(serve, &all[i]);
  }
}
// One for all threads.
struct Client {
  Counts *counts;
};
void ask(Client *client) { client->counts->hits++; }
void start_clients(int n, Client *all, Counts *counts, int kind) {
  std::vector<std::thread> threads;
  for (int i = 0; i < n; i++) {
    all[i].counts = &counts[kind];
    threads.emplace_back(ask, &all[i]);
  }
}
