// RUN: %check_tidy %s linesman-adjacent-writers %t
#include "threads.h"
// The cells of a queue of many producers and consumers: threads take them one
// after the other.
template <typename T, typename Cell> class Queue {
  Cell *cells;
  size_t mask;
  alignas(64) std::atomic<size_t> head;
  alignas(64) std::atomic<size_t> tail;

public:
  bool push(T value) {
    Cell *cell;
    size_t at = tail.load();
    for (;;) {
      cell = &cells[at & mask];
      if (cell->turn.load() != at)
        return false;
      if (tail.compare_exchange_weak(at, at + 1))
        break;
    }
    cell->value = value;
    cell->turn.store(at + 1);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: threads take the cells of 'Queue::cells' one after the other, by 'Queue::{{head|tail}}', and write them, here in 'Queue::push'; cells are 16 bytes apart, so up to 4 share a cache line of 64: who has one cell waits for those who have its neighbours; pad each to a line, for 48 bytes a cell, or let neighbouring positions pick cells that are a line apart
    return true;
  }
  bool pop(T &value) {
    size_t at = head.fetch_add(1);
    Cell &cell = cells[at & mask];
    if (cell.turn.load() != at + 1)
      return false;
    value = cell.value;
    cell.turn.store(at + mask + 1);
    return true;
  }
};

struct Near {
  std::atomic<size_t> turn;
  int value;
};
struct alignas(64) Far {
  std::atomic<size_t> turn;
  int value;
};
bool use(Queue<int, Near> &near, Queue<int, Far> &far, int &value) {
  return near.push(1) && near.pop(value) && far.push(1) && far.pop(value);
}

// One producer and one consumer: each goes through whole lines.
class Single {
  Near cells[256];
  alignas(64) std::atomic<size_t> head;
  alignas(64) std::atomic<size_t> tail;

public:
  void push(int value) {
    size_t at = tail.load();
    cells[at % 256].value = value;
    cells[at % 256].turn.store(at + 1);
    tail.store(at + 1);
  }
  int pop() {
    size_t at = head.load();
    int value = cells[at % 256].value;
    cells[at % 256].turn.store(0);
    head.store(at + 1);
    return value;
  }
};
