// Findings in a header: nothing without -header-filter, each check's one with it.
// RUN: %check_tidy %s 'linesman-*' %t --header-filter=none
// RUN: %clang-tidy --load %tidy_plugin --checks='-*,linesman-*' --header-filter='.*' %s -- -std=c++20 -nostdinc++ -I%S/Inputs 2>&1 | FileCheck %s --check-prefix=HEADER --implicit-check-not=warning:
// HEADER: hot-header.h:7:16: warning: 'Cache::hits' (offset 0) is updated here{{.*}} [linesman-adjacent-hot-fields]
// HEADER: hot-header.h:12:21: warning: 'Queue::tail' (offset 8) is on the cache line{{.*}} [linesman-broken-isolation]
// HEADER: hot-header.h:15:24: warning: 'requests' has static storage{{.*}} [linesman-global-write]
// HEADER: hot-header.h:18:10: warning: this loop writes 'locked'{{.*}} [linesman-redundant-store]
// HEADER: hot-header.h:23:23: warning: each thread writes its own element of 'slots' here{{.*}} [linesman-thread-slot]
// HEADER: hot-header.h:28:5: warning: 'Index::find' promises not to change the object, but writes 'Index::lookups'{{.*}} [linesman-const-path-write]
// HEADER: hot-header.h:39:33: warning: 'share' counts 'Rep::refs' of the static 'empty_rep'{{.*}} [linesman-shared-refcount]
// sentinel-write has a test of its own. A static of a header is another variable in each unit: no finding of
// write-only-global.
#include "hot-header.h"
long use(Cache &C, const Index &I) {
  C.hit();
  handle();
  serve();
  remember();
  share();
  return C.fits(3) + I.find(1);
}
void wait() { lock(); }
