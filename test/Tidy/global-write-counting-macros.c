// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-global-write %t
// Statistics behind a lock of the program, by macros that write statements, and
// behind conditions where others are kept without one.
typedef struct {
  char bytes[40];
} pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int find(int key);
int link_item(int key);
void out(unsigned long value);
#define ADD(count, n)                                                          \
  do {                                                                         \
    (count) += (n);                                                            \
  } while (0)

struct counters {
  pthread_mutex_t mutex;
  unsigned long bytes, packets, entries;
  struct counters *next;
};
struct counters counters;

int answer(int key) {
  int size = find(key);
  pthread_mutex_lock(&counters.mutex);
  ADD(counters.packets, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'answer' takes a lock of the whole program for nothing but to count in 'counters.packets'
  ADD(counters.bytes, size);
  pthread_mutex_unlock(&counters.mutex);
  return size;
}
int enter(int key) {
  int size = link_item(key);
  if (size >= 0) {
    pthread_mutex_lock(&counters.mutex);
    ADD(counters.entries, 1);
    pthread_mutex_unlock(&counters.mutex);
  }
  return size;
}
void show(void) {
  pthread_mutex_lock(&counters.mutex);
  unsigned long sum = counters.packets + counters.bytes + counters.entries;
  pthread_mutex_unlock(&counters.mutex);
  out(sum);
}

// The fix: a copy that the request's thread has, of nothing but counts.
struct request {
  struct counters *counters;
  int key;
};
int answer_request(struct request *r) {
  int size = find(r->key);
  pthread_mutex_lock(&r->counters->mutex);
  ADD(r->counters->packets, 1);
  pthread_mutex_unlock(&r->counters->mutex);
  return size;
}
// An object that has more than counts is no copy.
struct server {
  pthread_mutex_t mutex;
  unsigned long requests;
  const char *name;
};
struct session {
  struct server *server;
  int key;
};
int serve(struct session *s) {
  int size = find(s->key);
  pthread_mutex_lock(&s->server->mutex);
  ADD(s->server->requests, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'serve' takes a lock of the object for nothing but to count in 'server::requests'
  pthread_mutex_unlock(&s->server->mutex);
  return size;
}

// Only behind conditions; a loop that goes round again decides by it.
static unsigned long failures, retries;
static pthread_mutex_t failures_lock;
int fail(int key) {
  if (find(key) < 0) {
    pthread_mutex_lock(&failures_lock);
    ADD(failures, 1);
    pthread_mutex_unlock(&failures_lock);
  }
  return 0;
}
int retry(int key) {
  if (find(key) < 0) {
    pthread_mutex_lock(&failures_lock);
    ADD(retries, 1);
    pthread_mutex_unlock(&failures_lock);
  }
  return 0;
}
void show_failures(void) {
  pthread_mutex_lock(&failures_lock);
  out(failures + retries);
  pthread_mutex_unlock(&failures_lock);
}
