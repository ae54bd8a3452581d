// A header's inline function that nothing here calls counts in a variable that
// this unit defines: other units call it, and the variable is here. What other
// units define is theirs to report.
// RUN: %clang-tidy --load %tidy_plugin --checks='-*,linesman-global-write' --header-filter='.*' %s -- -std=c++20 -nostdinc++ -I%S/Inputs 2>&1 | FileCheck %s --implicit-check-not=warning:
// CHECK: transaction-header.h:7:18: warning: 'Transaction::last_number' has static storage, and 'Transaction::begin' updates it
#include "transaction-header.h"
std::atomic<long> Transaction::last_number;
