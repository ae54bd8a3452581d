// RUN: %check_tidy %s linesman-adjacent-writers %t
//
// Atomic operations through a project's own functions, with the order in their
// names or by reference, and functions that only load what they are handed.

typedef unsigned long uint64;

template <typename T> T atomic_load_relaxed(T const *at) { return __atomic_load_n(at, __ATOMIC_RELAXED); }
template <typename T> void atomic_store_release(T *at, T value) { __atomic_store_n(at, value, __ATOMIC_RELEASE); }
template <typename T> bool atomic_compare_exchange_weak_relaxed(T *at, T from, T to) {
  return __atomic_compare_exchange_n(at, &from, to, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

// Many write, one reads.
class Ring {
public:
  Ring() { rewind(); }
  char *push(uint64 size) {
    for (;;) {
      uint64 at = atomic_load_relaxed(&write_position);
      if (at + size - atomic_load_relaxed(&read_position) > capacity)
        return nullptr;
      if (atomic_compare_exchange_weak_relaxed(&write_position, at, at + size))
        return start + at;
    }
  }
  void pop(uint64 size) { atomic_store_release(&read_position, read_position + size); }

private:
  // The writes of a step that only makes an object are no operation's.
  void rewind() {
    write_position = 0;
    read_position = 0;
  }
  uint64 write_position;
  uint64 read_position;
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'Ring::write_position' (offset 0) and 'Ring::read_position' (offset 8) may be on one cache line and have different writers, 'Ring::push' and 'Ring::pop': each write of one makes the other's next access a miss; keep them a line apart
  char *start = nullptr;
  uint64 capacity = 0;
};

// Wide words, loaded half by half.
struct alignas(16) Wide {
  void *pointer;
  uint64 version;
};
static Wide load(Wide &from) {
  uint64 first = __atomic_load_n((uint64 *)&from, __ATOMIC_ACQUIRE);
  uint64 second = __atomic_load_n(((uint64 *)&from) + 1, __ATOMIC_ACQUIRE);
  return Wide{(void *)first, second};
}
static bool swap(Wide &at, Wide &from, Wide to) {
  return __atomic_compare_exchange(&at, &from, &to, true, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE);
}
class Pool {
  Wide tail;
  Wide unused;
  // CHECK-MESSAGES: :[[@LINE-1]]:8: warning: 'Pool::tail' (offset 0) and 'Pool::unused' (offset 16) may be on one cache line and have different writers, 'Pool::push' and 'Pool::give'

public:
  void push(void *task) {
    while (true) {
      Wide seen = load(tail);
      if (swap(tail, seen, Wide{task, seen.version + 1}))
        return;
    }
  }
  void give(void *task) {
    while (true) {
      Wide seen = load(unused);
      if (swap(unused, seen, Wide{task, seen.version + 1}))
        return;
    }
  }
};

// ---- From here on: nothing.

// Their fixes.
class RingApart {
public:
  RingApart() { rewind(); }
  char *push(uint64 size) {
    for (;;) {
      uint64 at = atomic_load_relaxed(&write_position);
      if (at + size - atomic_load_relaxed(&read_position) > 64)
        return nullptr;
      if (atomic_compare_exchange_weak_relaxed(&write_position, at, at + size))
        return nullptr;
    }
  }
  void pop(uint64 size) { atomic_store_release(&read_position, read_position + size); }

private:
  void rewind() {
    write_position = 0;
    read_position = 0;
  }
  alignas(64) uint64 write_position;
  alignas(64) uint64 read_position;
};
class PoolApart {
  alignas(64) Wide tail;
  alignas(64) Wide unused;

public:
  void push(void *task) {
    while (true) {
      Wide seen = load(tail);
      if (swap(tail, seen, Wide{task, seen.version + 1}))
        return;
    }
  }
  void give(void *task) {
    while (true) {
      Wide seen = load(unused);
      if (swap(unused, seen, Wide{task, seen.version + 1}))
        return;
    }
  }
};

// The helper does more than to load: both are written plainly as well, by
// whoever has the object to itself.
static Wide load_and_clear(Wide &from) {
  Wide seen = from;
  from.pointer = nullptr;
  return seen;
}
class PoolCleared {
  Wide tail;
  Wide unused;

public:
  void push(void *task) {
    while (true) {
      Wide seen = load_and_clear(tail);
      if (swap(tail, seen, Wide{task, seen.version + 1}))
        return;
    }
  }
  void give(void *task) {
    while (true) {
      Wide seen = load_and_clear(unused);
      if (swap(unused, seen, Wide{task, seen.version + 1}))
        return;
    }
  }
};

// A public rewind() may be anybody's, at any time.
class RingRewound {
public:
  RingRewound() { rewind(); }
  char *push(uint64 size) {
    for (;;) {
      uint64 at = atomic_load_relaxed(&write_position);
      if (at + size - atomic_load_relaxed(&read_position) > 64)
        return nullptr;
      if (atomic_compare_exchange_weak_relaxed(&write_position, at, at + size))
        return nullptr;
    }
  }
  void pop(uint64 size) { atomic_store_release(&read_position, read_position + size); }
  void rewind() {
    write_position = 0;
    read_position = 0;
  }

private:
  uint64 write_position;
  uint64 read_position;
};

