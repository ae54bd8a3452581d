// RUN: %check_tidy %s linesman-sentinel-write %t -- -pthread
// The same hazard in C: atomics, a struct of the table, a helper.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct conn;
struct session {
  int id;
  _Atomic int visits;
  struct conn *last;
  pthread_mutex_t lock;
};
struct conn {
  struct session *session;
};

static struct session no_session = {.id = -1};
#define NO_SESSION (&no_session)

void conn_init(struct conn *c) { c->session = NO_SESSION; }
void conn_reset(struct conn *c) { c->session = &no_session; }

static int is_real(const struct session *s) { return s != &no_session; }

void touch(struct conn *c) {
  c->session->last = c;
  // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: 'touch' writes 'session::last' through a pointer that may be to the static 'no_session'
  c->session->visits++;
  // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'touch' writes 'session::visits'
  atomic_fetch_add_explicit(&c->session->visits, 1, memory_order_relaxed);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'touch' writes 'session::visits'
  __atomic_store_n(&c->session->id, 1, __ATOMIC_RELAXED);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'touch' writes 'session::id'
  __sync_fetch_and_add(&c->session->id, 2);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'touch' writes 'session::id'
}

static void set_last(struct session *s, struct conn *c) {
  s->last = c;
  // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: 'set_last' writes 'session::last'
}
static void set_last_of_real(struct session *s, struct conn *c) { s->last = c; }

void touch_through_helper(struct conn *c) {
  set_last(c->session, c);
  if (is_real(c->session))
    set_last_of_real(c->session, c);
}

void guarded(struct conn *c) {
  if (c->session != NO_SESSION)
    c->session->last = c;
  struct session *s = c->session;
  if (!is_real(s))
    return;
  s->last = c;
  s->visits++;
}

int reads(struct conn *c) {
  // Loads write nothing.
  return c->session->id + __atomic_load_n(&c->session->id, __ATOMIC_RELAXED) +
         (c->session->last != NULL);
}

void create(struct conn *c, struct session *s) {
  // What comes from elsewhere is not the sentinel.
  s->last = c;
  c->session = s;
  c->session->last = c;
}

// Filling in a default at start-up; on an operation it is a hazard.
struct os_calls {
  void *(*map)(unsigned long);
};
static void *map_pages(unsigned long n) { return (void *)n; }
static struct os_calls default_calls;
static struct os_calls *os;
int os_initialize(struct os_calls *given) {
  os = given ? given : &default_calls;
  if (!os->map)
    os->map = map_pages;
  return os == &default_calls;
}
int os_choose(struct os_calls *given) {
  struct os_calls *chosen = given ? given : &default_calls;
  if (!chosen->map)
    chosen->map = map_pages;
    // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: 'os_choose' writes 'os_calls::map' through a pointer that may be to the static 'default_calls'
  return chosen == &default_calls;
}

// The first of many objects, which is free until somebody takes it: others come
// from the heap, and the comparison keeps it from being given back.
struct thread {
  int *stack;
  int flags;
};
static struct thread first_thread;
static struct thread *all_threads[16];
void *malloc(unsigned long n);
void free(void *p);
static int first_stack;
struct thread *register_thread(int number) {
  struct thread *t;
  if (first_thread.stack == 0) {
    t = &first_thread;
    t->stack = &first_stack;
  } else {
    t = malloc(sizeof *t);
  }
  all_threads[number] = t;
  return t;
}
void block(int number) {
  struct thread *t = all_threads[number];
  t->flags |= 1;
}
void unregister_thread(int number) {
  struct thread *t = all_threads[number];
  if (t != &first_thread)
    free(t);
}

// The only object there is, or none: nothing that stands for nothing.
struct file {
  int fd;
  int flags;
};
int open_file(const char *name);
static int open_into(struct file *file, const char *name) {
  file->fd = open_file(name);
  return file->fd < 0;
}
struct file *open_one(const char *name) {
  static struct file file;
  const int failed = open_into(&file, name);
  return failed ? (void *)0 : &file;
}
