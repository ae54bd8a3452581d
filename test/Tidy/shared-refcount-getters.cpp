// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-shared-refcount %t
// Getters that several calls of a unit, which does not know of threads, ask for
// a look at the object.
#include "shared_ptr.h"

struct Shape {
  int size;
};
int distance(const Shape *, const Shape *);

class Body {
  std::shared_ptr<Shape> shape;

public:
  std::shared_ptr<Shape> get_shape() const { return shape; }
};

int distance(const Body &a, const Body &b) {
  return distance(a.get_shape().get(), b.get_shape().get());
  // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: 'distance' asks 'Body::get_shape' for a copy of the shared pointer 'Body::shape' to look at its object, as 2 calls of this unit do; {{.*}} if several threads have the object
}

// ---- From here on: nothing.

// The fix.
class FixedBody {
  std::shared_ptr<Shape> shape;

public:
  const std::shared_ptr<Shape> &get_shape() const { return shape; }
};
int distance(const FixedBody &a, const FixedBody &b) {
  return distance(a.get_shape().get(), b.get_shape().get());
}

// One call; a pointer that is replaced, so that the copy keeps the object; and
// who keeps what he gets.
class Once {
  std::shared_ptr<Shape> shape;

public:
  std::shared_ptr<Shape> get_shape() const { return shape; }
};
int size(const Once &once) { return once.get_shape()->size; }

class Changing {
  std::shared_ptr<Shape> shape;

public:
  std::shared_ptr<Shape> get_shape() const { return shape; }
  void change(std::shared_ptr<Shape> other) { shape = other; }
};
int both(const Changing &a, const Changing &b) {
  return a.get_shape()->size + b.get_shape()->size;
}

void keep(std::shared_ptr<Shape>);
class Kept {
  std::shared_ptr<Shape> shape;

public:
  std::shared_ptr<Shape> get_shape() const { return shape; }
};
void keep_both(const Kept &a, const Kept &b) {
  keep(a.get_shape());
  keep(b.get_shape());
}
