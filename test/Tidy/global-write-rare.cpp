// RUN: %check_tidy %s linesman-global-write %t
#include "threads.h"

#define unlikely(E) __builtin_expect(!!(E), 0)
#define likely(E) __builtin_expect(!!(E), 1)
[[noreturn]] void fail();
bool parse(int);

// ---- The hazards.
std::atomic<long> requests, failures, retries, highest, clock_word;
void handle(int Input) {
  requests.fetch_add(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'requests' has static storage, and 'handle' updates it
  if (likely(parse(Input)))
    retries++;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'retries' has static storage
}

// A loop that installs what it computed is an update, too.
std::atomic<long> generation;
void advance(long By) {
  long Old = generation.load();
  while (!generation.compare_exchange_weak(Old, Old + By))
    ;
  // CHECK-MESSAGES: :[[@LINE-2]]:11: warning: 'generation' has static storage, and 'advance' updates it, in a loop: its cache line moves to the core that runs the call and away from all others; update it less often, and test first whether it has to change
}
// Not the same time as another thread's, ever: the test is none.
extern long fine_clock();
long stamp() {
  long Old = clock_word.load(), Now;
  do {
    Now = fine_clock();
  } while (Old != Now && !clock_word.compare_exchange_weak(Old, Now));
  // CHECK-MESSAGES: :[[@LINE-1]]:27: warning: 'clock_word' has static storage, and 'stamp' updates it, in a loop
  return Now;
}
long stamp_coarsely() {
  static std::atomic<long> Word;
  long Old = Word.load(), Now;
  do {
    Now = fine_clock();
    if (!((Old ^ Now) & ~31))
      return Old;
  } while (!Word.compare_exchange_weak(Old, Now));
  return Now;
}

// One macro, one cause, however many variables it makes.
#define COUNT_HERE()                                                           \
  do {                                                                         \
    static std::atomic<long> Hits;                                             \
    Hits.fetch_add(1);                                                         \
  } while (0)
void first() { COUNT_HERE(); }
// CHECK-MESSAGES: :[[@LINE-1]]:16: warning: 'first::Hits' has static storage
void second() { COUNT_HERE(); }
void third() { COUNT_HERE(); }

// Numbers and times that a function keeps for itself.
int next_number() {
  static int Last;
  return ++Last;
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'next_number::Last' has static storage, and 'next_number' updates it
}
long since_last() {
  static long Last;
  Last = fine_clock();
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'since_last::Last' has static storage, and 'since_last' stores to it
  return 0;
}

// ---- From here on: nothing.
// An option that is about times is none.
static bool &local_time() {
  static bool ShowLocalTime = false;
  return ShowLocalTime;
}
void set_local_time(bool ShowLocalTime) { local_time() = ShowLocalTime; }
bool shows_local_time() { return local_time(); }

// A position, looked at elsewhere in the function; the clock itself.
int take_turns() {
  static unsigned At;
  int Taken = At % 8;
  At++;
  return Taken;
}
std::atomic<long> unixtime;
extern "C" long time(long *);
void keep_clock() { unixtime.store(time(nullptr)); }
void errors(int Input) {
  if (unlikely(!parse(Input)))
    failures++;
  if (!parse(Input)) [[unlikely]]
    failures++;
  if (!parse(Input)) {
    failures++;
    fail();
  }
  (void)(unlikely(Input == 3) ? failures++ : 0);
  (void)(unlikely(Input == 3) && failures++);
  try {
    parse(Input);
  } catch (...) {
    failures++;
  }
  if (likely(parse(Input)))
    return;
  failures++;
}
// Only ever called where it is unlikely.
static void note_failure() { failures++; }
void check(int Input) {
  if (unlikely(!parse(Input)))
    note_failure();
}
[[gnu::cold]] void report_failure() { failures++; }
void handle_signal(int) { failures++; }
void stop_all() { failures++; }
void cell_reconf(int) { failures++; }
void _modInit93() { failures++; }

// Test, then store, in every form.
void note_highest(long Value) {
  if (Value > highest.load())
    highest.store(Value);
  long Old = highest.load();
  while (Old < Value && !highest.compare_exchange_weak(Old, Value))
    ;
}
unsigned bits;
void set_bit(unsigned Bit) {
  if (!(__atomic_load_n(&bits, __ATOMIC_RELAXED) & Bit))
    __atomic_fetch_or(&bits, Bit, __ATOMIC_RELAXED);
}
// A word that is a lock, by its name.
unsigned queue_lock;
void read_lock() { __atomic_fetch_add(&queue_lock, 4, __ATOMIC_ACQUIRE); }
void read_unlock() { __atomic_fetch_sub(&queue_lock, 4, __ATOMIC_RELEASE); }
std::atomic<int> limit;
void set_limit(int Value) { limit.store(Value); }
void raise_bit(unsigned Bit) {
  __atomic_fetch_or(&bits, Bit, __ATOMIC_RELAXED);
}
// What goes wrong goes wrong now and then.
std::atomic<long> bind_errors, lookupsFailed;
struct Totals {
  std::atomic<long> dropped, served;
} totals;
void serve_one(int Input) {
  if (!parse(Input)) {
    bind_errors++;
    lookupsFailed++;
    totals.dropped++;
    return;
  }
  totals.served++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'totals.served' has static storage
}
