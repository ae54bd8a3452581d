// One thread locks and unlocks a mutex that no other thread uses; another one
// reads the standard input. The two have nothing to do with each other.

#include "pair.h"
#include <pthread.h>

static struct {
  alignas(128) pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
} Private;

int main(int Argc, char **Argv) {
  if (!std::freopen("/dev/zero", "r", stdin))
    return 1;
  return measurePair(
      Argc, Argv, "lock-unlock",
      [](uint64_t) {
        pthread_mutex_lock(&Private.Mutex);
        pthread_mutex_unlock(&Private.Mutex);
      },
      "getc", [](uint64_t) { keep(std::getc(stdin)); });
}
