// What a contribution has behind its tables and names is compressed, unless that
// makes it longer.
// RUN: %clang -O2 -g -fpass-plugin=%facts_plugin -c %s -o %t.small.o
// RUN: %python %S/Inputs/dump_facts.py --records %t.small.o | FileCheck %s --check-prefix=SMALL --match-full-lines
// SMALL: records: 2 3 4 1
// SMALL-NOT: {{.}}
// RUN: %clang -O2 -g -DMANY -fpass-plugin=%facts_plugin -c %s -o %t.o
// RUN: %python %S/Inputs/dump_facts.py --records %t.o | FileCheck %s --match-full-lines
// CHECK: records: 2 3 4 10 7 [1 6 11]
// CHECK-NOT: {{.}}
long count;
void add(void) { ++count; }
#ifdef MANY
struct item {
  long uses;
  struct item *next;
};
#define FUNCTIONS(N) \
  void set##N(struct item *I) { I->next->uses = 1; } \
  void take##N(struct item *I) { I->next->next = I; }
FUNCTIONS(0) FUNCTIONS(1) FUNCTIONS(2) FUNCTIONS(3) FUNCTIONS(4) FUNCTIONS(5)
FUNCTIONS(6) FUNCTIONS(7) FUNCTIONS(8) FUNCTIONS(9)
#endif
