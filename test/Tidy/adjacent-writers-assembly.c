// RUN: %check_tidy %s linesman-adjacent-writers %t -- -target x86_64-linux-gnu
// A queue whose head is a node itself; one function for words of each length
// exchanges the tail in assembly.
struct any {
  unsigned long words[10];
};
static inline unsigned long exchange(void *at, unsigned long value, int length) {
  switch (length) {
  case 4: {
    unsigned before;
    __asm__ __volatile__("xchgl %0, %1" : "=r"(before), "+m"(*(struct any *)at) : "0"((unsigned)value) : "memory");
    return before;
  }
  case 8: {
    unsigned long before;
    __asm__ __volatile__("xchgq %0, %1" : "=r"(before), "+m"(*(struct any *)at) : "0"(value) : "memory");
    return before;
  }
  }
  return 0;
}
#define EXCHANGE(at, value) ((__typeof__(*(at)))exchange(at, (unsigned long)(value), sizeof(*(at))))
#define READ(word) (*(volatile __typeof__(word) *)&(word))

struct node {
  struct node *next;
};
struct queue {
  struct node head;
  struct node *tail;
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: 'queue::head' (offset 0) and 'queue::tail' (offset 8) may be on one cache line and have different writers, 'take' and 'put'
};
void put(struct queue *q, struct node *n) {
  n->next = 0;
  struct node *before = EXCHANGE(&q->tail, n);
  READ(before->next) = n;
}
struct node *take(struct queue *q) {
  struct node *first = READ(q->head.next);
  if (!first)
    return 0;
  q->head.next = first->next;
  return first;
}

// A node with more than a link, and the compiler's exchange.
struct item {
  int value;
  struct item *next;
};
struct items {
  struct item head;
  struct item *tail;
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: 'items::head' (offset 0) and 'items::tail' (offset 16) may be on one cache line and have different writers, 'take_item' and 'put_item'
};
void put_item(struct items *q, struct item *n) {
  n->next = 0;
  struct item *before = __atomic_exchange_n(&q->tail, n, __ATOMIC_ACQ_REL);
  __atomic_store_n(&before->next, n, __ATOMIC_RELEASE);
}
struct item *take_item(struct items *q) {
  struct item *first = __atomic_load_n(&q->head.next, __ATOMIC_ACQUIRE);
  if (first)
    q->head.next = first->next;
  return first;
}

// A line apart; only the value of the node is written; one function does both;
// lengths for which the function does different things.
struct apart {
  struct node head __attribute__((aligned(64)));
  struct node *tail __attribute__((aligned(64)));
};
void apart_put(struct apart *q, struct node *n) {
  n->next = 0;
  struct node *before = EXCHANGE(&q->tail, n);
  READ(before->next) = n;
}
struct node *apart_take(struct apart *q) {
  struct node *first = READ(q->head.next);
  if (first)
    q->head.next = first->next;
  return first;
}
struct named {
  struct item head;
  struct item *last;
};
void named_put(struct named *q, struct item *n) {
  struct item *before = __atomic_exchange_n(&q->last, n, __ATOMIC_ACQ_REL);
  __atomic_store_n(&before->next, n, __ATOMIC_RELEASE);
}
int named_value(struct named *q) {
  if (q->head.value < 3)
    q->head.value = 3;
  return q->head.value;
}
struct both {
  struct node head;
  struct node *tail;
};
void both_move(struct both *q, struct node *n) {
  struct node *first = READ(q->head.next);
  struct node *before = EXCHANGE(&q->tail, n);
  READ(before->next) = n;
  if (first)
    q->head.next = first->next;
}
static inline unsigned long mixed(void *at, unsigned long value, int length) {
  switch (length) {
  case 4: {
    unsigned before;
    __asm__ __volatile__("xchgl %0, %1" : "=r"(before), "+m"(*(struct any *)at) : "0"((unsigned)value) : "memory");
    return before;
  }
  case 8:
    __asm__ __volatile__("lock; addq %1, %0" : "+m"(*(struct any *)at) : "r"(value) : "memory");
    return 0;
  }
  return 0;
}
struct mixed_queue {
  struct node head;
  struct node *tail;
};
void mixed_put(struct mixed_queue *q, struct node *n) {
  struct node *before = (struct node *)mixed(&q->tail, (unsigned long)n, sizeof(q->tail));
  READ(before->next) = n;
}
struct node *mixed_take(struct mixed_queue *q) {
  struct node *first = READ(q->head.next);
  if (first)
    q->head.next = first->next;
  return first;
}
