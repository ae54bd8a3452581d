// RUN: %check_tidy %s linesman-adjacent-hot-fields %t
// A member counts with a loop that compares and exchanges, and what is beside
// it is read.
#include "threads.h"

class Workers {
  std::atomic<unsigned long> count;

public:
  bool enter(unsigned long own) {
    unsigned long seen = count.load();
    for (;;) {
      if (seen == own)
        return false;
      if (count.compare_exchange_strong(seen, seen + 1))
        return true;
    }
  }
  void leave() {
    unsigned long seen = count.load();
    while (!count.compare_exchange_weak(seen, seen - 1)) {
    }
  }
};
class alignas(64) LineWorkers {
  std::atomic<unsigned long> count;

public:
  void enter() {
    unsigned long seen = count.load();
    while (!count.compare_exchange_weak(seen, seen + 1)) {
    }
  }
};
class Largest {
  std::atomic<unsigned long> most;

public:
  void note(unsigned long size) {
    unsigned long seen = most.load();
    while (seen < size && !most.compare_exchange_weak(seen, size)) {
    }
  }
};
class Once {
  std::atomic<bool> taken;

public:
  bool claim() {
    bool none = false;
    return taken.compare_exchange_strong(none, true);
  }
};

class Version {
  std::atomic<unsigned long> word;

public:
  void lock() {
    unsigned long seen = word.load();
    while ((seen & 1) || !word.compare_exchange_weak(seen, seen + 1)) {
    }
  }
};

class Bits {
  std::atomic<unsigned long> bits;

public:
  void setBorder() {
    unsigned long seen = bits.load();
    while (!bits.compare_exchange_weak(seen, seen | 8)) {
    }
  }
};

class Context {
  unsigned long id;
  Workers workers;

public:
  explicit Context(unsigned long id) : id(id) {}
  unsigned long getId() const { return id; }
  bool enter(unsigned long own) { return workers.enter(own); }
  // CHECK-MESSAGES: :[[@LINE-1]]:42: warning: 'Context::workers' (offset 8) is updated here, in 'Context::enter', and may share its cache line with 'Context::id' (offset 0), which 'Context::getId' reads and no operation of this unit changes
  void leave() { workers.leave(); }
};
bool run(Context &context) {
  if (!context.enter(context.getId()))
    return false;
  context.leave();
  return true;
}

// A line of its own; a maximum, which is rarely stored; what is claimed once; a
// lock, which is another check's; a bit that is set.
class Apart {
  unsigned long id;
  LineWorkers workers;

public:
  explicit Apart(unsigned long id) : id(id) {}
  unsigned long getId() const { return id; }
  void enter() { workers.enter(); }
};
class Measured {
  unsigned long id;
  Largest largest;

public:
  explicit Measured(unsigned long id) : id(id) {}
  unsigned long getId() const { return id; }
  void note(unsigned long size) { largest.note(size); }
};
class Claimed {
  unsigned long id;
  Once once;

public:
  explicit Claimed(unsigned long id) : id(id) {}
  unsigned long getId() const { return id; }
  bool claim() { return once.claim(); }
};
class Node {
  unsigned long id;
  Version version;

public:
  explicit Node(unsigned long id) : id(id) {}
  unsigned long getId() const { return id; }
  void lock() { version.lock(); }
};
class Marked {
  unsigned long id;
  Bits bits;

public:
  explicit Marked(unsigned long id) : id(id) {}
  unsigned long getId() const { return id; }
  void setBorder() { bits.setBorder(); }
};
unsigned long run(Apart &apart, Measured &measured, Claimed &claimed, Node &node, Marked &marked) {
  apart.enter();
  marked.setBorder();
  if (marked.getId() == 4)
    return 4;
  node.lock();
  if (node.getId() == 3)
    return 3;
  measured.note(apart.getId());
  return claimed.claim() ? measured.getId() : claimed.getId();
}
