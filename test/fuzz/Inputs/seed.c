// What the fuzz targets of binaries, objects, facts and machine code begin with:
// a few objects of each kind, and code that accesses them.
struct record {
  long head, tail;
  char name[24];
} records[8];
long counter = 1, limit = 100;
static struct record *current = &records[2];
static struct holder {
  long uses;
  long *held;
} *holder;
long *volatile chosen[2] = {&counter, &limit};
__thread long mine;

__attribute__((noinline)) static void add(struct record *r, long n) {
  r->head += n;
}

int main(int argc, char **argv) {
  for (int i = 0; i < limit; ++i) {
    __atomic_fetch_add(&counter, i, __ATOMIC_RELAXED);
    add(&records[i & 7], argc);
    *chosen[i & 1] = i;
  }
  switch (argc) {
  case 1: current->tail = 1; break;
  case 2: current = &records[argc]; break;
  case 3: mine = limit; break;
  case 4: counter = 0; break;
  case 5: holder->held = &limit; break;
  case 6: *holder->held = argc; break;
  default: records[1].name[argc & 15] = **argv;
  }
  return (int)mine;
}
