// One thread looks up keys, another one inserts new ones.

#include "pair.h"
#include <oneapi/tbb/concurrent_unordered_map.h>

using Map = tbb::concurrent_unordered_map<uint64_t, uint64_t>;
Map *Shared;

int main(int Argc, char **Argv) {
  Shared = placeOnLine<Map>();
  for (uint64_t Key = 0; Key != 1024; ++Key)
    Shared->emplace(Key, Key);
  return measurePair(
      Argc, Argv, "find",
      [](uint64_t Call) { keep(Shared->find(Call % 1024)); }, "insert",
      [](uint64_t Call) { Shared->emplace(1024 + Call, Call); });
}
