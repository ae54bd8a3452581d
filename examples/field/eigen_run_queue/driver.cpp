// A worker of Eigen's thread pool puts tasks into its own queue and takes them
// out again, at the front; others do so at the back: they steal, or hand in
// tasks from outside of the pool.

#include "pair.h"
#include <eigen3/unsupported/Eigen/CXX11/ThreadPool>
#include <functional>

using Queue = Eigen::RunQueue<std::function<void()>, 1024>;
Queue *Shared;

int main(int Argc, char **Argv) {
  Shared = placeOnLine<Queue>();
  for (unsigned Task = 0; Task != 500; ++Task)
    Shared->PushFront([] {});
  return measurePair(
      Argc, Argv, "front",
      [](uint64_t) {
        Shared->PushFront([] {});
        keep(Shared->PopFront());
      },
      "back",
      [](uint64_t) {
        Shared->PushBack([] {});
        keep(Shared->PopBack());
      });
}
