// Two threads, each with a stream of its own that has no buffer yet.

#include "pair.h"

extern "C" void takeAndGiveBack(); // buffer.c

int main(int Argc, char **Argv) {
  auto Operation = [](uint64_t) { takeAndGiveBack(); };
  return measurePair(Argc, Argv, "take-give-back", Operation, "other",
                     Operation);
}
