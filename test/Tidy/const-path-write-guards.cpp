// RUN: %check_tidy %s linesman-const-path-write %t
#include "threads.h"
// A guard by what it is given and does, named after the mutex.
class scoped_mutex {
  std::mutex *held;

public:
  explicit scoped_mutex(std::mutex &mutex) : held(&mutex) { held->lock(); }
  ~scoped_mutex() { held->unlock(); }
};
// Owns its mutex, and holds nothing by being there.
class owned_mutex {
  std::mutex *own;

public:
  owned_mutex() : own(new std::mutex) {}
  ~owned_mutex() { delete own; }
};

class Queue {
  mutable std::mutex lock;
  long size;
  mutable long waiters, looks;

public:
  bool wait(long most) const {
    scoped_mutex held(lock);
    ++waiters;
    return size < most;
  }
  bool look(long most) const {
    owned_mutex unused;
    ++looks;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Queue::look' promises not to change the object, but writes 'Queue::looks'
    return size < most;
  }
};

// Whether it is there and the one that is asked for, is one question, to which
// each thread has another answer; whether it is there alone stops the writes.
struct Node {
  int key, value;
  Node *left, *right;
};
class Tree {
  Node *root;
  mutable Node *last = nullptr, *first = nullptr;

public:
  const Node *find(int key) const {
    if (last && last->key == key)
      return last;
    Node *node = root;
    while (node && node->key != key)
      node = key < node->key ? node->left : node->right;
    last = node;
    // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'Tree::find' promises not to change the object, but writes 'Tree::last'
    return node;
  }
  const Node *least(int most) const {
    if (first && most > 0)
      return first;
    Node *node = root;
    while (node->left)
      node = node->left;
    first = node;
    return node;
  }
};

// The same question in other words: by an operator of the key's class, behind
// a comparison with null, by a function.
struct Text {
  const char *from, *to;
  friend bool operator==(const Text &, const Text &);
};
bool sameText(const Text &, const Text &);
struct Holder {
  Node *node = nullptr;
  Node *operator->() const { return node; }
  explicit operator bool() const { return node; }
};
class Names {
  mutable Holder held;
  Node *root;
  Node *search(const Text &name) const;
  mutable Text text;
  mutable Node *named = nullptr, *called = nullptr, *newest = nullptr;
  mutable bool stale;

public:
  const Node *byName(const Text &name) const {
    if (named != nullptr && text == name)
      return named;
    named = search(name);
    // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: 'Names::byName' promises not to change the object, but writes 'Names::named'
    text = name;
    // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'Names::byName' promises not to change the object, but writes 'Names::text'
    return named;
  }
  const Node *byCall(const Text &name) const {
    if (called && sameText(text, name))
      return called;
    called = search(name);
    // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'Names::byCall' promises not to change the object, but writes 'Names::called'
    return called;
  }
  const Node *byHolder(int key) const {
    if (held && held->key == key)
      return held.node;
    held = Holder{root};
    // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'Names::byHolder' promises not to change the object, but writes 'Names::held'
    return root;
  }
  // Whether it is there and still right is the same for all who ask.
  const Node *last(const Text &name) const {
    if (newest != nullptr && !stale)
      return newest;
    newest = search(name);
    return newest;
  }
};
