// Threads of C++: their entries, and where their locks are taken.
// RUN: %clangxx -std=c++20 -O0 -g -S -emit-llvm %s -o %t.O0.ll
// RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.O0.ll 2>&1 | FileCheck %s
// RUN: %clangxx -std=c++20 -O2 -g -S -emit-llvm %s -o %t.O2.ll
// RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.O2.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,O2
#include <future>
#include <mutex>
#include <thread>

int total;
std::mutex lock;

// O2-LABEL: {{^}}_Z3addi:
// O2-NEXT: lock [
// O2-NEXT: atomic 16 at 0 weight {{.*}}threads.cpp:[[#@LINE+2]]
__attribute__((noinline)) void add(int N) {
  std::lock_guard<std::mutex> Guard(lock);
  total += N;
}

// The function, not what calls it for std::thread.
// CHECK-LABEL: {{^}}_Z8functionv:
// CHECK: {{^}}  {{[0-9]+}} start _Z3addi
__attribute__((noinline)) std::thread function() {
  return std::thread(add, 1);
}

// O2-LABEL: {{^}}_Z6lambdav:
// O2: {{^}}  {{[0-9]+}} start _ZNSt6thread11_State_impl{{.*}}Z6lambdavE{{.*}}6_M_runEv
__attribute__((noinline)) std::thread lambda() {
  return std::thread([] { total = 2; });
}

// CHECK-LABEL: {{^}}_Z5asyncv:
// CHECK: {{^}}  {{[0-9]+}} start _Z3addi
__attribute__((noinline)) std::future<void> async() {
  return std::async(std::launch::async, add, 3);
}

// CHECK-LABEL: {{^}}main:
// CHECK: total [
// CHECK-NEXT: write 4 at 0 weight {{.*}} after 0
int main() {
  total = 4;
  std::thread One = function(), Two = lambda();
  async().get();
  One.join();
  Two.join();
}
