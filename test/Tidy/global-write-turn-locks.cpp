// Locks that a loop takes again on each of its short turns.
// RUN: %check_tidy %s linesman-global-write %t

#include "threads.h"

struct Bits {
  std::mutex mutex;
  unsigned char bytes[64];
};

void insert(Bits &bits, const int *hashes, int count) {
  for (int i = 0; i < count; ++i) {
    std::lock_guard<std::mutex> guard(bits.mutex);
    // CHECK-MESSAGES: :[[@LINE-1]]:39: warning: 'insert' takes the lock 'Bits::mutex' on each turn of this loop
    bits.bytes[hashes[i] / 8] |= 1 << (hashes[i] % 8);
  }
}

class Filter {
public:
  void insert(const int *hashes, int count) {
    for (int i = 0; i < count; ++i) {
      std::lock_guard<std::mutex> guard(mutex_);
      // CHECK-MESSAGES: :[[@LINE-1]]:41: warning: 'Filter::insert' takes the lock 'Filter::mutex_' on each turn of this loop, whose turns are short: {{.*}}; take it once around the loop, or gather what the turns have
      bytes_[hashes[i] / 8] |= 1 << (hashes[i] % 8);
    }
  }

private:
  std::mutex mutex_;
  unsigned char bytes_[64];
};

void use(Filter &filter, const int *hashes) { filter.insert(hashes, 7); }

static std::mutex all_lock;
static long all;

void add(std::vector<int> &parts) {
  for (int part : parts) {
    all_lock.lock();
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'add' takes the lock 'all_lock' on each turn of this loop
    all = part;
    all_lock.unlock();
  }
}

// The fix: once around the loop.
class FixedFilter {
public:
  void insert(const int *hashes, int count) {
    std::lock_guard<std::mutex> guard(mutex_);
    for (int i = 0; i < count; ++i)
      bytes_[hashes[i] / 8] |= 1 << (hashes[i] % 8);
  }

private:
  std::mutex mutex_;
  unsigned char bytes_[64];
};

void use(FixedFilter &filter, const int *hashes) { filter.insert(hashes, 7); }

// Another lock on each turn.
struct Node {
  Node *next;
  std::mutex mutex;
  long dropped;
};

long count(Node *head) {
  long sum = 0;
  Node *node = head;
  for (; node; node = node->next) {
    node->mutex.lock();
    sum += node->dropped;
    node->mutex.unlock();
  }
  return sum;
}

long count(Node **nodes, int all) {
  long sum = 0;
  for (int i = 0; i < all; ++i) {
    Node *node = nodes[i];
    node->mutex.lock();
    sum += node->dropped;
    node->mutex.unlock();
  }
  return sum;
}

// Not on each turn; turns that work long; a loop without end, which waits for
// work.
void work(int);
struct Queue {
  std::mutex mutex;
  int jobs;
  void sometimes(const int *to, int count) {
    for (int i = 0; i < count; ++i)
      if (to[i] == 7) {
        mutex.lock();
        jobs = i;
        mutex.unlock();
      }
  }
  void run(int count) {
    for (int i = 0; i < count; ++i) {
      mutex.lock();
      int job = jobs--;
      mutex.unlock();
      work(job);
    }
  }
  void serve() {
    for (;;) {
      mutex.lock();
      jobs = 0;
      mutex.unlock();
    }
  }
};

void use(Queue &queue, int *to) {
  queue.sometimes(to, 3);
  queue.run(4);
  queue.serve();
}
