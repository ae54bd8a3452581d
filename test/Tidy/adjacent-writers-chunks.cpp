// RUN: %check_tidy %s linesman-adjacent-writers %t
#include "threads.h"
extern "C" void *malloc(size_t);
extern "C" void free(void *);
extern "C" int posix_memalign(void **, size_t, size_t);

// A list of chunks: one thread moves its end, another its start, and they hand
// an empty chunk back through an atomic pointer.
template <class T> class Chunks {
  struct Chunk {
    T cells[128];
    Chunk *next;
  };
  Chunk *first, *last;
  int first_at = 0, last_at = 0;
  std::atomic<Chunk *> spare{nullptr};

public:
  void push(const T &value) {
    last->cells[last_at] = value;
    if (++last_at != 128)
      return;
    Chunk *next = spare.exchange(nullptr);
    if (!next)
      next = (Chunk *)malloc(sizeof(Chunk));
    // CHECK-MESSAGES: :[[@LINE-1]]:23: warning: chunks of 'Chunks::Chunk' come from 'malloc' here, which aligns them to less than a line: one thread fills the cells of one chunk while another empties those of a second, and where one ends and the other begins they write the same line; allocate chunks at multiples of 64 bytes
    last->next = next;
    last = next;
    last_at = 0;
  }
  void pop() {
    if (++first_at != 128)
      return;
    Chunk *old = first;
    first = first->next;
    first_at = 0;
    free(spare.exchange(old));
  }
};
template class Chunks<int>;

// The cure: chunks start on a line.
class Aligned {
  struct Chunk {
    int cells[128];
    Chunk *next;
  };
  Chunk *first, *last;
  int first_at = 0, last_at = 0;
  std::atomic<Chunk *> spare{nullptr};

public:
  void push(int value) {
    last->cells[last_at] = value;
    if (++last_at != 128)
      return;
    Chunk *next = spare.exchange(nullptr);
    if (!next) {
      void *memory = nullptr;
      posix_memalign(&memory, 64, sizeof(Chunk));
      next = (Chunk *)memory;
    }
    last->next = next;
    last = next;
    last_at = 0;
  }
  void pop() {
    if (++first_at != 128)
      return;
    Chunk *old = first;
    first = first->next;
    first_at = 0;
    free(spare.exchange(old));
  }
};
class Declared {
  struct alignas(64) Chunk {
    int cells[128];
    Chunk *next;
  };
  Chunk *first, *last;
  std::atomic<Chunk *> spare{nullptr};

public:
  void push() {
    Chunk *next = spare.exchange(nullptr);
    if (!next)
      next = new Chunk;
    last = last->next = next;
  }
  void pop() {
    Chunk *old = first;
    first = first->next;
    delete spare.exchange(old);
  }
};

// One thread's list: nothing says that the ends are two threads'.
class Plain {
  struct Chunk {
    int cells[128];
    Chunk *next;
  };
  Chunk *first, *last, *spare = nullptr;

public:
  void push() {
    Chunk *next = spare ? spare : new Chunk;
    spare = nullptr;
    last = last->next = next;
  }
  void pop() {
    spare = first;
    first = first->next;
  }
};
// One function moves both ends.
class Pool {
  struct Chunk {
    int cells[128];
    Chunk *next;
  };
  Chunk *first, *last;
  std::atomic<Chunk *> spare{nullptr};

public:
  void turn() {
    Chunk *next = spare.exchange(nullptr);
    if (!next)
      next = new Chunk;
    last = last->next = next;
    first = first->next;
  }
  void give(Chunk *old) { delete spare.exchange(old); }
};
void use(Aligned &a, Declared &d, Plain &p, Pool &o) {
  a.push(1);
  a.pop();
  d.push();
  d.pop();
  p.push();
  p.pop();
  o.turn();
}
