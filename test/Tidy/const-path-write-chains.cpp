// RUN: %check_tidy %s linesman-const-path-write %t
#include "threads.h"
// What an expression makes and chains belongs to it: `fill(m) << 1, 2, 3;`.
struct Matrix {
  double values[9];
  std::mutex lock;
};
class Filler {
  Matrix *target;
  mutable long next;

public:
  explicit Filler(Matrix *matrix) : target(matrix), next(0) {}
  const Filler &operator,(double value) const {
    target->values[next] = value;
    ++next;
    return *this;
  }
};

// A named method that gives the object back is no chain's operator, and an
// operator that gives something else is none either.
class Table {
  std::mutex lock;
  long size;
  mutable long lookups;

public:
  const Table &look(long key) const {
    if (key < size)
      ++lookups;
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'Table::look' promises not to change the object, but writes 'Table::lookups'
    return *this;
  }
};
class Set {
  std::mutex lock;
  long size;
  mutable long lookups;

public:
  long operator[](long key) const {
    ++lookups;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Set::operator[]' promises not to change the object, but writes 'Set::lookups'
    return key < size;
  }
};
