// RUN: %check_tidy %s linesman-adjacent-writers %t
#include "threads.h"

// Producer and consumer.
struct Ring {
  std::atomic<unsigned long> head;
  std::atomic<unsigned long> tail;
  // CHECK-MESSAGES: :[[@LINE-1]]:30: warning: 'Ring::head' (offset 0) and 'Ring::tail' (offset 8) may be on one cache line and have different writers, 'Ring::pop' and 'Ring::push': each write of one makes the other's next access a miss; keep them a line apart [linesman-adjacent-writers]
  int slots[64];
  bool push(int Value) {
    unsigned long At = tail.load();
    if (At - head.load() == 64)
      return false;
    slots[At % 64] = Value;
    tail.store(At + 1);
    return true;
  }
  bool pop(int &Value) {
    unsigned long At = head.load();
    if (At == tail.load())
      return false;
    Value = slots[At % 64];
    head.store(At + 1);
    return true;
  }
  void clear() {
    head.store(0);
    tail.store(0);
  }
};

// Owner and thief, with volatile words and a record for one of them.
struct Age {
  unsigned long bits;
  unsigned long exchange(unsigned long New) volatile;
};
struct Deque {
  volatile unsigned bottom;
  volatile Age age;
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: 'Deque::bottom' (offset 0) and 'Deque::age' (offset 8) may be on one cache line and have different writers, 'Deque::push' and 'Deque::steal'
  void push() { bottom = bottom + 1; }
  unsigned long steal() {
    if (bottom == 0)
      return 0;
    return age.exchange(1);
  }
};

// Usage and capacity.
struct alignas(64) Budget {
  std::atomic<long> used;
  std::atomic<long> capacity;
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'Budget::used' (offset 0) and 'Budget::capacity' (offset 8) are on one cache line and have different writers, 'Budget::take' and 'Budget::grow'
  bool take(long N) { return used.fetch_add(N) + N <= capacity.load(); }
  void grow(long N) { capacity.fetch_add(N); }
};

// Among the globals of a unit.
std::atomic<long> next_in;
std::atomic<long> next_out;
// CHECK-MESSAGES: :[[@LINE-1]]:19: warning: 'next_in' and 'next_out' are defined one after the other, so that they are on one cache line as a rule, and have different writers, 'put' and 'get': each write of one makes the other's next access a miss; align both to 64
void put() { next_in++; }
bool get() {
  if (next_out.load() == next_in.load())
    return false;
  next_out++;
  return true;
}

// Both sides write both words now and then, and mostly their own: push() the
// tail, pop() the head.
struct Nemesis {
  std::atomic<int *> head;
  std::atomic<int *> tail;
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 'Nemesis::head' (offset 0) and 'Nemesis::tail' (offset 8) are on one cache line and have different writers, 'nemesis_pop' and 'nemesis_push': each write of one makes the other's next access a miss; keep them a line apart
  char pad[48];
  int *shadow;
};
void nemesis_push(Nemesis &Q, int *Item) {
  int *Last = Q.tail.exchange(Item);
  if (Last == nullptr)
    Q.head.store(Item);
}
int *nemesis_pop(Nemesis &Q) {
  if (Q.shadow == nullptr) {
    Q.shadow = Q.head.load();
    Q.head.store(nullptr);
  }
  int *Item = Q.shadow;
  if (Item != nullptr) {
    int *Expected = Item;
    if (*Item == 0)
      Q.tail.compare_exchange_strong(Expected, nullptr);
  }
  return Item;
}

// ---- From here on: nothing.

// The fix.
struct Apart {
  alignas(64) std::atomic<unsigned long> head;
  alignas(64) std::atomic<unsigned long> tail;
  bool push() {
    unsigned long At = tail.load();
    if (At - head.load() == 64)
      return false;
    tail.store(At + 1);
    return true;
  }
  bool pop() {
    unsigned long At = head.load();
    if (At == tail.load())
      return false;
    head.store(At + 1);
    return true;
  }
};

// Statistics have different writers too, and nobody acts on them.
struct Statistics {
  std::atomic<long> hits;
  std::atomic<long> misses;
  void hit() { hits++; }
  void miss() { misses++; }
  long total() const { return hits.load() + misses.load(); }
};

// The same functions write both.
struct Together {
  std::atomic<long> count;
  std::atomic<long> bytes;
  void add(long N) {
    if (count.fetch_add(1) < 100)
      bytes.fetch_add(N);
  }
  void remove(long N) {
    if (count.fetch_sub(1) > 0)
      bytes.fetch_sub(N);
  }
};

// One lock for both ends.
struct Locked {
  std::mutex mutex;
  std::atomic<long> head, tail;
  void push() {
    std::lock_guard<std::mutex> Held(mutex);
    if (tail.load() - head.load() < 64)
      tail++;
  }
  void pop() {
    std::lock_guard<std::mutex> Held(mutex);
    if (tail.load() != head.load())
      head++;
  }
};

// Accepted.
struct [[clang::annotate("linesman:shared-ok")]] Accepted {
  std::atomic<long> used, capacity;
  bool take(long N) { return used.fetch_add(N) + N <= capacity.load(); }
  void grow(long N) { capacity.fetch_add(N); }
};

// Atomics behind functions of one's own, and a single producer that needs none.
static inline int compareExchange(int *Dest, int New, int Old) {
  __atomic_compare_exchange(Dest, &Old, &New, false, __ATOMIC_SEQ_CST,
                            __ATOMIC_SEQ_CST);
  return Old;
}
static inline int loadOf(int *Source) {
  return __atomic_load_n(Source, __ATOMIC_SEQ_CST);
}
struct Consumers {
  int read;
  unsigned write;
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'Consumers::read' (offset 0) and 'Consumers::write' (offset 4) are on one cache line and have different writers, 'Consumers::pop' and 'Consumers::push'
  char no_false_sharing[64];
  int *cells;
  void push(int Item) {
    cells[write] = Item;
    write = write + 1;
  }
  int pop() {
    int At, Seen = loadOf(&read);
    do {
      At = Seen;
    } while ((Seen = compareExchange(&read, At + 1, At)) != At);
    return cells[At];
  }
};
// Fixed; and one whose author did not think of lines: both pick cells of one
// array.
struct ConsumersApart {
  int read;
  char no_false_sharing[64];
  unsigned write;
  int *cells;
  void push(int Item) {
    cells[write] = Item;
    write = write + 1;
  }
  int pop() {
    int At, Seen = loadOf(&read);
    do {
      At = Seen;
    } while ((Seen = compareExchange(&read, At + 1, At)) != At);
    return cells[At];
  }
};
struct ConsumersAnyhow {
  int read;
  unsigned write;
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'ConsumersAnyhow::read' (offset 0) and 'ConsumersAnyhow::write' (offset 4) are on one cache line and have different writers, 'ConsumersAnyhow::pop' and 'ConsumersAnyhow::push'
  int *cells;
  void push(int Item) {
    cells[write] = Item;
    write = write + 1;
  }
  int pop() {
    int At, Seen = loadOf(&read);
    do {
      At = Seen;
    } while ((Seen = compareExchange(&read, At + 1, At)) != At);
    return cells[At];
  }
};

// Who writes both is not named; the one that writes only one is.
struct Pool {
  std::atomic<unsigned> free;
  std::atomic<unsigned> limit;
  // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: 'Pool::free' (offset 0) and 'Pool::limit' (offset 4) may be on one cache line and have different writers, 'Pool::put' and 'Pool::setLimit'
  void clear() {
    free.store(0);
    limit.store(1);
  }
  bool put() { return free.fetch_add(1) < limit.load(); }
  void setLimit(unsigned N) { limit.store(N); }
};

// Written as often by both; without padding, where nobody thought of parties;
// and by one function only.
struct Even {
  std::atomic<int *> head;
  std::atomic<int *> tail;
  char pad[48];
  int *shadow;
};
void even_push(Even &Q, int *Item) {
  if (Q.tail.load() != Item) {
    Q.tail.exchange(Item);
    Q.head.exchange(Item);
  }
}
void even_pop(Even &Q) {
  Q.head.exchange(nullptr);
  Q.tail.exchange(nullptr);
  Q.shadow = Q.head.load();
}
struct Packed {
  std::atomic<int *> head;
  std::atomic<int *> tail;
};
void packed_push(Packed &Q, int *Item) {
  if (Q.tail.exchange(Item) == nullptr)
    Q.head.store(Item);
}
void packed_pop(Packed &Q, int *Item) {
  if (Q.head.exchange(nullptr) == Item)
    Q.tail.store(nullptr);
}
struct OneSided {
  std::atomic<int *> head;
  std::atomic<int *> tail;
  char pad[48];
  int *shadow;
};
int *one_push(OneSided &Q, int *Item) {
  if (Q.tail.exchange(Item) == nullptr)
    Q.head.store(Item);
  return Q.head.load();
}

// The two ends of a deque: the owner pops the last element by both.
struct StealDeque {
  std::atomic<long> top;
  std::atomic<long> bottom;
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'StealDeque::top' (offset 0) and 'StealDeque::bottom' (offset 8) may be on one cache line and have different writers, 'StealDeque::steal' and 'StealDeque::push': each write of one makes the other's next access a miss
  int *cells[64];
  void push(int *Item) {
    long At = bottom.load();
    cells[At % 64] = Item;
    bottom.store(At + 1);
  }
  int *pop() {
    long Last = bottom.load() - 1;
    bottom.store(Last);
    long First = top.load();
    if (First > Last) {
      bottom.store(Last + 1);
      return nullptr;
    }
    int *Item = cells[Last % 64];
    if (First == Last) {
      if (!top.compare_exchange_strong(First, First + 1))
        Item = nullptr;
      bottom.store(Last + 1);
    }
    return Item;
  }
  int *steal() {
    long First = top.load();
    if (First >= bottom.load())
      return nullptr;
    int *Item = cells[First % 64];
    return top.compare_exchange_strong(First, First + 1) ? Item : nullptr;
  }
};
struct ApartStealDeque {
  alignas(64) std::atomic<long> top;
  alignas(64) std::atomic<long> bottom;
  void push() { bottom.store(bottom.load() + 1); }
  bool pop() {
    bottom.store(bottom.load() - 1);
    bottom.store(bottom.load() + 1);
    long First = top.load();
    return First != 0 || top.compare_exchange_strong(First, First + 1);
  }
  bool steal() {
    long First = top.load();
    return First < bottom.load() &&
           top.compare_exchange_strong(First, First + 1);
  }
};
// One side only; no element to compete for; nobody looks at the other.
struct OneEnd {
  std::atomic<long> top;
  std::atomic<long> bottom;
  void push() { bottom.store(bottom.load() + 1); }
  void pop() {
    long First = top.load();
    bottom.store(bottom.load() - 1);
    bottom.store(bottom.load() - 1);
    top.compare_exchange_strong(First, First + 1);
  }
};

// Each that arrives takes the line from all that wait.
struct Barrier {
  int parties;
  std::atomic<int> arrived;
  std::atomic<int> round;
  void wait() {
    int Now = round.load();
    if (arrived.fetch_add(1) + 1 == parties) {
      arrived.store(0);
      round.fetch_add(1);
    } else {
      while (round.load() == Now)
        ;
      // CHECK-MESSAGES: :[[@LINE-2]]:14: warning: 'Barrier::arrived' (offset 4) is updated by each thread that comes to 'Barrier::wait', and 'Barrier::round' (offset 8), which this loop waits for, may be on its cache line: each update takes the line from all that wait; keep them a line apart
    }
  }
};
struct ApartBarrier {
  int parties;
  std::atomic<int> arrived;
  alignas(64) std::atomic<int> round;
  void wait() {
    int Now = round.load();
    if (arrived.fetch_add(1) + 1 == parties)
      round.fetch_add(1);
    else
      while (round.load() == Now)
        ;
  }
};
// The loop works; the wait comes first; the update is in a loop of its own.
struct Working {
  std::atomic<int> taken;
  std::atomic<int> limit;
  void run() {
    taken.fetch_add(1);
    while (limit.load() != 0)
      limit.fetch_sub(1);
  }
  void start() {
    while (limit.load() == 0)
      ;
    taken.fetch_add(1);
    limit.fetch_add(1);
  }
  void prepare(int Count) {
    for (int I = 0; I < Count; ++I)
      taken.fetch_add(1);
    limit.fetch_add(1);
    while (limit.load() == 3)
      ;
  }
};

// Many producers draw a cell's number, and the consumer has a plain position.
struct Inbox {
  int *cells[64];
  std::atomic<unsigned> next;
  unsigned at;
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'Inbox::next' (offset 512) and 'Inbox::at' (offset 516) are on one cache line and have different writers, 'Inbox::put' and 'Inbox::take'
  void put(int *Item) {
    unsigned Mine = next.fetch_add(1);
    cells[Mine % 64] = Item;
  }
  int *take() {
    unsigned Mine = at;
    int *Item = cells[Mine % 64];
    at += 1;
    return Item;
  }
};
// Apart; a number for each caller beside a count, and no array; one function
// for both.
struct InboxApart {
  int *cells[64];
  alignas(64) std::atomic<unsigned> next;
  alignas(64) unsigned at;
  void put(int *Item) {
    unsigned Mine = next.fetch_add(1);
    cells[Mine % 64] = Item;
  }
  int *take() {
    unsigned Mine = at;
    at += 1;
    return cells[Mine % 64];
  }
};
struct Numbers {
  std::atomic<unsigned> next;
  unsigned given_back;
  unsigned draw() { return next.fetch_add(1); }
  void giveBack() { given_back += 1; }
};
// A state and its name.
static const char *const names[4] = {"a", "b", "c", "d"};
struct Named {
  std::atomic<unsigned> version;
  unsigned state;
  unsigned next() { return version.fetch_add(1); }
  const char *set(unsigned New) {
    state = New;
    return names[state];
  }
};
struct Alone {
  int *cells[64];
  std::atomic<unsigned> next;
  unsigned at;
  int *turn(int *Item) {
    cells[next.fetch_add(1) % 64] = Item;
    at += 1;
    return cells[at % 64];
  }
};

// Lists by size, each of which threads take from each other.
struct Item {
  Item *next;
};
struct Lists {
  std::atomic<Item *> heads[32];
  void push(Item *New, unsigned Size) {
    Item *Old = heads[Size].load();
    do {
      New->next = Old;
    } while (!heads[Size].compare_exchange_weak(Old, New));
    // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: 'Lists::push' picks one of the words in 'Lists::heads' and takes it from other threads here, and they are 8 bytes apart: up to 8 share a cache line of 64, so threads that take different words still write one line; a line for each costs 56 bytes a word
  }
};
// A line each; a few; a map of bits; all of them in turn; a maximum.
struct alignas(64) Head {
  std::atomic<Item *> first;
};
struct Quiet {
  Head heads[32];
  std::atomic<Item *> two[2];
  std::atomic<unsigned long> bits[32];
  std::atomic<unsigned long> most[32];
  void push(Item *New, unsigned Size) {
    Item *Old = heads[Size].first.load();
    while (!heads[Size].first.compare_exchange_weak(Old, New))
      New->next = Old;
  }
  void pushFew(Item *New, unsigned Size) {
    Item *Old = two[Size].load();
    while (!two[Size].compare_exchange_weak(Old, New))
      New->next = Old;
  }
  void mark(unsigned Word, unsigned long Mask) {
    unsigned long Old = bits[Word].load();
    while (!bits[Word].compare_exchange_weak(Old, Old | Mask))
      ;
  }
  void clear(Item *New) {
    for (unsigned I = 0; I < 32; ++I) {
      unsigned long Old = bits[I].load();
      while (!bits[I].compare_exchange_weak(Old, 0))
        ;
    }
  }
  void keep(unsigned Kind, unsigned long Seen) {
    unsigned long Old = most[Kind].load();
    while (Old < Seen && !most[Kind].compare_exchange_weak(Old, Seen))
      ;
  }
};
