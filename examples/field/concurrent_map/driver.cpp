// One thread looks up keys, another one inserts new ones.

#include "pair.h"
#include <oneapi/tbb/concurrent_map.h>

using Map = tbb::concurrent_map<uint64_t, uint64_t>;
Map *Shared;

int main(int Argc, char **Argv) {
  Shared = placeOnLine<Map>();
  for (uint64_t Key = 0; Key != 64; ++Key)
    Shared->emplace(Key, Key);
  return measurePair(
      Argc, Argv, "find", [](uint64_t Call) { keep(Shared->find(Call % 64)); },
      "insert", [](uint64_t Call) { Shared->emplace(64 + Call, Call); });
}
