// RUN: %check_tidy %s linesman-global-write %t
// A lock of the whole program that is taken for nothing but to count.
typedef struct {
  char bytes[40];
} pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int find(int key);
void link_item(int key);
void out(unsigned long value);

struct totals {
  unsigned long gets, bytes, sets, waiting;
};
struct totals totals;
static pthread_mutex_t totals_lock;

int get(int key) {
  int size = find(key);
  pthread_mutex_lock(&totals_lock);
  totals.gets++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'get' takes a lock of the whole program for nothing but to count in 'totals.gets'
  totals.bytes += size;
  pthread_mutex_unlock(&totals_lock);
  return size;
}
void set(int key) {
  link_item(key);
  pthread_mutex_lock(&totals_lock);
  totals.sets += 1;
  pthread_mutex_unlock(&totals_lock);
}
void show(void) {
  pthread_mutex_lock(&totals_lock);
  unsigned long gets = totals.gets, sets = totals.sets;
  pthread_mutex_unlock(&totals_lock);
  out(gets + sets);
}
