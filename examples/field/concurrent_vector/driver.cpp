// One thread reads elements of a vector, another one appends to it: what
// concurrent_vector is for.

#include "pair.h"
#include <oneapi/tbb/concurrent_vector.h>

using Vector = tbb::concurrent_vector<int>;
Vector *Shared;

int main(int Argc, char **Argv) {
  Shared = placeOnLine<Vector>(1024);
  return measurePair(
      Argc, Argv, "read", [](uint64_t Call) { keep((*Shared)[Call % 1024]); },
      "push_back", [](uint64_t Call) { Shared->push_back(Call); });
}
