// A lock of a header that only a guard of the standard library takes.
// RUN: %check_tidy %s linesman-redundant-store %t --header-filter='.*'
#include "spin-header.h"
struct Pool {
  HeaderSpin lock;
  int taken = 0;
  void take() {
    std::scope_guard<HeaderSpin> guard(lock);
    taken++;
  }
};
// CHECK-MESSAGES: spin-header.h:10:13: warning: this loop writes 'HeaderSpin::word', in 'HeaderSpin::try_lock', on every turn while it waits
