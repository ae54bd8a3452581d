// A loop that stores the same constant on every turn, and what the turn runs.
// RUN: %check_tidy %s linesman-redundant-store %t
#include "threads.h"

struct Run {
  std::atomic<int> checks;
  std::atomic<bool> is_alive;
};
Run run;
long sum_of(const int *all, int n);

void positive(const int *all, int n, long *into) {
  for (int i = 0; i < n; i++) {
    run.is_alive.store(true);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: this loop stores the same constant to 'Run::is_alive' on every turn
    into[i] = sum_of(all, i);
  }
}
bool is_alive() { return run.is_alive.load(); }

// ---- From here on: nothing.

// What a turn calls by a pointer counts, and the next turn starts anew.
void check(bool holds) {
  if (!holds)
    run.checks.fetch_add(1);
}
int failed() { return run.checks.load(); }
void all_tests(void (*const *tests)(), int n) {
  for (int i = 0; i < n; i++) {
    run.checks.store(0);
    tests[i]();
  }
}
struct Test {
  virtual void body() = 0;
};
namespace std {
template <class F> struct function;
template <> struct function<void()> {
  void operator()() const;
};
} // namespace std
void all_held(const std::function<void()> *tests, int n) {
  for (int i = 0; i < n; i++) {
    run.checks.store(0);
    tests[i]();
  }
}
void all_cases(Test *const *tests, int n) {
  for (int i = 0; i < n; i++) {
    run.checks.store(0);
    tests[i]->body();
  }
}
