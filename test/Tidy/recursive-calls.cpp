// RUN: %check_tidy %s 'linesman-*' %t
// A chain of wrappers around an atomic operation ends at a function that calls
// itself or its caller with what it was given: it is around nothing.


int *next(int *node) { return next(node); }

int *odd(int *node);
int *even(int *node) { return odd(node); }
int *odd(int *node) { return even(node); }

struct Node {
  Node *left, *right;
  int value;
};
void release(Node *node) {
  if (node)
    release(node->left);
  release(node);
}

template <typename T> void visit(T &node, int depth) { visit(node, depth - 1); }

// A wrapper of a wrapper is still one.
struct Pool {
  int used;
  int limit;
};
static int add(int *count) {
  return __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
}
static int take(int *count) { return add(count); }
int acquire(Pool *pool) { return take(&pool->used); }
// CHECK-MESSAGES: :[[@LINE-1]]:34: warning: 'Pool::used' (offset 0) is updated here, in 'acquire'
bool mayAcquire(const Pool *pool) { return pool->limit > 4; }

// Typedefs in front of the work are none of it.
template <typename T> struct Sized {
  typedef T type;
};
template <typename T> T add_to(T *object, T addend) {
  typedef Sized<T> sized;
  typedef typename sized::type type;
  return (T)__sync_fetch_and_add((type *)object, (type)addend);
}
struct Clock {
  unsigned long now;
  unsigned long limit;
};
unsigned long tick(Clock *clock) { return add_to(&clock->now, 2ul); }
// CHECK-MESSAGES: :[[@LINE-1]]:43: warning: 'Clock::now' (offset 0) is updated here, in 'tick'
bool mayTick(const Clock *clock) { return clock->limit > 4; }

void use(int *word, Node *node) {
  next(word);
  even(word);
  release(node);
  visit(*node, 1);
}
