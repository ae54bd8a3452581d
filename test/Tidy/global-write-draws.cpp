// Random generators that all threads draw from.
// RUN: %check_tidy %s linesman-global-write %t
#include "random.h"
#include "threads.h"

std::mutex list_mutex; // There are other threads.
std::vector<int> list;
void append(int value) {
  std::lock_guard<std::mutex> held(list_mutex);
  list.push_back(int(value));
}

std::minstd_rand engine;
double draw() {
  std::uniform_real_distribution<double> unit(0, 1);
  return unit(engine);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'engine' is one random generator for all threads, and 'draw' draws from it: each draw changes it, and its cache line moves to the core that draws and away from all others; give each thread a generator of its own [linesman-global-write]
}
// The same cause as above.
unsigned long draw_again() { return engine(); }

static std::minstd_rand shuffler;
void mix(std::vector<int> &values) {
  std::shuffle(values.begin(), values.end(), shuffler);
  // CHECK-MESSAGES: :[[@LINE-1]]:{{.*}}: warning: 'shuffler' is one random generator for all threads, and 'mix' draws from it
}
int roll(std::minstd_rand &source) { return int(source() % 6); }
static std::minstd_rand dice;
int play() {
  return roll(dice);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'dice' is one random generator for all threads, and 'play' draws from it
}
unsigned next_number() {
  static unsigned state = 1;
  state = state * 1103515245u + 12345u;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'next_number::state' is one random generator for all threads, and 'next_number' draws from it
  return state >> 16;
}
unsigned long next_shifted() {
  static unsigned long state = 88172645463325252ul;
  state ^= state << 13;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'next_shifted::state' is one random generator for all threads, and 'next_shifted' draws from it
  state ^= state >> 7;
  return state;
}
// A lock that is there for the draws alone.
std::minstd_rand locked;
std::mutex locked_mutex;
unsigned long draw_locked() {
  std::lock_guard<std::mutex> held(locked_mutex);
  return locked();
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'locked' is one random generator for all threads, and 'draw_locked' takes a lock to draw from it: each draw changes it, and the cache lines of both move to the core that draws and away from all others; give each thread a generator of its own
}
static unsigned short state48[3];
static bool is_seeded;
static std::mutex state_mutex;
long draw48(long most) {
  std::lock_guard<std::mutex> held(state_mutex);
  if (!is_seeded) {
    is_seeded = true;
    state48[0] = 7;
  }
  return nrand48(state48) % most;
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'state48' is one random generator for all threads, and 'draw48' takes a lock to draw from it
}
static unsigned seed;
int draw_r() {
  return rand_r(&seed);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'seed' is one random generator for all threads, and 'draw_r' draws from it
}
void run(int n, std::vector<long> &sums) {
  std::vector<std::thread> threads;
  for (int i = 0; i < n; i++)
    threads.emplace_back([&, i] {
      long sum = 0;
      for (int k = 0; k < 1000; k++)
        sum += std::rand();
      // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: 'rand' has one state for all threads that run this loop, and each call changes it: its cache line, and that of the lock which guards it in some libraries, move to the core that draws and away from all others; give each thread a generator of its own [linesman-global-write]
      sums[i] = sum;
    });
}

// Whose operations are atomic, has several threads.
struct Node {
  std::atomic<Node *> next[16];
  int level;
};
static int random_level() {
  int level = 1;
  while (level < 16 && (random() & 1))
    level++;
  // CHECK-MESSAGES: :[[@LINE-2]]:25: warning: 'random' has one state for all threads that call 'random_level', and each call changes it
  return level;
}
void insert(Node *before, Node *node) {
  node->level = random_level();
  for (int i = 0; i < node->level; i++) {
    Node *after = before->next[i].load();
    while (!before->next[i].compare_exchange_weak(after, node))
      ;
  }
}

std::minstd_rand &generator() {
  static std::minstd_rand one(7);
  return one;
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'generator::one' is one random generator for all threads, and 'generator' gives it out: each draw changes it
}
unsigned draw_given() { return generator()(); }

// The source says that it is unlikely.
bool is_simulating;
bool simulates_failure(std::atomic<int> &calls) {
  calls.fetch_add(is_simulating);
  if (__builtin_expect(is_simulating, 0))
    return lrand48() % 100 == 0;
  return false;
}
// Each has its own.
std::minstd_rand &own_generator() {
  static thread_local std::minstd_rand one(7);
  return one;
}
unsigned draw_own_given() { return own_generator()(); }
// To be looked at, or set up.
const std::minstd_rand &shown() {
  static std::minstd_rand one(7);
  return one;
}
bool is_shown(const std::minstd_rand &other) { return shown() == other; }
std::minstd_rand &unused_generator() {
  static std::minstd_rand one(7);
  return one;
}
void seed_unused(unsigned value) { unused_generator().seed(value); }
thread_local std::minstd_rand own_engine;
double draw_own() {
  std::uniform_real_distribution<double> unit(0, 1);
  return unit(own_engine);
}
unsigned own_number() {
  static thread_local unsigned state = 1;
  state = state * 1103515245u + 12345u;
  return state >> 16;
}
double draw_local(unsigned seed) {
  std::minstd_rand local(seed);
  return std::generate_canonical<double, 10>(local);
}
// One at a time, with something else.
std::minstd_rand guarded;
std::mutex guarded_mutex;
unsigned long last_drawn;
unsigned long draw_next() {
  std::lock_guard<std::mutex> held(guarded_mutex);
  // CHECK-MESSAGES: :[[@LINE-1]]:36: warning: 'guarded_mutex' is one lock for the whole program, and 3 functions take it for a few statements each, here 'draw_next'
  return last_drawn = guarded();
}
static unsigned long draw_held() { return guarded(); }
unsigned long draw_by_caller(std::vector<unsigned long> &to) {
  std::lock_guard<std::mutex> held(guarded_mutex);
  to.push_back(draw_held());
  return 0;
}
void reseed(unsigned value) {
  std::lock_guard<std::mutex> held(guarded_mutex);
  guarded.seed(value);
}
int draw_by_own_seed(unsigned *seed) { return rand_r(seed); }
// Set up, and not drawn from.
std::minstd_rand seeded;
void reseed_all(std::minstd_rand &source, unsigned seed) { source.seed(seed); }
void prepare(unsigned seed) { reseed_all(seeded, seed); }
bool is_same(const std::minstd_rand &one) { return one == seeded; }
// Arithmetic that comes to an end, and a hash of something else.
unsigned backoff = 1;
void wait_longer() { backoff = backoff * 2; }
unsigned digest;
void add_digest(unsigned value) { digest ^= value << 5; }
// A single draw, and one by who starts the threads.
int first() { return std::rand(); }
void fill(std::vector<int> &values) {
  for (int &value : values)
    value = std::rand();
}
[[clang::annotate("linesman:shared-ok")]] std::minstd_rand accepted;
unsigned long draw_accepted() { return accepted(); }
