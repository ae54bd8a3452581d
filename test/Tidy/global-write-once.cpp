// What is handed to call_once() or pthread_once() runs once.
// RUN: %check_tidy %s linesman-global-write %t
#include "threads.h"

namespace std {
struct once_flag {
  int state;
};
template <typename F> void call_once(once_flag &once, F run) {
  if (once.state++ == 0)
    run();
}
} // namespace std
extern "C" int pthread_once(int *control, void (*run)());

std::atomic<long> started, prepared, called, opened, closed;
std::once_flag once;
int control;

void start() {
  std::call_once(once, [] { started.fetch_add(1); });
}

static void prepare() { prepared.fetch_add(1); }
void begin() { pthread_once(&control, &prepare); }

// Anybody's guess what else is done with a lambda.
template <typename F> void post(F run) {
  run();
}
void submit() {
  post([] { called.fetch_add(1); });
  // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'called' has static storage
}

// Also called each time.
static void open() {
  opened.fetch_add(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'opened' has static storage
}
void work() {
  pthread_once(&control, open);
  open();
}

// Handed to somebody else.
void on_each(void (*run)());
static void close() {
  closed.fetch_add(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'closed' has static storage
}
void watch() { on_each(close); }
