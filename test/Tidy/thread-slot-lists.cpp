// RUN: %check_tidy %s linesman-thread-slot %t
#include "threads.h"
// A list for each thread, which grows with each call: its end is in the
// element, wherever the list's own elements are.
extern "C" int omp_get_thread_num();

struct Found {
  std::vector<std::vector<int>> parts;
  void add(int i) {
    parts[omp_get_thread_num()].emplace_back(i);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'Found::parts' here, but elements are 8 bytes apart and a cache line has 64: neighbouring threads write the same line; make the element a record with alignas(64) [linesman-thread-slot]
  }
};

// Through an accessor, and in a record.
struct Used {
  struct List {
    std::vector<long> entries;
  };
  std::vector<List> lists;
  List &mine() { return lists[omp_get_thread_num()]; }
};
void use(Used &all, long entry) {
  all.mine().entries.emplace_back(entry);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'Used::lists' here, but elements are 8 bytes apart
}

// The fix.
struct alignas(64) Line {
  std::vector<int> list;
};
struct Apart {
  std::vector<Line> parts;
  void add(int i) { parts[omp_get_thread_num()].list.emplace_back(i); }
};

// What is done to the list once; a list that all have, behind a lock; a word
// that many threads have; a list that a thread fills once in a region.
struct Room {
  std::vector<std::vector<int>> parts;
  void prepare() { parts[omp_get_thread_num()].reserve(100); }
};
struct Locked {
  std::mutex mutex;
  std::vector<std::vector<int>> parts;
  void add(int i) {
    std::lock_guard<std::mutex> guard(mutex);
    parts[omp_get_thread_num()].emplace_back(i);
  }
};
struct Bits {
  std::vector<unsigned long> words;
  void set(unsigned tid) { words[tid / 64] |= 1ul << (tid % 64); }
};
struct ByData {
  std::vector<std::vector<int>> buckets;
  void add(int i) { buckets[i % 16].emplace_back(i); }
};
