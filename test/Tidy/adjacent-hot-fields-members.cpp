// RUN: %check_tidy %s linesman-adjacent-hot-fields %t
#include "threads.h"
// A member with lines inside, a queue, was written by somebody who thought of
// them. Who put it here did not: what follows it is judged like any fields.
struct Queue {
  alignas(64) std::atomic<long> head;
  alignas(64) std::atomic<long> tail;
};
struct Table {
  Queue queue;
  std::atomic<long> at;
  long limit;
  long claim() { return at.fetch_add(1); }
  // CHECK-MESSAGES: :[[@LINE-1]]:25: warning: 'Table::at' (offset 128) is updated here, in 'Table::claim', and shares its cache line with 'Table::limit' (offset 136), which 'Table::end' reads and no operation of this unit changes
  long end() const { return limit; }
};

// The fix.
struct Apart {
  Queue queue;
  alignas(64) std::atomic<long> at;
  alignas(64) long limit;
  long claim() { return at.fetch_add(1); }
  long end() const { return limit; }
};

// Here the author placed the fields: one that is read in one place may be meant
// to be where it is.
struct Placed {
  alignas(64) std::atomic<long> first;
  alignas(64) std::atomic<long> at;
  long limit;
  long claim() { return at.fetch_add(1); }
  long end() const { return limit; }
};
struct Padded {
  std::atomic<long> first;
  char pad[56];
  std::atomic<long> at;
  long limit;
  long claim() { return at.fetch_add(1); }
  long end() const { return limit; }
};
template <typename T> struct Lined {
  alignas(64) T value;
  char pad[64 - sizeof(T)];
};
struct Wrapped {
  Lined<std::atomic<long>> first;
  std::atomic<long> at;
  long limit;
  long claim() { return at.fetch_add(1); }
  long end() const { return limit; }
};
