// Two threads, each with a cell of its own that others may use: one reads its
// cell, the other one writes its cell. The locks of the two are neighbours.

#include "pair.h"

struct Cell;
extern "C" {
const Cell *make_cell(uint64_t Lock);
uint64_t load(const Cell *Own);
void store(const Cell *Own, uint64_t Value);
}

int main(int Argc, char **Argv) {
  const Cell *Read = make_cell(9), *Written = make_cell(10);
  return measurePair(
      Argc, Argv, "load", [=](uint64_t) { keep(load(Read)); }, "store",
      [=](uint64_t Call) { store(Written, Call); });
}
