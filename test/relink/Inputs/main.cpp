// One object of every kind that can be isolated, each among neighbours, and a
// program that ends with 0 only when their values are what the source says.
#include "objects.h"
#include <cstdio>

long before_zeros = 0, zeros[5] = {}, after_zeros = 0;
long before_values = 1, values[5] = {10, 20, 30, 40, 50}, after_values = 2;
long *before_pointer = &before_values, *pointer = &values[2],
     *after_pointer = &after_values;
namespace {
long hidden = 3;
}
static long nextId() {
  static long last = 40;
  return ++last;
}
extern const long constant = 5;
const long *volatile keep = &constant;
thread_local long per_thread = 6;

int main() {
  zeros[4] += 1;
  hidden += zeros[4];
  common_counter += 2;
  long Sum = hidden + nextId() + nextId() + common_counter + *pointer +
             Table<long>::shared[2] + others() + *keep + per_thread;
  for (long V : values)
    Sum += V;
  std::printf("%ld\n", Sum + before_zeros + after_zeros + *before_pointer +
                           *after_pointer);
}
