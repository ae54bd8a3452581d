// Numbers of the C library's generator that a function draws for whoever calls
// it, in a unit without main(), and what calls rand() by itself.
// RUN: split-file %s %t
// RUN: %check_tidy %t/draw.cpp linesman-global-write %t.draw -- -std=c++14 -fopenmp
// RUN: %check_tidy %t/right.cpp linesman-global-write %t.right -- -std=c++14
// RUN: %check_tidy %t/program.cpp linesman-global-write %t.program -- -std=c++14
//--- draw.cpp
#include <stdlib.h>
double random_between(double least, double most) {
  return rand() / (double)RAND_MAX * (most - least) + least;
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'rand' has one state for all threads that may call 'random_between', and each call changes it
}

//--- right.cpp
#include <stdlib.h>
// The fix.
double random_between(unsigned *own, double least, double most) {
  return rand_r(own) / (double)RAND_MAX * (most - least) + least;
}
// It does more than to draw, or gives nothing back.
int seed_of_table(int *table, int size) {
  int first = table[0];
  for (int i = 0; i < size; ++i)
    table[i] = 0;
  first += rand();
  table[0] = first;
  return first;
}
void fill(int *to) { *to = rand(); }
//--- program.cpp
#include <stdlib.h>
int dice() { return rand() % 6; }
int main() { return dice(); }
