// A unit that has nothing but a table of functions says what is in it: whoever
// calls through it is elsewhere.
// RUN: %clang -O2 -fpass-plugin=%facts_plugin -S %s -o - | FileCheck %s
// CHECK: .section{{.*}}.debug_linesman
// CHECK-NEXT: .ascii {{.*}}LMFC
void first(void);
void second(void);
void (*const operations[2])(void) = {first, second};
