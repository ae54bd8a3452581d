// RUN: %check_tidy %s linesman-const-path-write %t
#include <stdatomic.h>

struct table {
  int *slots;
  atomic_long lookups;
  int mask;
};

int find(const struct table *t, int key) {
  atomic_fetch_add(&((struct table *)t)->lookups, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'find' promises not to change the object, but writes 'table::lookups' (offset 8) beside 'table::slots' (offset 0), which is only read
  return t->slots[key & t->mask];
}
void insert(struct table *t, int key) {
  atomic_fetch_add(&t->lookups, 1);
  t->slots[key] = 1;
}
int sum(const int *values, int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += values[i];
  return s;
}
