// Two threads, each with a shared_ptr of its own that others may exchange: each
// loads its own one atomically. The two share nothing but the pool of locks.

#include "pair.h"
#include <boost/smart_ptr/make_shared.hpp>
#include <boost/smart_ptr/shared_ptr.hpp>

struct Settings {
  alignas(64) boost::shared_ptr<int> Current;
};
Settings First, Second;

int main(int Argc, char **Argv) {
  First.Current = boost::make_shared<int>(1);
  Second.Current = boost::make_shared<int>(2);
  return measurePair(
      Argc, Argv, "load",
      [](uint64_t) { keep(boost::atomic_load(&First.Current)); }, "load-other",
      [](uint64_t) { keep(boost::atomic_load(&Second.Current)); });
}
