// The second object: it has the inline variable too, and namesakes of main.cpp's
// hidden objects.
#include "objects.h"

namespace {
long hidden = 100;
}
static long nextId() {
  static long last = 200;
  return ++last;
}
long others() {
  hidden += 1;
  Table<long>::shared[1] += 1;
  return hidden + nextId() + Table<long>::shared[0];
}
