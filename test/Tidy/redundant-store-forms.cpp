// RUN: %check_tidy %s linesman-redundant-store %t
#include "threads.h"

void pause();
void serve();
typedef long time_t;
extern "C" time_t time(time_t *);

// ---- A time that changes once a second.
struct Usage {
  std::atomic<long> last_use;
  std::atomic<unsigned> last_second;
  std::atomic<long> last_nanos;
};
thread_local unsigned long now_ns;
inline unsigned to_seconds(unsigned long Nanos) { return Nanos / 1000000000ul; }
void note(Usage *U) {
  U->last_use.store(time(nullptr), std::memory_order_relaxed);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'note' stores a time to 'Usage::last_use' that changes once a second, also when it is already there: each call takes the cache line away from all other cores; test before storing
  unsigned Now = to_seconds(now_ns);
  U->last_second.store(Now);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'note' stores a time to 'Usage::last_second'
}
// Tested; another value each time; no time at all.
void note_once(Usage *U, long Value) {
  if (long Now = time(nullptr); U->last_use.load() != Now)
    U->last_use.store(Now);
  U->last_nanos.store(now_ns);
}
void set_number(Usage *U, unsigned Value) { U->last_second.store(Value); }

// ---- A read-modify-write that changes nothing.
std::atomic<long> sequence;
long look() {
  return sequence.fetch_add(0);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: this read-modify-write leaves 'sequence' as it is, and takes its cache line away from all other cores all the same; use a load, or a fence where the order is wanted
}
unsigned flags;
unsigned look_at_flags() {
  return __atomic_fetch_or(&flags, 0, __ATOMIC_SEQ_CST);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: this read-modify-write leaves 'flags' as it is
}
long count(long By) {
  __atomic_fetch_or(&flags, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_and(&flags, 0, __ATOMIC_SEQ_CST);
  return sequence.fetch_add(By) + sequence.fetch_add(1);
}

// What an increment is given besides is no number that it adds.
long my_atomic_fetch_inc(long *word, int order);
long my_atomic_fetch_add32(long *word, long by);
long tickets;
long take_ticket() {
  return my_atomic_fetch_inc(&tickets, 0);
}
long look_at_tickets() {
  return my_atomic_fetch_add32(&tickets, 0);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: this read-modify-write leaves 'tickets' as it is
}

// ---- A request that is there now and then.
struct Device {
  std::atomic<int> announce;
  std::atomic<int> state;
  std::atomic<int> started;
  std::atomic<int> in_use;
};
void poll(Device &D) {
  int Wanted = 1;
  if (D.announce.compare_exchange_strong(Wanted, 0))
    serve();
  // CHECK-MESSAGES: :[[@LINE-2]]:7: warning: this compare-exchange on 'Device::announce' expects a constant, and nothing loads 'Device::announce' before
  int Expected = 3;
  if (__builtin_expect(D.state.compare_exchange_strong(Expected, 4), 0))
    serve();
  // CHECK-MESSAGES: :[[@LINE-2]]:24: warning: this compare-exchange on 'Device::state' expects a constant
}
// Nothing ever puts 0 back: it fails in every call but one.
void start(Device &D) {
  int Expected = 0;
  if (D.started.compare_exchange_strong(Expected, 1))
    serve();
  // CHECK-MESSAGES: :[[@LINE-2]]:7: warning: this compare-exchange on 'Device::started' expects a constant
}
// Loaded first; from one state to the next; taken and given back; a lock.
void poll_looking(Device &D) {
  int Wanted = 1;
  if (D.announce.load() && D.announce.compare_exchange_strong(Wanted, 0))
    serve();
}
void advance_state(Device &D) {
  int Expected = 1;
  if (D.state.compare_exchange_strong(Expected, 2))
    serve();
}
void use(Device &D) {
  int Free = 0;
  if (!D.in_use.compare_exchange_strong(Free, 1))
    return;
  serve();
  D.in_use.store(0);
}
struct Spin {
  std::atomic<int> word;
  bool try_lock() {
    int Free = 0;
    return word.compare_exchange_strong(Free, 1);
  }
};

// ---- A spin whose exchange is one call away.
struct Latch {
  std::atomic<int> word;
  bool try_lock() { return !word.exchange(1, std::memory_order_acquire); }
  bool try_softly() { return !word.load() && !word.exchange(1); }
  bool is_taken() const { return word.load(std::memory_order_relaxed); }
  void lock() {
    while (!try_lock())
      pause();
    // CHECK-MESSAGES: :[[@LINE-2]]:13: warning: this loop writes 'Latch::word', in 'Latch::try_lock', on every turn while it waits
  }
  void lock_softly() {
    while (!try_lock())
      while (is_taken())
        pause();
    while (!try_softly())
      pause();
  }
  // Goes on for as long as it gets it.
  void use_while_free() {
    while (try_lock())
      pause();
  }
};
void wait_for(Latch &L) { L.lock(); }
bool work();
std::atomic<int> owner_word;
// The exchange succeeds to go on: nobody waits.
void take_turns() {
  while (!owner_word.exchange(1)) {
    work();
    owner_word.store(0);
  }
}

// ---- A hint that is stored back as it was read.
struct Entry {
  std::atomic<int> state;
  unsigned hint;
  Entry **index;
};
unsigned find(Entry *E, Entry *Asked, unsigned Count) {
  unsigned I;
  for (I = E->hint; I < Count; ++I)
    if (E->index[I] == Asked) {
      E->hint = I;
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'find' starts from 'Entry::hint' and stores back where it stopped, also when that is where it started
      return I;
    }
  for (I = 0; I < Count; ++I)
    if (E->index[I] == Asked) {
      E->hint = I;
      return I;
    }
  return Count;
}
unsigned find_testing(Entry *E, Entry *Asked, unsigned Count) {
  unsigned I = E->hint;
  if (E->index[I] == Asked)
    return I;
  while (++I < Count)
    if (E->index[I] == Asked)
      return E->hint = I;
  return Count;
}
// One thread's cursor: nothing says that there are others.
struct Reader {
  unsigned at;
  const char *text;
};
char next(Reader *R, unsigned Count) {
  for (unsigned I = R->at; I < Count; ++I)
    if (R->text[I] != ' ') {
      R->at = I;
      return R->text[I];
    }
  return 0;
}

// ---- A flag that stays set.
struct Tree {
  std::atomic<long> size;
  int modified;
  int rebuilt;
};
void insert(Tree *T) {
  T->modified = 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'insert' sets 'Tree::modified' in every call, though it mostly is set
  T->size.fetch_add(1);
}
void insert_testing(Tree *T) {
  if (!T->modified)
    T->modified = 1;
}
void written(Tree *T) { T->modified = 0; }
Tree *make() {
  Tree *New = new Tree;
  New->modified = 1;
  return New;
}
struct Local {
  int modified;
};
void change(Local *L) { L->modified = 1; }

// ---- Behind a branch that the source calls rare.
void warn(Device &D, bool Bad) {
  if (__builtin_expect(Bad, false)) {
    int Wanted = 1;
    if (D.announce.compare_exchange_strong(Wanted, 0))
      serve();
  }
}

// A flag for an amount that is past its limit, stored by each call as long as
// it is.
struct Context {
  std::atomic<long> used;
  std::atomic<long> high;
  std::atomic<long> low;
  std::atomic<bool> full;
};
void take(Context &C, long Size) {
  long Now = C.used.fetch_add(Size) + Size;
  long High = C.high.load();
  if (High != 0 && Now > High)
    C.full.store(true);
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'take' stores the same constant to 'Context::full' in every call, as long as the amount that it compares is past its limit: the cache line moves to this core for nothing; test before storing
}
void give(Context &C, long Size) {
  long Now = C.used.fetch_sub(Size) - Size;
  if (Now < C.low.load())
    C.full = false;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'give' stores the same constant to 'Context::full' in every call
}

// Tested first; an event, which ends the call; never put back; a number that is
// compared with a constant.
struct Calm {
  std::atomic<long> used;
  std::atomic<long> high;
  std::atomic<bool> full;
  std::atomic<bool> failed;
  std::atomic<bool> over;
  std::atomic<bool> some;
};
void calm_take(Calm &C, long Size) {
  long Now = C.used.load() + Size;
  if (Now > C.high.load() && !C.full.load())
    C.full.store(true);
  if (Now > C.high.load())
    C.over.store(true);
  if (Now > 0)
    C.some.store(true);
  if (Now > C.high.load() + Size) {
    C.failed.store(true);
    return;
  }
}
void calm_give(Calm &C, long Size) {
  long Now = C.used.load() - Size;
  if (Now < C.high.load() && C.full.load())
    C.full.store(false);
  if (Now < 1)
    C.some.store(false);
  if (Now < Size && C.failed.load())
    C.failed.store(false);
}

// The loop waits with its own function, which looks first.
struct Patient {
  std::atomic<bool> flag;
  bool try_lock() { return !flag.load() && !flag.exchange(true); }
  void lock() {
    for (;;) {
      if (!flag.exchange(true))
        return;
      for (int I = 0; I < 100; ++I)
        if (try_lock())
          return;
    }
  }
};

// ---- The same constant on every turn.
struct Runner {
  std::atomic<bool> stop, alive, busy, idle, woken, unread;
  void run() {
    while (!stop.load()) {
      alive.store(true);
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: this loop stores the same constant to 'Runner::alive' on every turn: the cache line moves to this core for nothing, and away from those who read it; store it once in front of the loop, or test before storing
      serve();
    }
  }
  void run_tested() {
    while (!stop.load()) {
      if (!alive.load())
        alive.store(true);
      serve();
    }
  }
  // Two values in turns, one thing that happens, and a loop that has time.
  void run_in_turns() {
    while (!stop.load()) {
      busy.store(true);
      serve();
      busy.store(false);
    }
  }
  bool find(int *Cells, int Count) {
    for (int I = 0; I < Count; ++I)
      if (Cells[I] == 0) {
        idle.store(true);
        break;
      }
    for (;;) {
      idle.store(true);
      break;
    }
    return true;
  }
  void run_slowly(void (&wait_for_work)()) {
    while (!stop.load()) {
      woken.store(true);
      sleep_a_while();
    }
  }
  static void sleep_a_while();
  void run_unread() {
    while (!stop.load()) {
      unread.store(true);
      serve();
    }
  }
  bool look() const {
    return alive.load() && busy.load() && idle.load() && woken.load();
  }
};
struct Job {
  std::atomic<bool> done;
  Job *next;
};
void finish(Job *All) {
  for (Job *Each = All; Each; Each = Each->next)
    Each->done.store(true);
}
bool is_done(const Job &Each) { return Each.done.load(); }

// ---- A tile that is used now and then thrown out: "used" is set already.
struct Tile {
  std::atomic<int> m_used;
  int texels[16];
  void use() { m_used = 1; }
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: 'Tile::use' sets 'Tile::m_used' in every call, though it mostly is set
  void use_tested() {
    if (!m_used)
      m_used = 1;
  }
  bool release() { return m_used.exchange(0) == 1; }
};
struct Slots {
  std::atomic<int> count;
  bool used;
  void take() { used = true; }
};

// ---- A flag that each operation sets and another function puts back.
struct Heap {
  std::atomic<long> effective;
  long freed = 0;
  void release(int *P) {
    if (!P)
      return;
    effective.store(1, std::memory_order_release);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: every call of 'Heap::release' stores the same constant to 'Heap::effective', also when it is already there: the cache line moves to this core for nothing; test before storing
    freed += *P;
  }
  void compact() {
    if (!effective.load())
      return;
    effective = freed > 256;
  }
};
// Tested first; an event that wakes its reader; a setter; an end that is
// waited for; only on one of two ways.
void wake_up(Heap *);
struct QuietHeap {
  std::atomic<long> effective, event, wanted, done, rare;
  long freed = 0;
  void release(int *P) {
    if (!P)
      return;
    if (effective.load() == 0)
      effective.store(1);
    freed += *P;
  }
  void tell(Heap *H, int *P) {
    freed += *P;
    event.store(1);
    wake_up(H);
  }
  void want() { wanted.store(1); }
  void finish(int *P) {
    freed += *P;
    done.store(1);
    freed++;
  }
  void perhaps(int *P) {
    freed += *P;
    if (*P > 3)
      rare.store(1);
    freed++;
  }
  void compact() {
    if (!effective.load() || !event.load() || !wanted.load() || !rare.load())
      return;
    effective = event = wanted = rare = freed > 256;
  }
  void wait() {
    while (!done.load())
      pause();
    done.store(0);
  }
};

// Raised around the work of a branch, which ends it.
struct Collector {
  std::atomic<long> used;
  std::atomic<long> high;
  std::atomic<bool> busy;
  int work();
};
void maybe_collect(Collector &C) {
  if (C.used.load() > C.high.load()) {
    C.busy.store(true);
    C.work();
    C.busy.store(false);
  }
}
bool is_busy(Collector &C) { return C.busy.load(); }
