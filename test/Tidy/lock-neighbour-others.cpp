// What else is used beside a lock: who only moves the named field still has it.
// RUN: %check_tidy %s linesman-lock-neighbour %t

#include "threads.h"

class Ends {
public:
  void push_back() {
    std::lock_guard<std::mutex> guard(mutex_);
    // CHECK-MESSAGES: :[[@LINE-1]]:33: warning: 'Ends::mutex_' (offset 0) is taken here, in 'Ends::push_back', and may share its cache line with 'Ends::front_' (offset 40), which 3 functions read without it: {{.*}}; keep them a line apart; also used there without it: 'Ends::back_' (offset 44){{$| \[linesman}}
    back_.fetch_sub(1);
  }
  void pop_back() {
    std::lock_guard<std::mutex> guard(mutex_);
    back_.fetch_add(1);
  }
  bool push_front() { return front_.load() != 7; }
  unsigned pop_front() { return front_.load(); }
  unsigned size() { return front_.load() - back_.load(); }

private:
  std::mutex mutex_;
  std::atomic<unsigned> front_{0};
  std::atomic<unsigned> back_{0};
  // Nobody changes it, so that it is no reason of its own.
  unsigned kind_ = 3;
};

void use(Ends &ends) {
  ends.push_back();
  ends.pop_back();
  ends.push_front();
  ends.pop_front();
  ends.size();
}
