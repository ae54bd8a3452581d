// A switch that yields addresses becomes a table, which a pass behind ours
// replaces by another one: facts do not refer to it.
// RUN: %clang -O2 -fPIC -c %s -o %t.plain.o
// RUN: %clang -O2 -fPIC -fpass-plugin=%facts_plugin -c %s -o %t.o
// RUN: llvm-objdump -h %t.o | FileCheck %s
// CHECK: .debug_linesman
// RUN: llvm-objcopy --dump-section .text=%t.plain.text %t.plain.o
// RUN: llvm-objcopy --dump-section .text=%t.text %t.o
// RUN: cmp %t.plain.text %t.text

extern unsigned long one(const void *), two(const void *), three(const void *);
static unsigned long (*Hash)(const void *);
static const char *Name;

int choose(int Type) {
  switch (Type) {
  case 0:
    Hash = one;
    Name = "one";
    break;
  case 1:
    Hash = two;
    Name = "two";
    break;
  case 2:
    Hash = three;
    Name = "three";
    break;
  default:
    return -1;
  }
  return 0;
}

unsigned long hash(const void *Key) { return Hash(Key) + Name[0]; }
