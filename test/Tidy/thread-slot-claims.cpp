// RUN: %check_tidy %s linesman-thread-slot %t
#include "threads.h"
// No number says whose the element is: a thread looks for a free one, takes it,
// and keeps its address.
struct Slot {
  std::atomic<bool> used;
  std::atomic<unsigned long> epoch;
};
class Epochs {
  Slot slots[128];
  std::atomic<unsigned long> now;

public:
  Slot *join() {
    for (auto &each : slots)
      if (!each.used.load() && !each.used.exchange(true))
        return &each;
    return nullptr;
  }
  void enter(Slot *own) {
    own->epoch.store(now.load());
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: whoever takes an element of 'Epochs::slots' in 'Epochs::join' writes it here, in 'Epochs::enter', but elements are 16 bytes apart and a cache line has 64: neighbours that different threads have write the same line; give the element type alignas(64)
  }
};

// The fix.
struct alignas(64) Far {
  std::atomic<bool> used;
  std::atomic<unsigned long> epoch;
};
class FarEpochs {
  Far slots[128];

public:
  Far *join() {
    for (auto &each : slots)
      if (!each.used.exchange(true))
        return &each;
    return nullptr;
  }
  void enter(Far *own, unsigned long now) { own->epoch.store(now); }
};

// Buffers that are taken and given back, and filled without atomics.
struct Buffer {
  std::atomic<bool> used;
  long length;
};
class Buffers {
  Buffer all[16];

public:
  Buffer *take() {
    for (auto &each : all)
      if (!each.used.exchange(true))
        return &each;
    return nullptr;
  }
  void fill(Buffer *own, long n) { own->length = n; }
  void give(Buffer *own) { own->used.store(false); }
};
