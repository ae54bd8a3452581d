// Accesses through pointers, by type: from TBAA alone, with debug info, and at
// -O0 from the code itself.
// RUN: %clangxx -std=c++17 -O2 -S -emit-llvm %s -o %t.O2.ll
// RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.O2.ll 2>&1 | FileCheck %s
// RUN: %clangxx -std=c++17 -O2 -g -S -emit-llvm %s -o %t.g.ll
// RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.g.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,G
// RUN: %clangxx -std=c++17 -O0 -S -emit-llvm %s -o %t.O0.ll
// RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.O0.ll 2>&1 | FileCheck %s --check-prefix=O0
#include <atomic>
#include <mutex>

namespace ns {
struct Inner {
  int a, b;
};
struct Base {
  long first;
};
struct S : Base {
  Inner in;
  std::atomic<long> count;
  std::mutex lock;
  long table[8];
  S *next;
};
} // namespace ns

// The atomic has no tag, nor has the lock: the other accesses say whose they
// are. An inner record is part of the outer one.
// CHECK-LABEL: {{^}}_Z4usesPN2ns1SEi:
// CHECK-NEXT: type _ZTSN2ns1SE size 136 align 8
// CHECK-NEXT: read 8 at 0 weight 1
// CHECK-NEXT: write 8 at 0 weight 1
// CHECK-NEXT: read 4 at 12 weight 1
// G-SAME: types.cpp:[[#@LINE+15]]
// CHECK-NEXT: write 4 at 12 weight 1
// CHECK-NEXT: atomic 8 at 16 weight 1 synchronised
// CHECK-NEXT: atomic 16 at 24 weight {{.*}} lock
// CHECK: read 8 at 64 weight {{.*}} indexed
// CHECK: write 8 at 64 weight {{.*}} indexed
// CHECK-NOT: type _ZTSN2ns5InnerE
// O0-LABEL: {{^}}_Z4usesPN2ns1SEi:
// O0: type ns::S size 136 align 8
// O0-DAG: read 4 at 12 weight 1
// O0-DAG: write 4 at 12 weight 1
// O0-DAG: atomic 16 at 24 weight {{.*}} lock
// O0-DAG: write 8 at 64 weight {{.*}} indexed
void uses(ns::S *s, int i) {
  s->first++;
  s->in.b++;
  s->count.fetch_add(1);
  std::lock_guard<std::mutex> guard(s->lock);
  s->table[i]++;
}

// Elements of an array of records, and what the loaded pointer leads to.
// CHECK-LABEL: {{^}}_Z7elementPN2ns1SEl:
// CHECK-NEXT: type _ZTSN2ns1SE size 136 align 8
// CHECK-DAG: write 8 at 0 weight 1
// CHECK-DAG: read 8 at 128 weight 1 element
// O0-LABEL: {{^}}_Z7elementPN2ns1SEl:
// O0: type ns::S size 136 align 8
// O0: read 8 at 128 weight 1 element
void element(ns::S *s, long i) { s[i].next->first = 2; }

// Stack objects, variables, and objects that are being made are none.
// CHECK-LABEL: {{^}}_Z5localv:
// CHECK-NOT: type
// CHECK: call _Z6escape
void escape(ns::Inner *);
void local() {
  ns::Inner in;
  in.a = 1;
  in.b = 2;
  escape(&in);
}
ns::Inner variable;
// CHECK-LABEL: {{^}}_Z6globalv:
// CHECK-NEXT: {{^}}  variable
// CHECK-NEXT: write 4 at 0
// CHECK-NEXT: {{^}}_Z7counterv:
void global() { variable.a = 1; }
// What is done to a new object more often than it is made is no initialisation.
// CHECK-NEXT: type _ZTSN2ns5InnerE size {{.*}}
// CHECK: read 4 at 4 weight {{[0-9][0-9]}}
ns::Inner *counter() {
  auto *in = new ns::Inner{3, 4};
  for (int i = 0; i != 100; ++i) {
    ++*(volatile int *)&in->b;
    in->a = 1;
  }
  return in;
}
// CHECK-NOT: {{^}}_Z4makev:
ns::Inner *make() { return new ns::Inner{1, 2}; }

// A type of this unit only keeps its name.
// CHECK-LABEL: {{^}}_Z6localsPv:
// CHECK-NEXT: type _ZTSN12_GLOBAL__N_15LocalE size ? align 8
// CHECK-NEXT: read 8 at 8 weight 1
namespace {
struct Local {
  long a, b;
};
} // namespace
long locals(void *p) { return ++static_cast<Local *>(p)->b; }
