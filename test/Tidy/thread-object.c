// RUN: %check_tidy %s linesman-thread-object %t
int random_below(int limit);

// A queue inside of each thread's object, by the thread's number.
struct queue {
  volatile int top;
  volatile int base;
  void **items;
  int size;
};
struct env {
  long number;
  struct queue ready;
};
extern struct env *envs;
extern __thread int rank;
extern int threads;

static struct env *current(void) { return &envs[rank]; }
static struct env *any(void) {
  if (threads == 1)
    return &envs[0];
  int at;
  at = random_below(threads);
  return &envs[at];
}
static void push(struct queue *q, void *item) {
  int at = q->top;
  if (at == q->size)
    q->base = 0;
  q->items[at] = item;
  q->top = at + 1;
}
static void *take(struct queue *q) {
  int at = q->base;
  q->base = at + 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread has a 'queue' of its own, and 'queue::base' (offset 4) of another thread's is written here, in 'take'; it may share its cache line with 'queue::size' (offset 16), which the owner uses in 'push'
  return at < q->top ? q->items[at] : 0;
}
void *steal(void) {
  struct env *victim;
  victim = any();
  return take(&victim->ready);
}
void spawn(void *item) { push(&current()->ready, item); }

// A list of all threads' records, which each goes through.
struct record {
  struct record *next;
  _Atomic(unsigned long) epoch;
  unsigned long depth;
};
extern struct record *_Atomic records;
extern _Thread_local struct record *mine;
unsigned long oldest(void) {
  unsigned long least = mine->depth;
  for (struct record *each = records; each; each = each->next)
    if (each->epoch < least)
      // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: each thread has a 'record' of its own, and 'record::epoch' (offset 8) of another thread's is looked at here, in 'oldest'; it may share its cache line with 'record::depth' (offset 16), which the owner writes in 'enter'
      least = 0;
  return least;
}
void enter(void) { mine->depth++; }

// A walk along the thread's own list is no look at other threads.
struct cell {
  struct cell *next;
  _Atomic(unsigned long) state;
  unsigned long uses;
};
extern _Thread_local struct cell *cells;
unsigned long find(unsigned long state) {
  for (struct cell *each = cells; each; each = each->next)
    if (each->state == state)
      return each->uses++;
  return 0;
}
void use(struct cell *one) { one->uses++; }
