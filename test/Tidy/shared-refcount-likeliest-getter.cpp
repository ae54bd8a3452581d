// RUN: split-file %s %t
// RUN: %check_tidy %t/one.cpp linesman-shared-refcount %t.one -- -std=c++20 -I%S/Inputs
// RUN: %check_tidy %t/right.cpp linesman-shared-refcount %t.right -- -std=c++20 -I%S/Inputs
// A getter that one call asks for a look at the object, or whose pointer
// somebody may replace: of those of a unit, the one that is asked most.
//--- one.cpp
#include "shared_ptr.h"

struct Shape {
  int size;
};
class Body {
  std::shared_ptr<Shape> shape, other;

public:
  std::shared_ptr<Shape> get_shape() const { return shape; }
  std::shared_ptr<Shape> get_other() const { return other; }
  void change(std::shared_ptr<Shape> next) { shape = next; }
};
int sizes(const Body &a, const Body &b) {
  return a.get_shape()->size + b.get_shape()->size;
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'sizes' asks 'Body::get_shape' for a copy of the shared pointer 'Body::shape' to look at its object, as 2 calls of this unit do; {{.*}} let 'Body::get_shape' return a reference, unless one thread replaces the pointer while another looks
}
int size(const Body &a) { return a.get_other()->size; }
//--- right.cpp
#include "shared_ptr.h"

struct Shape {
  int size;
};
// The fix, and who keeps what he gets.
class Body {
  std::shared_ptr<Shape> shape, kept;

public:
  const std::shared_ptr<Shape> &get_shape() const { return shape; }
  std::shared_ptr<Shape> get_kept() const { return kept; }
};
int size(const Body &a) { return a.get_shape()->size; }
void keep(std::shared_ptr<Shape>);
void give(const Body &a) { keep(a.get_kept()); }
