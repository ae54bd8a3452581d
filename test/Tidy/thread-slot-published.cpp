// RUN: %check_tidy %s linesman-thread-slot %t
// An object keeps the address of a word of its own, stores to it for others to
// see, and these go through all words.
#include "threads.h"

struct Hazards {
  std::atomic<void *> words[128];
  std::atomic<size_t> next;
};
static Hazards hazards;

class Guard {
  std::atomic<void *> *word;
  size_t number;

public:
  Guard() {
    number = hazards.next.fetch_add(1);
    word = &hazards.words[number];
  }
  void *protect(std::atomic<void *> &source) {
    for (;;) {
      void *seen = source.load();
      word->store(seen);
      // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'Guard::word' is the address of an element of 'Hazards::words' that this object has for itself, and 'Guard::protect' stores to it for others to see, but elements are 8 bytes apart and a cache line has 64: owners that store at the same time write one line; make the element a record with alignas(64)
      if (seen == source.load())
        return seen;
    }
  }
  void clear() { word->store(nullptr); }
};
bool isProtected(void *at) {
  for (size_t i = 0; i < hazards.next.load(); ++i)
    if (hazards.words[i].load() == at)
      return true;
  return false;
}

// In a template, with numbers that come back from a list.
template <size_t N> class Epoch {
  static inline std::array<std::atomic<long>, N> epochs;
  static inline std::atomic<size_t> next;
  static inline std::mutex lock;
  static inline size_t spare[N], spares;
  std::atomic<long> *mine;
  size_t number;

public:
  Epoch() {
    {
      std::lock_guard<std::mutex> held(lock);
      if (spares)
        number = spare[--spares];
      else
        number = next.fetch_add(1);
    }
    mine = &epochs[number];
  }
  void enter(long now) {
    mine->store(now);
    // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: 'Epoch::mine' is the address of an element of 'Epoch::epochs' that this object has for itself, and 'Epoch::enter' stores to it
  }
  static long oldest(long now) {
    for (size_t i = 0; i < N; ++i)
      if (epochs[i].load() < now)
        now = epochs[i].load();
    return now;
  }
};
long use() {
  Epoch<64> epoch;
  epoch.enter(1);
  return Epoch<64>::oldest(2);
}

// ---- From here on: nothing.

// The fix: a line for each.
struct alignas(64) Line {
  std::atomic<void *> word;
};
static Line lines[128];
static std::atomic<size_t> nextLine;
class Apart {
  std::atomic<void *> *word;

public:
  Apart() { word = &lines[nextLine.fetch_add(1)].word; }
  void protect(void *seen) { word->store(seen); }
};
bool isProtectedApart(void *at) {
  for (size_t i = 0; i < 128; ++i)
    if (lines[i].word.load() == at)
      return true;
  return false;
}
// Data picks the word.
static std::atomic<long> buckets[64];
class Cursor {
  std::atomic<long> *bucket;

public:
  void seek(size_t hash) { bucket = &buckets[hash % 64]; }
  void put(long value) { bucket->store(value); }
};
long sum() {
  long all = 0;
  for (std::atomic<long> &each : buckets)
    all += each.load();
  for (int i = 0; i < 64; ++i)
    all += buckets[i].load();
  return all;
}
// Nobody goes through them: each is asked for by its owner alone.
static std::atomic<long> own[64];
static std::atomic<size_t> nextOwn;
class Lonely {
  std::atomic<long> *word;

public:
  Lonely() { word = &own[nextOwn.fetch_add(1)]; }
  void put(long value) { word->store(value); }
  long get() const { return word->load(); }
};
// Stored when the object is made and when it ends.
static std::atomic<long> states[64];
static std::atomic<size_t> nextState;
class Member {
  std::atomic<long> *word;

public:
  Member() {
    word = &states[nextState.fetch_add(1)];
    word->store(1);
  }
  ~Member() { word->store(0); }
};
long members() {
  long all = 0;
  for (int i = 0; i < 64; ++i)
    all += states[i].load();
  return all;
}
