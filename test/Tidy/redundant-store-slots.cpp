// RUN: %check_tidy %s linesman-redundant-store %t
#include "threads.h"

struct Item;
struct Slots {
  unsigned size;
  Item *items[64];
  std::atomic<Item *> cells[64];
  std::atomic<int> locks[64];
};

// A project's own compare-exchange, two functions deep.
static inline bool try_swap(unsigned long *at, unsigned long from, unsigned long to) {
  return __atomic_compare_exchange_n(at, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
static inline bool try_swap_pointer(void *at, Item *from, Item *to) {
  return try_swap((unsigned long *)at, (unsigned long)from, (unsigned long)to);
}

unsigned put(Slots *s, Item *item) {
  unsigned i = 0;
  for (; i < s->size; i++) {
    if (0 == try_swap_pointer(&s->items[i], nullptr, item))
      continue;
    // CHECK-MESSAGES: :[[@LINE-2]]:14: warning: this compare-exchange on 'Slots::items' expects a constant, and nothing loads 'Slots::items' before: it takes the cache line away from all other cores also when it fails; test the value with a load first
    break;
  }
  return i;
}

int put_in_cell(Slots &s, Item *item) {
  for (int i = 0; i != 64; ++i) {
    Item *none = nullptr;
    if (s.cells[i].compare_exchange_strong(none, item))
      return i;
    // CHECK-MESSAGES: :[[@LINE-2]]:9: warning: this compare-exchange on 'Slots::cells' expects a constant
  }
  return -1;
}

// A record for each thread, taken from those that others have given back.
struct Record {
  Record *next;
  std::atomic<int> used;
};
Record *records;
Record *attach() {
  for (Record *r = records; r; r = r->next) {
    int no = 0;
    if (!r->used.compare_exchange_strong(no, 1))
      continue;
    // CHECK-MESSAGES: :[[@LINE-2]]:10: warning: this compare-exchange on 'Record::used' expects a constant
    return r;
  }
  return nullptr;
}
void detach(Record *r) { r->used.store(0); }
Item *take(Slots *s, unsigned i) { return s->cells[i].exchange(nullptr); }
Item *take_item(Slots *s, unsigned i) { return __atomic_exchange_n(&s->items[i], nullptr, __ATOMIC_ACQ_REL); }

// What stands for "nothing" comes from a function.
static inline unsigned long nothing() { return 0; }
static inline unsigned long empty_cell() {
  static const unsigned long Empty = 0;
  return Empty;
}
struct Table {
  unsigned long mask;
  unsigned long *keys;
  std::atomic<unsigned long> *cells;
};
bool insert(Table &t, unsigned long key) {
  for (unsigned long i = 0; i <= t.mask; i++) {
    unsigned long seen = nothing();
    if (__atomic_compare_exchange_n(&t.keys[(key + i) & t.mask], &seen, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return true;
    // CHECK-MESSAGES: :[[@LINE-2]]:9: warning: this compare-exchange on 'Table::keys' expects a constant, and nothing loads 'Table::keys' before
    if (seen == key)
      return false;
  }
  return false;
}
bool insert_cell(Table &t, unsigned long key) {
  for (unsigned long i = 0; i <= t.mask; i++) {
    unsigned long seen = empty_cell();
    if (t.cells[(key + i) & t.mask].compare_exchange_strong(seen, key))
      return true;
    // CHECK-MESSAGES: :[[@LINE-2]]:9: warning: this compare-exchange on 'Table::cells' expects a constant
  }
  return false;
}

// ---- From here on: nothing.

// Its fix, and what a function computes.
bool insert_if_empty(Table &t, unsigned long key) {
  for (unsigned long i = 0; i <= t.mask; i++) {
    unsigned long seen = __atomic_load_n(&t.keys[(key + i) & t.mask], __ATOMIC_ACQUIRE);
    if (seen == nothing() &&
        __atomic_compare_exchange_n(&t.keys[(key + i) & t.mask], &seen, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return true;
  }
  return false;
}
unsigned long last_seen;
static unsigned long newest() { return last_seen; }
static unsigned long counted() {
  unsigned long sum = 0;
  for (int i = 0; i != 3; i++)
    sum += last_seen;
  return sum;
}
bool replace(Table &t, unsigned long at, unsigned long key) {
  unsigned long seen = newest(), other = counted();
  return t.cells[at].compare_exchange_strong(seen, key) ||
         t.cells[at].compare_exchange_strong(other, key);
}

// Its fix.
unsigned put_if_empty(Slots *s, Item *item) {
  unsigned i = 0;
  for (; i < s->size; i++) {
    if (s->items[i] != nullptr || 0 == try_swap_pointer(&s->items[i], nullptr, item))
      continue;
    break;
  }
  return i;
}
int put_in_empty_cell(Slots &s, Item *item) {
  for (int i = 0; i != 64; ++i) {
    Item *none = nullptr;
    if (!s.cells[i].load() && s.cells[i].compare_exchange_strong(none, item))
      return i;
  }
  return -1;
}

// All cells get something: what fails is not passed, but told.
bool fill(Slots &s, Item *item) {
  for (int i = 0; i != 64; ++i) {
    Item *none = nullptr;
    if (!s.cells[i].compare_exchange_strong(none, item))
      return false;
  }
  return true;
}

// One lock after the other: the first is mostly free.
int lock_any(Slots &s) {
  for (int i = 0; i != 64; ++i) {
    int no = 0;
    if (s.locks[i].compare_exchange_strong(no, 1))
      return i;
  }
  return -1;
}
void unlock(Slots &s, int i) { s.locks[i].store(0); }

// The caller's place, tried a few times.
bool put_at(Slots &s, unsigned where, Item *item) {
  Item *none = nullptr;
  return s.cells[where].compare_exchange_strong(none, item);
}
