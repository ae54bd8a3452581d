// One thread looks up keys, another one inserts and erases keys of its own: a
// cache in use.

#include "pair.h"
#include <oneapi/tbb/concurrent_hash_map.h>

using Map = tbb::concurrent_hash_map<uint64_t, uint64_t>;
Map *Shared;

int main(int Argc, char **Argv) {
  Shared = placeOnLine<Map>();
  for (uint64_t Key = 0; Key != 1024; ++Key)
    Shared->emplace(Key, Key);
  return measurePair(
      Argc, Argv, "find",
      [](uint64_t Call) {
        Map::const_accessor Found;
        keep(Shared->find(Found, Call % 512));
      },
      "insert-erase",
      [](uint64_t Call) {
        uint64_t Key = 1024 + Call % 512;
        Shared->emplace(Key, Key);
        Shared->erase(Key);
      });
}
