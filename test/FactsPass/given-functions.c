// A call that is given a function is told by itself: the callee may start a
// thread there. Other calls of one callee are told as the first and the last.
//
// RUN: %clang -O1 -S -emit-llvm %s -o %t.ll
// RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.ll 2>&1 | FileCheck %s

void start(void (*run)(void));
void tell(void);
long count;
void one(void) { ++count; }
void two(void) { ++count; }

// CHECK-LABEL: main:
// CHECK-NEXT:    0 call tell weight 1
// CHECK-NEXT:    1 address one
// CHECK-NEXT:    1 call start weight 1
// CHECK-NEXT:    2 address two
// CHECK-NEXT:    2 call start weight 1
// CHECK-NEXT:    3 address one
// CHECK-NEXT:    3 call start weight 1
// CHECK-NEXT:    4 address one
// CHECK-NEXT:    4 call start weight 1
// CHECK-NEXT:    5 call tell weight 2
// CHECK-NOT:     call
int main(void) {
  tell();
  start(one);
  start(two);
  start(one);
  start(one);
  tell();
  tell();
}
