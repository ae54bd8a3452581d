// RUN: %check_tidy %s linesman-shared-refcount %t
// A copy that is asked for its pointer, or whether there is an object.
#include "threads.h"
#include "shared_ptr.h"

struct Shape {
  int size;
};
double area(const Shape *);

class Body {
  std::shared_ptr<Shape> shape;
  std::atomic<int> asked;

public:
  std::shared_ptr<Shape> get_shape() const { return shape; }
  double total(int n) const {
    double sum = 0;
    for (int i = 0; i < n; i++)
      sum += area(get_shape().get());
    // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: 'Body::total' asks 'Body::get_shape' for a copy of the shared pointer 'Body::shape' to look at its object, on every turn of a loop
    return sum;
  }
};
class Part {
  std::shared_ptr<Shape> shape;

public:
  bool is_large() const {
    auto now = shape;
    // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'Part::is_large' copies the shared pointer 'Part::shape' to look at its object
    return area(now.get()) > 10;
  }
};

// ---- From here on: nothing.

std::shared_ptr<Shape> kept;
void keep(std::shared_ptr<Shape>);
class Right {
  std::shared_ptr<Shape> shape;
  std::atomic<int> asked;

public:
  std::shared_ptr<Shape> get_shape() const { return shape; }
  const std::shared_ptr<Shape> &shape_by_reference() const { return shape; }
  // The fix; and who keeps the copy, or gives it on.
  double total(int n) const {
    double sum = 0;
    for (int i = 0; i < n; i++)
      sum += area(shape_by_reference().get());
    return sum;
  }
  double hold(int n) const {
    auto now = shape;
    for (int i = 0; i < n; i++)
      keep(get_shape());
    kept = now;
    return area(now.get());
  }
};
// Another object on each turn, each with its count.
double each(const Body *bodies, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += area(bodies[i].get_shape().get());
  return sum;
}
