// A header's inline function is reported by the units that run it, once, with
// the number of calls.
// RUN: %clang-tidy --load %tidy_plugin --checks='-*,linesman-global-write' --header-filter='.*' %s -- -std=c++20 -nostdinc++ -I%S/Inputs 2>&1 | FileCheck %s --implicit-check-not=warning:
// CHECK: unused-inline.h:5:34: warning: 'opened' has static storage, and 'note_open' updates it
// CHECK: unused-inline.h:5:20: note: 'note_open' is called in 3 places of this unit
#include "unused-inline.h"
void handle() {
  open_two();
  note_open();
}
