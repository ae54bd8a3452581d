#ifndef HOT_HEADER_H
#define HOT_HEADER_H
#include "threads.h"
struct Cache {
  std::atomic<long> hits;
  long limit;
  void hit() { hits++; }
  bool fits(long Key) const { return Key < limit; }
};
struct Queue {
  alignas(64) std::atomic<long> head;
  std::atomic<long> tail;
};
inline std::atomic<long> requests;
inline void handle() { requests++; }
inline std::atomic<bool> locked;
inline void lock() {
  while (locked.exchange(true))
    ;
}
inline thread_local int thread_index;
inline long slots[8];
inline void serve() { slots[thread_index]++; }
static int only_here;
inline void remember() { only_here = 1; }
struct Index {
  int find(int Key) const {
    ++lookups;
    return slots[Key];
  }
  int *slots;
  mutable int lookups;
};
struct Rep {
  int refs;
  void ref() { ++refs; }
};
inline Rep empty_rep;
inline void share() { empty_rep.ref(); }
#endif
