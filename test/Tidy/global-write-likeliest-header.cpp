// A header's word would be the likeliest one of each unit that includes it:
// two functions are not enough.
// RUN: split-file %s %t
// RUN: %clang-tidy --load %tidy_plugin --checks='-*,linesman-*' --quiet --header-filter='.*' %t/two.cpp -- -std=c++20 -I%S/Inputs 2>&1 | FileCheck %s --check-prefix=TWO --allow-empty --implicit-check-not=warning:
// RUN: %clang-tidy --load %tidy_plugin --checks='-*,linesman-*' --quiet --header-filter='.*' %t/three.cpp -- -std=c++20 -I%S/Inputs 2>&1 | FileCheck %s --check-prefix=THREE --implicit-check-not=warning:
// TWO-NOT: error
// THREE: likely-header.h:15:17: warning: 'Queue::size' is one atomic word for all threads that have the object, and 3 functions change it, here 'Queue::push'

//--- two.cpp
#include "likely-header.h"
bool finish(Countdown &Given) { return Given.reach(2); }
void more(Countdown &Given) { Given.extend(1); }
//--- three.cpp
#include "likely-header.h"
void move(Queue &From, Queue &To) {
  From.pop();
  To.push();
  From.drop(2);
}
