// RUN: %check_tidy %s linesman-adjacent-writers %t
#include "threads.h"

// Many put and many take. Who takes moves the other end, too, if it lags.
struct Node {
  std::atomic<Node *> next;
  int payload;
};
class Queue {
  std::atomic<Node *> oldest;
  std::atomic<Node *> newest;
  // CHECK-MESSAGES: :[[@LINE-1]]:23: warning: 'Queue::oldest' (offset 0) and 'Queue::newest' (offset 8) may be on one cache line and have different writers, 'Queue::take' and 'Queue::put': each write of one makes the other's next access a miss; keep them a line apart

public:
  void put(Node *n) {
    for (;;) {
      Node *last = newest.load();
      Node *next = last->next.load();
      if (last != newest.load())
        continue;
      if (next) {
        newest.compare_exchange_weak(last, next);
      } else if (last->next.compare_exchange_weak(next, n)) {
        newest.compare_exchange_strong(last, n);
        return;
      }
    }
  }
  Node *take() {
    for (;;) {
      Node *first = oldest.load();
      Node *last = newest.load();
      Node *next = first->next.load();
      if (first != oldest.load())
        continue;
      if (first == last) {
        if (!next)
          return nullptr;
        newest.compare_exchange_weak(last, next);
      } else if (oldest.compare_exchange_weak(first, next)) {
        return next;
      }
    }
  }
};

// A count beside each pointer tells one that has come back.
struct Cell;
struct Link {
  Cell *to;
  unsigned count;
};
struct Cell {
  std::atomic<Link> next;
  int payload;
};
class Counted {
  std::atomic<Link> first;
  std::atomic<Link> last;
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'Counted::first' (offset 0) and 'Counted::last' (offset 16) may be on one cache line and have different writers, 'Counted::take' and 'Counted::put'

public:
  void put(Cell *n) {
    for (;;) {
      Link at = last.load();
      Link next = at.to->next.load();
      if (next.to) {
        last.compare_exchange_weak(at, {next.to, at.count + 1});
      } else if (at.to->next.compare_exchange_weak(next, {n, 1})) {
        last.compare_exchange_strong(at, {n, at.count + 1});
        return;
      }
    }
  }
  int take() {
    for (;;) {
      Link at = first.load();
      Link end = last.load();
      Link next = at.to->next.load();
      if (at.to == end.to) {
        if (!next.to)
          return 0;
        last.compare_exchange_weak(end, {next.to, end.count + 1});
        continue;
      }
      int payload = next.to->payload;
      if (first.compare_exchange_weak(at, {next.to, at.count + 1}))
        return payload;
    }
  }
};

// ---- From here on: nothing.

// Its fix.
class Apart {
  alignas(64) std::atomic<Node *> oldest;
  alignas(64) std::atomic<Node *> newest;

public:
  void put(Node *n) {
    for (;;) {
      Node *last = newest.load();
      Node *next = last->next.load();
      if (next) {
        newest.compare_exchange_weak(last, next);
      } else if (last->next.compare_exchange_weak(next, n)) {
        newest.compare_exchange_strong(last, n);
        return;
      }
    }
  }
  Node *take() {
    for (;;) {
      Node *first = oldest.load();
      Node *last = newest.load();
      Node *next = first->next.load();
      if (first == last) {
        if (!next)
          return nullptr;
        newest.compare_exchange_weak(last, next);
      } else if (oldest.compare_exchange_weak(first, next)) {
        return next;
      }
    }
  }
};
// One party moves both ends, and the other only looks.
class Owned {
  std::atomic<Node *> oldest;
  std::atomic<Node *> newest;

public:
  void trim(Node *n) {
    Node *first = oldest.load();
    Node *last = newest.load();
    if (first == last)
      newest.compare_exchange_strong(last, n);
    oldest.compare_exchange_strong(first, n);
  }
  bool empty() const { return oldest.load() == newest.load(); }
};
// Under a lock all the same.
class Locked {
  std::mutex lock;
  std::atomic<Node *> oldest;
  std::atomic<Node *> newest;

public:
  void put(Node *n) {
    std::lock_guard<std::mutex> held(lock);
    Node *last = newest.load();
    newest.compare_exchange_strong(last, n);
  }
  Node *take() {
    std::lock_guard<std::mutex> held(lock);
    Node *first = oldest.load();
    Node *last = newest.load();
    if (first == last)
      newest.compare_exchange_strong(last, first);
    else
      oldest.compare_exchange_strong(first, first->next.load());
    return first;
  }
};
// No list: two settings, which point to nothing of their kind.
struct Config {
  int limit;
};
class Settings {
  std::atomic<Config *> current;
  std::atomic<Config *> wanted;

public:
  void want(Config *c) {
    Config *old = wanted.load();
    wanted.compare_exchange_strong(old, c);
  }
  void apply() {
    Config *now = current.load();
    Config *next = wanted.load();
    if (current.compare_exchange_strong(now, next))
      wanted.compare_exchange_strong(next, nullptr);
  }
};
