// RUN: %check_tidy %s linesman-redundant-store %t
// What a function has just made is its own, also behind a smart pointer.
#include "threads.h"
namespace std {
template <typename T> struct shared_ptr {
  shared_ptr(const shared_ptr &);
  shared_ptr(shared_ptr &&);
  ~shared_ptr();
  T *operator->() const;
};
template <typename T> shared_ptr<T> make_shared();
template <typename T> T &&move(T &);
} // namespace std

enum class State { Pending, Failed };
struct Core {
  std::atomic<State> state;
  int problem;
};
class Promise {
  std::shared_ptr<Core> core;

public:
  explicit Promise(std::shared_ptr<Core> &&made) : core(std::move(made)) {}
  static Promise failed(int problem) {
    auto core = std::make_shared<Core>();
    core->problem = problem;
    core->state = State::Failed;
    return Promise(std::move(core));
  }
  // One that others have.
  static void fail(const std::shared_ptr<Core> &core, int problem) {
    core->problem = problem;
    core->state = State::Failed;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: every call of 'Promise::fail' stores the same constant to 'Core::state', also when it is already there
    ++core->problem;
  }
  void retry() {
    if (core->state != State::Failed)
      return;
    core->problem = 0;
    core->state = State::Pending;
  }
};
Promise refuse(int problem) { return Promise::failed(problem); }
