// One store is reached through a billion chains of calls. The summary has it once.
// RUN: bash -c 'ulimit -v 8000000; "$@"' - %check_tidy %s linesman-sentinel-write %t -- -pthread
#include <pthread.h>

struct conn;
struct session {
  pthread_mutex_t lock;
  struct conn *last;
};
struct conn {
  struct session *session;
};
static struct session no_session;

void init(struct conn *c) { c->session = &no_session; }

static void set0(struct conn *c, struct session *s) { c->session = s; }
#define TWICE(N, M)                                                            \
  static void set##N(struct conn *c, struct session *s) {                      \
    set##M(c, s);                                                              \
    set##M(c, s);                                                              \
  }
TWICE(1, 0) TWICE(2, 1) TWICE(3, 2) TWICE(4, 3) TWICE(5, 4) TWICE(6, 5)
TWICE(7, 6) TWICE(8, 7) TWICE(9, 8) TWICE(10, 9) TWICE(11, 10) TWICE(12, 11)
TWICE(13, 12) TWICE(14, 13) TWICE(15, 14) TWICE(16, 15) TWICE(17, 16)
TWICE(18, 17) TWICE(19, 18) TWICE(20, 19) TWICE(21, 20) TWICE(22, 21)
TWICE(23, 22) TWICE(24, 23) TWICE(25, 24) TWICE(26, 25) TWICE(27, 26)
TWICE(28, 27) TWICE(29, 28) TWICE(30, 29)

void keep(struct conn *c) {
  if (c->session != &no_session)
    c->session->last = c;
}

void leave(struct conn *c) {
  if (c->session == &no_session)
    return;
  set30(c, &no_session);
  c->session->last = c;
  // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: 'leave' writes 'session::last' through a pointer that may be to the static 'no_session'
}

// These chains reach 67 million places. The summary keeps a bounded number.
struct tree {
  struct tree *left, *right, *root;
};
static void mark0(struct tree *t, struct tree *root) { t->root = root; }
#define DEEPER(N, M)                                                           \
  static void mark##N(struct tree *t, struct tree *root) {                     \
    mark##M(t->left, root);                                                    \
    mark##M(t->right, root);                                                   \
  }
DEEPER(1, 0) DEEPER(2, 1) DEEPER(3, 2) DEEPER(4, 3) DEEPER(5, 4) DEEPER(6, 5)
DEEPER(7, 6) DEEPER(8, 7) DEEPER(9, 8) DEEPER(10, 9) DEEPER(11, 10)
DEEPER(12, 11) DEEPER(13, 12) DEEPER(14, 13) DEEPER(15, 14) DEEPER(16, 15)
DEEPER(17, 16) DEEPER(18, 17) DEEPER(19, 18) DEEPER(20, 19) DEEPER(21, 20)
DEEPER(22, 21) DEEPER(23, 22) DEEPER(24, 23) DEEPER(25, 24) DEEPER(26, 25)

void mark_all(struct conn *c, struct tree *t) {
  mark26(t, t);
  if (c->session != &no_session)
    c->session->last = c;
}

void mark_any(struct conn *c, struct tree *t) {
  mark26(t, t);
  c->session->last = c;
  // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: 'mark_any' writes 'session::last'
}
