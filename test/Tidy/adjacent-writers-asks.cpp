// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-adjacent-writers %t
#include "threads.h"
// A writer of one end asks a function of the object how far the other is.
struct Ring {
  std::atomic<size_t> written{0};
  std::atomic<size_t> taken{0};
  // CHECK-MESSAGES: :[[@LINE-1]]:23: warning: 'Ring::written' (offset 0) and 'Ring::taken' (offset 8) may be on one cache line and have different writers, 'Ring::write' and 'Ring::read'
  size_t mask = 255;
  char *bytes = nullptr;

  size_t available() const { return (written.load() - taken.load()) & mask; }
  size_t room() const { return (taken.load() - written.load() - 1) & mask; }
  size_t read(char *into, size_t most);
  size_t write(const char *from, size_t most);
  void clear() {
    written.store(0);
    taken.store(0);
  }
};
void copy(char *into, const char *from, size_t count);
size_t Ring::read(char *into, size_t most) {
  size_t count = available();
  if (count > most)
    count = most;
  size_t at = taken.load() & mask;
  copy(into, bytes + at, count);
  at += count;
  taken.store(at);
  return count;
}
size_t Ring::write(const char *from, size_t most) {
  size_t count = room();
  if (count > most)
    count = most;
  size_t at = written.load() & mask;
  copy(bytes + at, from, count);
  at += count;
  written.store(at);
  return count;
}

// A line apart.
struct FarRing {
  alignas(64) std::atomic<size_t> written{0};
  alignas(64) std::atomic<size_t> taken{0};
  bool hasAny() const { return written.load() != taken.load(); }
  size_t read() { return hasAny() ? taken.fetch_add(1) : 0; }
  void write() {
    if (!hasAny())
      written.fetch_add(1);
  }
};

// Nobody asks how far the other is: counts of two kinds of work.
struct Counts {
  std::atomic<size_t> sent{0};
  std::atomic<size_t> received{0};
  size_t all() const { return sent.load() + received.load(); }
  void send() { sent.fetch_add(1); }
  void receive() { received.fetch_add(1); }
};

// Asks another object.
struct Peer {
  std::atomic<size_t> sent{0};
  std::atomic<size_t> received{0};
  Peer *other = nullptr;
  size_t got() const { return received.load(); }
  void send() { sent.fetch_add(other->got()); }
  void receive() { received.fetch_add(1); }
};

// What it asks is a step that it takes.
struct Steps {
  std::atomic<size_t> first{0};
  std::atomic<size_t> second{0};
  size_t next() { return first.fetch_add(1); }
  void finish() { second.fetch_add(next()); }
};
