// RUN: %check_tidy %s linesman-adjacent-writers %t
#include "threads.h"

struct Node {
  std::atomic<Node *> next;
  int payload;
};

// Many put by swapping one end, one takes by walking the other.
class Mailbox {
  std::atomic<Node *> newest;
  Node *oldest;
  // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'Mailbox::newest' (offset 0) and 'Mailbox::oldest' (offset 8) may be on one cache line and have different writers, 'Mailbox::put' and 'Mailbox::take': each write of one makes the other's next access a miss; keep them a line apart
  Node stub;

public:
  Mailbox() : newest(&stub), oldest(&stub) {}
  void put(Node *n) {
    n->next.store(nullptr);
    Node *before = newest.exchange(n);
    before->next.store(n);
  }
  Node *take() {
    Node *first = oldest;
    Node *next = first->next.load();
    if (!next)
      return nullptr;
    oldest = next;
    return first;
  }
};

// ---- From here on: nothing.

// Its fix.
class Apart {
  alignas(64) std::atomic<Node *> newest;
  alignas(64) Node *oldest;

public:
  void put(Node *n) {
    n->next.store(nullptr);
    Node *before = newest.exchange(n);
    before->next.store(n);
  }
  Node *take() {
    Node *first = oldest;
    Node *next = first->next.load();
    if (!next)
      return nullptr;
    oldest = next;
    return first;
  }
};
// Who takes swaps the whole list out and walks it: one party writes both.
class Batches {
  std::atomic<Node *> pending;
  Node *ready;

public:
  void put(Node *n) {
    Node *old = pending.load();
    do
      n->next.store(old);
    while (!pending.compare_exchange_weak(old, n));
  }
  Node *take() {
    Node *first = ready;
    if (!first)
      first = pending.exchange(nullptr);
    if (first)
      ready = first->next.load();
    return first;
  }
};
// No list: what is current is swapped, and somebody else remembers one.
struct Config {
  int limit;
};
class Settings {
  std::atomic<Config *> current;
  Config *last;

public:
  Config *set(Config *c) { return current.exchange(c); }
  void remember(Config *c) {
    if (last != c)
      last = c;
  }
};
// Under a lock.
class Locked {
  std::mutex mutex;
  Node *newest;
  Node *oldest;

public:
  void put(Node *n) {
    std::lock_guard<std::mutex> held(mutex);
    newest->next.store(n);
    newest = n;
  }
  Node *take() {
    std::lock_guard<std::mutex> held(mutex);
    Node *first = oldest;
    oldest = first->next.load();
    return first;
  }
};
