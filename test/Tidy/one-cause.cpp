// What two checks say of one write is one finding with both reasons, whatever
// order the host calls them in.
// RUN: %check_tidy %s "linesman-global-write,linesman-adjacent-hot-fields" %t
// RUN: %check_tidy -check-suffix=ALONE %s linesman-global-write %t
#include "threads.h"

struct Server {
  std::atomic<long> next_id;
  int threads = 4;
};
Server server;
long next() {
  return server.next_id.fetch_add(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'Server::next_id' (offset 0) is updated here, in 'next', and may share its cache line with 'Server::threads' (offset 8), which 'idle' reads and no operation of this unit changes: each update makes the other cores' next read a miss; keep them a line apart; the word itself moves between the cores that update it, too: one copy per thread ends both [linesman-adjacent-hot-fields]
  // CHECK-MESSAGES-ALONE: :[[@LINE-2]]:10: warning: 'server.next_id' has static storage, and 'next' updates it
}
bool idle(int N) { return N < server.threads; }

// Nobody suffers beside it: the other check's finding.
struct Plain {
  std::atomic<long> hits;
};
Plain plain;
void hit() {
  plain.hits++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'plain.hits' has static storage, and 'hit' updates it: {{.*}} [linesman-global-write]
  // CHECK-MESSAGES-ALONE: :[[@LINE-2]]:3: warning: 'plain.hits' has static storage
}
