// Four threads with a counter each, two of which count. The first two have
// entries in allocations of their own, the third and the fourth have one
// together.

#include "pair.h"
#include <unistd.h>

extern "C" {
void prepare();
const uint64_t *count();
}
const uint64_t *Shared;

int main(int Argc, char **Argv) {
  prepare();
  count();
  std::atomic<bool> Counted = false;
  std::thread([&] {
    count();
    Counted = true;
    pause();
  }).detach();
  while (!Counted)
    ;
  return measurePair(
      Argc, Argv, "count",
      [](uint64_t Call) {
        const uint64_t *Own = count();
        if (Call == 0)
          Shared = Own;
      },
      "count-other", [](uint64_t) { count(); });
}
