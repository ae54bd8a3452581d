// A maximum with static storage, and one in a field: one finding says both.
// RUN: %check_tidy %s linesman-global-write,linesman-redundant-store %t
#include "threads.h"
namespace std {
template <typename T> const T &max(const T &a, const T &b);
} // namespace std

std::atomic<long> peak{0};
void raise(long value) {
  long seen = peak.load();
  while (!peak.compare_exchange_weak(seen, std::max(seen, value)))
    ;
  // CHECK-MESSAGES: :[[@LINE-2]]:11: warning: 'peak' has static storage, and 'raise' updates it, in a loop: its cache line moves to the core that runs the call and away from all others; update it less often, and test first whether it has to change [
}

struct Peaks {
  std::atomic<long> high{0};
};
Peaks peaks;
void raiseField(long value) {
  long seen = peaks.high.load();
  while (!peaks.high.compare_exchange_weak(seen, std::max(seen, value)))
    ;
  // CHECK-MESSAGES: :[[@LINE-2]]:11: warning: 'peaks.high' has static storage
}
