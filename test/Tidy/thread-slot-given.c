// RUN: %check_tidy %s linesman-thread-slot %t
// A thread gives a part of its element to functions of the unit that write it.
static _Thread_local int worker;
struct node {
  struct node *next;
};
struct list {
  struct node *first;
};
struct pools {
  long limit;
  struct list free, used;
};
static void put(struct list *list, struct node *node) {
  node->next = list->first;
  list->first = node;
}
static void give_back(struct list *list, struct node *node) { put(list, node); }

static struct pools pools[16];
void release(struct node *node) { give_back(&pools[worker].free, node); }
// CHECK-MESSAGES: :[[@LINE-1]]:35: warning: each thread writes its own element of 'pools' here, but elements are 24 bytes apart and a cache line has 64: neighbouring threads write the same line; give the element type alignas(64) [linesman-thread-slot]

// Two steps, as macros write them.
#define HEAD(list) (&(&(list)->used)->first)
static void hang(struct node **head, struct node *node) { *head = node; }
static void keep(struct pools *pool, struct node *node) {
  hang(HEAD(pool), node);
}
static struct pools kept_pools[16];
void retain(struct node *node) { keep(&kept_pools[worker], node); }
// CHECK-MESSAGES: :[[@LINE-1]]:34: warning: each thread writes its own element of 'kept_pools' here

// Whole lines; only read; elsewhere, behind a pointer; at the start; any number
// that a caller gives.
struct wide {
  struct list free;
} __attribute__((aligned(64)));
static struct wide wide_pools[16];
void release_wide(struct node *node) {
  give_back(&wide_pools[worker].free, node);
}
static int has(const struct list *list) { return list->first != 0; }
static struct pools read_pools[16];
int is_free(void) { return has(&read_pools[worker].free); }
struct far {
  struct list *free;
};
static struct far far_pools[16];
void release_far(struct node *node) { give_back(far_pools[worker].free, node); }
static void init_list(struct list *list) { list->first = 0; }
static struct pools new_pools[16];
void init_worker(void) { init_list(&new_pools[worker].free); }
static struct pools any_pools[16];
void release_any(int pool, struct node *node) {
  give_back(&any_pools[pool].free, node);
}
