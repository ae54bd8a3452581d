// Two threads, each in critical sections of a name of its own. Names are there
// so that sections that have nothing to do with each other do not wait for each
// other.

#include "pair.h"

static struct {
  alignas(128) uint64_t Read = 0;
  alignas(128) uint64_t Written = 0;
} Totals;

int main(int Argc, char **Argv) {
  return measurePair(
      Argc, Argv, "count-read",
      [](uint64_t) {
#pragma omp critical(totals_read)
        ++Totals.Read;
      },
      "count-written",
      [](uint64_t) {
#pragma omp critical(totals_written)
        ++Totals.Written;
      });
}
