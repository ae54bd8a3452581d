// A unit that has nothing but a table of functions says what is in it: whoever
// calls through it is elsewhere.
// RUN: %clang -O2 -fpass-plugin=%facts_plugin -S %s -o - | FileCheck %s
// CHECK: .section{{.*}}.debug_linesman
// CHECK-NEXT: .ascii {{.*}}LMFC
// RUN: %clang -O2 -S -emit-llvm %s -o %t.ll
// RUN: %opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=FACTS --match-full-lines
// FACTS: operations: table
// FACTS-NEXT: 0 address first
// FACTS-NEXT: 0 address second
// FACTS-NOT: {{.}}
void first(void);
void second(void);
void (*const operations[2])(void) = {first, second};
