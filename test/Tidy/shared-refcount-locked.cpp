// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-shared-refcount %t
// A getter that takes a lock to copy a shared pointer that is replaced now and
// then: whoever asks moves the lines of both.
#include "threads.h"
#include "shared_ptr.h"

struct Rules {
  int limit;
  int find(int) const;
};

static std::mutex lock;
static std::shared_ptr<Rules> rules;
std::shared_ptr<Rules> current() {
  std::lock_guard<std::mutex> hold(lock);
  return rules;
}
void replace(std::shared_ptr<Rules> with) {
  std::lock_guard<std::mutex> hold(lock);
  rules = with;
}
int route(int key) {
  auto now = current();
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: 'route' asks 'current' for a copy of the shared pointer 'rules' to look at its object, and 'current' takes a lock to copy: the cache lines of the lock and of the count move to the core that asks and away from all others; keep a copy per thread, and ask again only when the pointer has changed
  return now->find(key);
}

class Filter {
  mutable std::mutex own;
  std::shared_ptr<Rules> rules;

public:
  std::shared_ptr<Rules> get() const {
    std::lock_guard<std::mutex> hold(own);
    return rules;
  }
  void set(std::shared_ptr<Rules> with) {
    std::lock_guard<std::mutex> hold(own);
    rules = with;
  }
  bool allows(int n) const { return n < get()->limit; }
  // CHECK-MESSAGES: :[[@LINE-1]]:41: warning: 'Filter::allows' asks 'Filter::get' for a copy of the shared pointer 'Filter::rules' to look at its object, and 'Filter::get' takes a lock to copy
};

// ---- From here on: nothing.

// Who keeps the copy needs it; and a session's is its own.
std::shared_ptr<Rules> kept;
void keep() { kept = current(); }
class Session {
  mutable std::mutex own;
  std::shared_ptr<Rules> peer;

public:
  std::shared_ptr<Rules> get() const {
    std::lock_guard<std::mutex> hold(own);
    return peer;
  }
  void set(std::shared_ptr<Rules> with) {
    std::lock_guard<std::mutex> hold(own);
    peer = with;
  }
};
int ask(const Session &session) { return session.get()->limit; }
// The program stops.
class Server {
  std::mutex own;
  std::shared_ptr<Rules> last;

public:
  std::shared_ptr<Rules> get() {
    std::lock_guard<std::mutex> hold(own);
    return last;
  }
  void set(std::shared_ptr<Rules> with) {
    std::lock_guard<std::mutex> hold(own);
    last = with;
  }
  void shutdown() { get()->find(0); }
};
