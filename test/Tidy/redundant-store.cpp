// RUN: %check_tidy %s linesman-redundant-store %t
// RUN: %check_tidy -check-suffixes=,PLAIN -config="{CheckOptions: {linesman-redundant-store.PlainStores: true}}" %s linesman-redundant-store %t
#include "threads.h"

std::atomic<bool> locked;
std::atomic_flag flag;
void pause();

struct SpinLock {
  std::atomic<int> word;
  void lock() {
    while (word.exchange(1, std::memory_order_acquire))
      pause();
    // CHECK-MESSAGES: :[[@LINE-2]]:12: warning: this loop writes 'SpinLock::word' on every turn while it waits: each waiting core takes the cache line away from the others and from the one that will release it; wait with a load, and write only when it looks free [linesman-redundant-store]
  }
  void unlock() { word.store(0, std::memory_order_release); }
};

void spin() {
  while (flag.test_and_set())
    ;
  // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'flag' on every turn while it waits
  for (;;) {
    if (!locked.exchange(true))
      break;
    // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'locked' on every turn while it waits
    pause();
  }
}

std::atomic<bool> begun;
void claim() {
  bool Expected = false;
  if (begun.compare_exchange_strong(Expected, true))
    pause();
  // CHECK-MESSAGES: :[[@LINE-2]]:7: warning: this compare-exchange on 'begun' expects a constant, and nothing loads 'begun' before: it takes the cache line away from all other cores also when it fails; test the value with a load first
}
void claim_in_loop(std::atomic<int> &Word) {
  int Expected = 0;
  while (!Word.compare_exchange_weak(Expected, 1))
    Expected = 0;
  // CHECK-MESSAGES: :[[@LINE-2]]:11: warning: this compare-exchange on 'Word' expects a constant
}

template <typename T> struct Guard {
  T Word;
  void lock() {
    while (Word.exchange(1))
      ;
    // CHECK-MESSAGES: :[[@LINE-2]]:12: warning: this loop writes 'Guard::Word' on every turn
  }
};
void instantiate(Guard<std::atomic<int>> &A, Guard<std::atomic<long>> &B) {
  A.lock();
  B.lock();
}

std::atomic<bool> dirty;
static bool seen;
void mark() {
  dirty.store(true);
  // CHECK-MESSAGES-PLAIN: :[[@LINE-1]]:3: warning: every call of 'mark' stores the same constant to 'dirty', also when it is already there: the cache line moves to this core for nothing; test before storing
  seen = true;
  // CHECK-MESSAGES-PLAIN: :[[@LINE-1]]:3: warning: every call of 'mark' stores the same constant to 'seen'
}

// One lock, by whatever name it goes.
SpinLock &the_lock() {
  static SpinLock Lock;
  return Lock;
}
struct Slots {
  SpinLock &operator[](int) const;
  SpinLock *operator->() const;
};
void spin_on_one(SpinLock *Lock, Slots &All, std::atomic<int> *Word, int I) {
  while (Lock[I].word.exchange(1))
    pause();
  // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'SpinLock::word' on every turn
  for (int Turns = 0; All[I].word.exchange(1); ++Turns)
    pause();
  // CHECK-MESSAGES: :[[@LINE-2]]:23: warning: this loop writes 'SpinLock::word' on every turn
  while (All->word.exchange(1))
    pause();
  // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'SpinLock::word' on every turn
  static std::vector<std::atomic<int>> Words(8);
  while (Words[I].exchange(1))
    pause();
  // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'spin_on_one::Words' on every turn
  while (Word->exchange(1))
    pause();
  // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'Word' on every turn
  while (the_lock().word.exchange(1))
    pause();
  // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'SpinLock::word' on every turn
  while (true) {
    SpinLock &Mine = Lock[I];
    if (!Mine.word.exchange(1))
      return;
    // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this loop writes 'SpinLock::word' on every turn
  }
}

// ---- From here on: nothing.

// Another object on each turn.
SpinLock ring[8];
SpinLock *next_lock();
int next_number();
void advance(int *Position);
void advance_by_reference(SpinLock *&Position);
struct Position {
  SpinLock *Current;
  SpinLock &take();
};
void try_all(SpinLock *P, Position &At) {
  unsigned I = 0;
  int K = 0;
  while (ring[I++ & 7].word.exchange(1))
    ;
  while (ring[next_number()].word.exchange(1))
    ;
  while (next_lock()->word.exchange(1))
    ;
  while (At.take().word.exchange(1))
    ;
  while ((*P++).word.exchange(1))
    ;
  while (P->word.exchange(1))
    P = next_lock();
  while (P->word.exchange(1))
    advance_by_reference(P);
  while (At.Current->word.exchange(1))
    ++At.Current;
  while (ring[K].word.exchange(1))
    advance(&K);
  for (int J = 0; ring[J].word.exchange(1); J = (J + 1) & 7)
    ;
  for (SpinLock &Each : ring)
    if (!Each.word.exchange(1))
      break;
  while (true) {
    SpinLock *Mine = next_lock();
    if (!Mine->word.exchange(1))
      break;
  }
}

// A load first, around, or between.
void spin_with_load() {
  while (locked.load() || locked.exchange(true))
    ;
  while (locked.exchange(true))
    while (locked.load(std::memory_order_relaxed))
      pause();
  for (;;) {
    if (!locked.load() && !locked.exchange(true))
      return;
  }
}
void claim_with_load() {
  bool Expected = false;
  if (!begun.load() && begun.compare_exchange_strong(Expected, true))
    pause();
}
// Who takes a free lock has to write.
bool take() {
  bool Expected = false;
  return locked.compare_exchange_strong(Expected, true);
}
// The value that was seen is the expectation.
void add(std::atomic<int> &Word) {
  int Old = Word.load();
  while (!Word.compare_exchange_weak(Old, Old + 1))
    ;
}
// Taking a queue's elements is not waiting.
struct Node {};
std::atomic<Node *> queue;
void drain() {
  while (Node *N = queue.exchange(nullptr))
    pause();
}
// An exchange that is no loop's condition, or whose value nobody looks at.
bool swap_once() { return locked.exchange(true); }
void swap_all() {
  for (int I = 0; I < 3; ++I)
    locked.exchange(true);
}
// Tested, conditional, not constant, and released.
void mark_once(bool Full, int N) {
  if (!dirty.load())
    dirty.store(true);
  if (Full)
    seen = true;
  static int last;
  last = N;
}
void own() {
  std::atomic<bool> Mine;
  bool Expected = false;
  Mine.compare_exchange_strong(Expected, true);
}
void init_once() {
  bool Expected = false;
  locked.compare_exchange_strong(Expected, true);
}
[[clang::annotate("linesman:shared-ok")]] std::atomic<bool> accepted;
void accept() {
  while (accepted.exchange(true))
    ;
}
void silence() {
  while (locked.exchange(true)) // NOLINT(linesman-redundant-store)
    ;
}
