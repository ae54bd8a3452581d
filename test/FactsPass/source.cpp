// Facts of a compile, at -O0 and optimised, with places in the source.
// RUN: %clangxx -std=c++17 -O0 -g -fpass-plugin=%facts_plugin %s -o %t.O0
// RUN: %python %S/Inputs/dump_facts.py --check %t.O0 | FileCheck %s --check-prefixes=CHECK,O0
// RUN: %clangxx -std=c++17 -O2 -g -fpass-plugin=%facts_plugin %s -o %t.O2
// RUN: %python %S/Inputs/dump_facts.py --check %t.O2 | FileCheck %s --check-prefixes=CHECK,O2
// RUN: %clangxx -std=c++17 -O2 -fpass-plugin=%facts_plugin %s -o %t.no-debug
// RUN: %python %S/Inputs/dump_facts.py --check %t.no-debug | FileCheck %s --check-prefix=BARE
// Compiled to IR first, the facts are there once.
// RUN: %clangxx -std=c++17 -O2 -fpass-plugin=%facts_plugin -emit-llvm -c %s -o %t.bc
// RUN: %clangxx -O2 -fpass-plugin=%facts_plugin %t.bc -o %t.twice
// RUN: %python %S/Inputs/dump_facts.py --check %t.twice | FileCheck %s --check-prefix=BARE
// Functions that -fmerge-functions removes must leave no COMDAT group behind.
// RUN: %clangxx -std=c++17 -O2 -Xclang -fmerge-functions -fpass-plugin=%facts_plugin %s -o %t.merged
#include <atomic>
#include <cstdlib>
#include <mutex>

static int counter;
std::mutex lock;
std::atomic<int> total;
int early = std::rand();

// O0-DAG: _Z6lockedv: lock [{{.*}}source.cpp:[[#@LINE-4]]] atomic 40 at 0 weight 1 {{.*}}source.cpp:[[#@LINE+3]]
// O2-DAG: _Z6lockedv: lock [{{.*}}source.cpp:[[#@LINE-5]]] atomic 40 at 0
__attribute__((noinline)) void locked() {
  std::lock_guard<std::mutex> Guard(lock);
  ++counter;
}

// CHECK-DAG: main: total [{{.*}}] atomic {{4|\?}} at 0
// CHECK-DAG: initializer: early [{{.*}}] write 4 at 0 weight 1
// BARE: main: total atomic 4 at 0 weight 1{{$}}
int main() {
  locked();
  ++total;
}
