// RUN: %check_tidy %s linesman-global-write %t
#include "threads.h"
// Constructors that count the objects of their class.
struct Node {
  static std::atomic<long> alive;
  int key;
  explicit Node(int key) : key(key) { alive.fetch_add(1); }
  // CHECK-MESSAGES: :[[@LINE-1]]:39: warning: 'Node::alive' has static storage, and 'Node::Node' updates it
  ~Node() { alive.fetch_sub(1); }
};
std::atomic<long> Node::alive;
Node *insert(int key) { return new Node(key); }
void erase(Node *node) { delete node; }

// Only start-up makes one.
struct Pool {
  static std::atomic<long> pools;
  Pool() { pools.fetch_add(1); }
};
std::atomic<long> Pool::pools;
Pool *only;
void init_pool() { only = new Pool; }

// The unit makes none.
struct Window {
  static std::atomic<long> open;
  Window() { open.fetch_add(1); }
};
std::atomic<long> Window::open;

// Some of them count.
struct Page {
  static std::atomic<long> large;
  explicit Page(int size) {
    if (size > 4096)
      large.fetch_add(1);
  }
};
std::atomic<long> Page::large;
Page *allocate(int size) { return new Page(size); }

// Each object's own count.
struct Item {
  std::atomic<long> uses;
  Item() { uses.fetch_add(1); }
};
Item *make() { return new Item; }
