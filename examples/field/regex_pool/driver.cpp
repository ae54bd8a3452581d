// Two threads match short texts with the same expression. The first that does
// owns a place in the expression's pool, the other one takes from its stack.

#include "pair.h"

extern "C" {
void prepare();
bool matches(const char *Text);
}

int main(int Argc, char **Argv) {
  prepare();
  std::atomic<bool> Owned = false;
  return measurePair(
      Argc, Argv, "match-owner",
      [&](uint64_t Call) {
        keep(matches("abcdef12"));
        if (Call == 0)
          Owned = true;
      },
      "match-other",
      [&](uint64_t Call) {
        while (Call == 0 && !Owned)
          ;
        keep(matches("abcdef12"));
      });
}
