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

// The same cache, with the question around the writes.
class Curve {
  double slope, offset;
  mutable double x = 0, y = 0;
  mutable bool known = false;
  mutable Text label;
  mutable int width = 0;

public:
  double at(double wanted) const {
    if (x != wanted) {
      x = wanted;
      // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'Curve::at' promises not to change the object, but writes 'Curve::x'
      y = slope * wanted + offset;
      // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'Curve::at' promises not to change the object, but writes 'Curve::y'
    }
    return y;
  }
  int widthOf(const Text &text) const {
    if (!known || !sameText(label, text)) {
      label = text;
      // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'Curve::widthOf' promises not to change the object, but writes 'Curve::label'
      width = int(text.to - text.from + slope);
      // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'Curve::widthOf' promises not to change the object, but writes 'Curve::width'
      known = true;
      // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'Curve::widthOf' promises not to change the object, but writes 'Curve::known'
    }
    return width;
  }
};
// A test that nothing but its own branch depends on.
class Late {
  int raw;
  mutable int value = 0, sum = 0;
  mutable std::atomic<bool> known = false;
  [[noreturn]] void fail() const;

public:
  int get() const {
    if (!known)
      value = raw * 3;
    known = true;
    // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: 'Late::get' promises not to change the object, but writes 'Late::known'
    return value;
  }
  // Right: the branch leaves.
  int once() const {
    if (sum > 0) {
      if (sum == raw)
        fail();
      return sum;
    }
    sum = raw * 2;
    return sum;
  }
};

// Right: who asks does not decide, one field is a setter's, and what is already
// so is not written again.
class Surface {
  int newest;
  mutable int version = 0, area = 0, tone = 0;
  mutable bool drawn = false;

public:
  int areaNow() const {
    if (version != newest) {
      version = newest;
      area = newest * newest;
    }
    return area;
  }
  int shade(int wanted) const {
    if (tone != wanted)
      tone = wanted;
    return newest;
  }
  int draw(int by) const {
    if (!drawn) {
      drawn = true;
      area = newest * by;
    }
    return area;
  }
};

// Who takes a lock writes it, whatever the class promises.
class OwnSpinLock {
  int writers = 0;
  long takes = 0;

public:
  bool tryLock() {
    ++takes;
    writers = 1;
    return takes > writers;
  }
  bool tryLock() const { return const_cast<OwnSpinLock *>(this)->tryLock(); }
  bool isFree() const { return writers == 0; }
};
class Blocks {
  int writers = 0;
  long takes = 0;

public:
  bool tryUse() {
    ++takes;
    writers = 1;
    return takes > writers;
  }
  bool tryUse() const { return const_cast<Blocks *>(this)->tryUse(); }
  // CHECK-MESSAGES: :[[@LINE-1]]:60: warning: 'Blocks::tryUse' promises not to change the object, but writes 'Blocks::takes'
  bool isFree() const { return writers == 0; }
};
bool take(const OwnSpinLock &lock) { return lock.tryLock(); }
bool use(const Blocks &blocks) { return blocks.tryUse(); }
