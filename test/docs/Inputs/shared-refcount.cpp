#include <atomic>
struct Rep {
  std::atomic<int> refs;
  void ref();
};
struct String {
  String();
  Rep *rep;
};
PAGE
