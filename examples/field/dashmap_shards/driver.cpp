// One thread looks up keys, another one gives keys new values.

#include "pair.h"

extern "C" {
void prepare();
uint64_t find(uint64_t Key);
void insert(uint64_t Key);
}

int main(int Argc, char **Argv) {
  prepare();
  return measurePair(
      Argc, Argv, "find", [](uint64_t Call) { keep(find(Call % 1024)); },
      "insert", [](uint64_t Call) { insert(Call * 7919 % 1024); });
}
