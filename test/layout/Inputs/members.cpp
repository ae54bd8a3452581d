// Objects with members of every kind, each accessed by worker threads. Blocks of
// 64 bytes keep the objects on lines of their own, whatever the compiler.
#include "members-late.h"
#include <pthread.h>

namespace app {

struct Counted {
  long id;
};

struct alignas(64) Stats : Counted {
  struct {
    int key, level;
  } last;
  union {
    int number;
    double fraction;
  };
  union Value {
    struct {
      int lock, owner;
    } data;
    char bytes[16];
  } value;
  unsigned low : 3, high : 5;
  unsigned short flags;
  char unused[4];
};

struct alignas(64) Slot {
  long state;
  long next[3];
};

Stats stats;
Slot slots[3];
alignas(64) short grid[2][64];

template <class T> struct alignas(64) Node {
  Node *back = nullptr;
  T key{}, level{};
  static Node nil;
};
template <class T> Node<T> Node<T>::nil;

Late late;
Outer outer;

static int touchStatic(int by) {
  struct Local {
    int first, second;
  };
  alignas(64) static Local local;
  local.second += by;
  return local.first;
}

} // namespace app

using namespace app;

extern "C" __attribute__((noinline)) void *work(void *from) {
  int by = *static_cast<int *>(from);
  stats.id = by;
  stats.last.level += by;
  stats.fraction = by;
  __atomic_fetch_add(&stats.value.data.owner, 1, __ATOMIC_RELAXED);
  stats.flags = by;
  slots[1].state = slots[2].next[1];
  slots[2].next[1] = by;
  grid[1][3] = by;
  Node<long>::nil.back = reinterpret_cast<Node<long> *>(from);
  late.part.deep += late.first;
  outer.root.deepest = by;
  return reinterpret_cast<void *>(touchStatic(by) + Node<long>::nil.key + Node<long>::nil.level);
}

int main(int argc, char **) {
  pthread_t threads[2];
  for (pthread_t &thread : threads)
    pthread_create(&thread, nullptr, work, &argc);
  for (pthread_t &thread : threads)
    pthread_join(thread, nullptr);
}
