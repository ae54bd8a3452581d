// Words that two functions of a header change, and three.
#include <atomic>

class Countdown {
  std::atomic<int> left;

public:
  bool reach(int By) { return left.fetch_sub(By) == By; }
  void extend(int By) { left.fetch_add(By); }
};
class Queue {
  std::atomic<long> size;

public:
  void push() { size.fetch_add(1); }
  void pop() { size.fetch_sub(1); }
  void drop(long Many) { size.fetch_sub(Many); }
};
