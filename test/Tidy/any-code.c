// RUN: %clang-tidy --load %tidy_plugin --checks='-*,linesman-*' --quiet %s -- -std=gnu17 -fblocks -Wno-everything
// RUN: %clang-tidy --load %tidy_plugin --checks='-*,linesman-*' --quiet --config='{CheckOptions: {Strict: true}}' %s -- -std=gnu17 -fblocks -Wno-everything
// As any-code.cpp, of C and its extensions.

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>

struct node;
struct list {
  struct node *first, **last;
};
typedef struct node {
  struct node *next;
  struct list children;
  union {
    long number;
    struct {
      unsigned low : 4, high : 4, : 0;
    };
  };
  _Atomic int uses;
  atomic_flag busy;
  int (*call)(struct node *, ...);
  char name[];
} node;
struct {
  int unnamed;
} nameless;
extern struct list lists[], *tables[4];
static node root = {.children = {&root}, .uses = 1, .children.last = &root.next};
static _Thread_local int mine;
_Alignas(64) static volatile int apart[4][4];
enum { One = 1, Many = sizeof(node) };
int none();
int old(a, b) int a, b;
{ return a + b; }
int make(void);
static int vary(int n, ...) {
  va_list all;
  va_start(all, n);
  int sum = va_arg(all, int) + va_arg(all, node *)->uses;
  va_end(all);
  return sum;
}
static inline node *next_of(node *n) { return n ? n->next : &root; }
__attribute__((constructor)) static void begin(void) { root.number = make(); }
__attribute__((cleanup(begin))) static int *cleaned;
static void *run(void *given) {
  node *self = given, local = {0}, *all[] = {&local, &root, given, [5] = self};
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  self->uses++, self->uses += 2, atomic_fetch_add(&self->uses, make()), atomic_store(&self->uses, none());
  while (atomic_flag_test_and_set(&self->busy))
    ;
  while (__sync_lock_test_and_set(&self->number, 1))
    while (self->number)
      ;
  for (node *n = self; n; n = next_of(n))
    *n = (node){.next = n}, n->name[make()] = 1, n->low = n->high, all[n->low & 3]->call(n, 1, 2.0);
  for (int i = 0, j = 1; i < 4; ++i, j *= 2)
    apart[i][j & 3] = ({
      int s = apart[j & 3][i];
      if (s)
        continue;
      s;
    });
  switch (vary(2, 1, self)) {
    node *hidden;
  case One ... 3:
    hidden = &root;
    break;
  default:
    hidden = 0;
    hidden->uses--;
  }
  __atomic_compare_exchange_n(&self->number, &(long){0}, make(), 1, 5, 0);
  (void)(self->busy, *(&self->next) = &root, (self ?: &root)->uses = 1, (&root)[0].next->next->uses++);
  __asm__ volatile("lock; incl %0" : "+m"(self->uses) : : "memory", "cc");
  _Generic(self->uses, int: make, default: none)();
  int (^block)(int) = ^(int n) { return root.uses + n; };
  block(1);
  int length = make(), vla[length][length];
  vla[0][1] = _Alignof(vla) + __builtin_offsetof(node, children.first);
  _Complex double z = 1.0i;
  __real__ z = make();
  *(volatile int *)0x1000 = ((int (*)(void))0x2000)();
  return mine ? run(0) : &vla;
}
static void jump(void) {
  __asm__ goto("" : : : : out);
  goto *&&out;
out:;
}
int main(int argc, char **argv) {
  pthread_t threads[argc];
  for (long i = 0; i < argc; ++i)
    pthread_create(&threads[i], 0, run, &root);
  lists[argc].first = (node *)*argv, tables[1]->last = &lists->first, nameless.unnamed = old(1, 2), jump();
  return cleaned != 0;
}
