// RUN: %check_tidy %s linesman-lock-neighbour %t
#include "threads.h"

// A class that is a lock by its shape.
class SpinLock {
  std::atomic<bool> taken;

public:
  void lock() {
    while (taken.exchange(true))
      while (taken.load())
        ;
  }
  void unlock() { taken.store(false); }
};

struct Cache {
  SpinLock mutex;
  int capacity = 10;
  int used = 0;
  void insert() {
    std::lock_guard<SpinLock> Held(mutex);
    // CHECK-MESSAGES: :[[@LINE-1]]:31: warning: 'Cache::mutex' (offset 0) is taken here, in 'Cache::insert', and may share its cache line with 'Cache::capacity' (offset 4), which 3 functions read without it
    used++;
  }
  void erase() {
    std::lock_guard<SpinLock> Held(mutex);
    used--;
  }
  int size() const { return capacity; }
  bool fits(int N) const { return N < capacity; }
  int half() const { return capacity / 2; }
};

struct Shards {
  std::array<SpinLock, 64> locks;
  void lock(unsigned long Hash) {
    unsigned long Mine = Hash % 64;
    locks[Mine].lock();
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: a computed number picks one of the locks in 'Shards::locks' here, and they are 1 bytes apart: up to 64 share a cache line of 64
  }
};

// A heap object with readers and a count of its users, which is updated without
// the lock.
struct Zone {
  std::atomic<unsigned> references;
  std::shared_mutex dblock;
  int *db;
};
int *current(Zone *Z) {
  Z->dblock.lock_shared();
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'Zone::dblock' (offset 4) is taken for reading here, in 'current', and shares its cache line with 'Zone::references' (offset 0), which 2 functions update without it: neither waits for the other, and both take the line; keep them a line apart
  int *Found = Z->db;
  Z->dblock.unlock_shared();
  return Found;
}
bool loaded(Zone *Z) {
  Z->dblock.lock_shared();
  bool Found = Z->db != nullptr;
  Z->dblock.unlock_shared();
  return Found;
}
void attach(Zone *Z) { Z->references.fetch_add(1); }
bool detach(Zone *Z) { return Z->references.fetch_sub(1) == 1; }

// A plain mutex of a class that everybody has.
class Registry {
  std::mutex lock;
  int *table;
  long entries = 0;

public:
  void add() {
    std::lock_guard<std::mutex> Held(lock);
    // CHECK-MESSAGES: :[[@LINE-1]]:33: warning: 'Registry::lock' (offset 0) is taken here, in 'Registry::add', and may share its cache line with 'Registry::table' (offset 40), which 3 functions read without it
    entries++;
  }
  void drop() {
    std::lock_guard<std::mutex> Held(lock);
    entries--;
  }
  int first() const { return table[0]; }
  int second() const { return table[1]; }
  bool isEmpty() const { return !table; }
};

// ---- From here on: nothing.

// Aligned, apart, accepted, and one reader.
struct Apart {
  alignas(64) SpinLock mutex;
  alignas(64) int capacity = 10;
  int used = 0;
  void insert() {
    std::lock_guard<SpinLock> Held(mutex);
    used++;
  }
  void erase() {
    std::lock_guard<SpinLock> Held(mutex);
    used--;
  }
  int size() const { return capacity; }
  bool fits(int N) const { return N < capacity; }
  int half() const { return capacity / 2; }
};
struct alignas(64) WideLock {
  SpinLock lock;
};
struct WideShards {
  std::array<WideLock, 64> locks;
  void lock(unsigned long Hash) { locks[Hash % 64].lock.lock(); }
};
struct Small {
  SpinLock mutex;
  int capacity = 10, used = 0;
  void insert() {
    std::lock_guard<SpinLock> Held(mutex);
    used++;
  }
  void erase() {
    std::lock_guard<SpinLock> Held(mutex);
    used--;
  }
  int size() const { return capacity; }
};
struct [[clang::annotate("linesman:shared-ok")]] Accepted {
  SpinLock mutex;
  int capacity = 10, used = 0;
  void insert() {
    std::lock_guard<SpinLock> Held(mutex);
    used++;
  }
  void erase() {
    std::lock_guard<SpinLock> Held(mutex);
    used--;
  }
  int size() const { return capacity; }
  bool fits(int N) const { return N < capacity; }
  int half() const { return capacity / 2; }
};

// A line apart; one reader; a mutex, which lets in one at a time; a count that
// is updated under the lock.
struct ApartZone {
  alignas(64) std::atomic<unsigned> references;
  alignas(64) std::shared_mutex dblock;
  alignas(64) int *db;
  int *current() {
    dblock.lock_shared();
    int *Found = db;
    dblock.unlock_shared();
    return Found;
  }
  bool loaded() {
    dblock.lock_shared();
    bool Found = db != nullptr;
    dblock.unlock_shared();
    return Found;
  }
  void attach() { references.fetch_add(1); }
  bool detach() { return references.fetch_sub(1) == 1; }
};
struct RareZone {
  std::atomic<unsigned> references;
  std::shared_mutex dblock;
  int *db;
};
int *current(RareZone *Z) {
  Z->dblock.lock_shared();
  int *Found = Z->db;
  Z->dblock.unlock_shared();
  return Found;
}
void attach(RareZone *Z) { Z->references.fetch_add(1); }
bool detach(RareZone *Z) { return Z->references.fetch_sub(1) == 1; }
struct Session {
  std::atomic<unsigned> references;
  std::mutex lock;
  int *db;
};
int *current(Session *S) {
  std::lock_guard<std::mutex> Held(S->lock);
  return S->db;
}
bool loaded(Session *S) {
  std::lock_guard<std::mutex> Held(S->lock);
  return S->db != nullptr;
}
void attach(Session *S) { S->references.fetch_add(1); }
bool detach(Session *S) { return S->references.fetch_sub(1) == 1; }
struct CountedInside {
  std::atomic<unsigned> readers;
  std::shared_mutex dblock;
  int *db;
};
int *current(CountedInside *Z) {
  Z->dblock.lock_shared();
  Z->readers.fetch_add(1);
  int *Found = Z->db;
  Z->dblock.unlock_shared();
  return Found;
}
bool loaded(CountedInside *Z) {
  Z->dblock.lock_shared();
  Z->readers.fetch_add(1);
  bool Found = Z->db != nullptr;
  Z->dblock.unlock_shared();
  return Found;
}

// Records with a lock, chosen by a hash.
struct Shard {
  std::mutex lock;
  long sum;
};
struct alignas(64) WholeShard {
  std::mutex lock;
  long sum;
};
struct Sums {
  Shard shards[16];
  WholeShard whole[16];
  Shard few[4];
  Shard listed[16];
  void add(unsigned long Key, long N) {
    auto &Own = shards[Key % 16];
    std::lock_guard<std::mutex> Held(Own.lock);
    // CHECK-MESSAGES: :[[@LINE-1]]:33: warning: a computed number picks one of the locks in 'Sums::shards' here, and they are 48 bytes apart: up to 2 share a cache line of 64
    Own.sum += N;
  }
  void add_whole(unsigned long Key, long N) {
    std::lock_guard<std::mutex> Held(whole[Key % 16].lock);
    whole[Key % 16].sum += N;
  }
  // Few; not chosen by a hash; no lock at all.
  void add_few(unsigned long Key, long N) {
    std::lock_guard<std::mutex> Held(few[Key % 4].lock);
    few[Key % 4].sum += N;
  }
  void clear_all() {
    for (int I = 0; I < 16; ++I) {
      std::lock_guard<std::mutex> Held(listed[I].lock);
      listed[I].sum = 0;
    }
  }
  long look(unsigned long Key) const { return listed[Key % 16].sum; }
};

// The class of a size picks, and a record that is longer than a line.
struct Bucket {
  long used;
  long peak;
  long pages[3];
  std::mutex lock;
};
struct LargeBucket {
  long used[11];
  std::mutex lock;
};
struct Allocator {
  Bucket buckets[16];
  LargeBucket large[16];
  Bucket each[16];
  void take(unsigned long Size) {
    const unsigned long Class = (Size / 16) - 1;
    Bucket &Own = buckets[Class];
    std::lock_guard<std::mutex> Held(Own.lock);
    // CHECK-MESSAGES: :[[@LINE-1]]:33: warning: a computed number picks one of the locks in 'Allocator::buckets' here, and they are 80 bytes apart: the end of one and the start of the next share a cache line of 64
    Own.used++;
  }
  // Two lines each; a loop's counter; a constant.
  void take_large(unsigned long Size) {
    LargeBucket &Own = large[Size / 16 - 1];
    std::lock_guard<std::mutex> Held(Own.lock);
    Own.used[0]++;
  }
  void take_each() {
    for (int I = 1; I < 16; ++I) {
      std::lock_guard<std::mutex> Held(each[I - 1].lock);
      each[I - 1].used++;
    }
    std::lock_guard<std::mutex> Held(each[4 - 1].lock);
    each[3].used++;
  }
};
