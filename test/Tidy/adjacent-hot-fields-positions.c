// RUN: %check_tidy %s linesman-adjacent-hot-fields %t
// Senders in many processes move the head; the receiver, in another unit, moves
// the tail, which senders look at when the queue seems full.
struct control {
  volatile unsigned long head;
  volatile unsigned long tail;
};
struct sender {
  struct control *control;
  unsigned long seen;
};
static inline unsigned long own_atomic_cswap64(volatile unsigned long *word, unsigned long from, unsigned long to) {
  __asm__ volatile("" : "+m"(*word) : "r"(from), "r"(to) : "memory");
  return from;
}
int send(struct sender *s) {
  unsigned long at = s->control->head;
  if (at - s->seen >= 64)
    return 0;
  return own_atomic_cswap64(&s->control->head, at, at + 1) == at;
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'control::head' (offset 0) is updated here, in 'send', and may share its cache line with 'control::tail' (offset 8), which 'refresh' reads and no operation of this unit changes
}
void refresh(struct sender *s) { s->seen = s->control->tail; }

// The fix.
struct far_control {
  volatile unsigned long head;
  char padding[56];
  volatile unsigned long tail;
} __attribute__((aligned(64)));
int send_far(struct far_control *c) {
  unsigned long at = c->head;
  return own_atomic_cswap64(&c->head, at, at + 1) == at;
}
unsigned long refresh_far(struct far_control *c) { return c->tail; }

// A state that is claimed once is no position.
struct task {
  volatile unsigned long state;
  volatile unsigned long size;
};
int claim(struct task *t) {
  unsigned long was = 0;
  return own_atomic_cswap64(&t->state, was, 1) == was;
}
unsigned long size(struct task *t) { return t->size; }
