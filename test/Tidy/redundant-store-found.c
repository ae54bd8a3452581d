// RUN: %check_tidy -std=gnu11 %s linesman-redundant-store %t -- -pthread
// What a look-up leaves in the object that it found: a flag that says that it
// was used, or the time. Many look at once, under a lock that they hold
// together.
#include <pthread.h>
#include <string.h>
#include <time.h>

struct entry {
  struct entry *next;
  const char *key;
  int used, hit, state, value;
  time_t last;
};
struct cache {
  pthread_rwlock_t lock;
  struct entry *buckets[64];
};
static struct entry *table[64];
static pthread_rwlock_t table_lock;

struct entry *table_look(const char *key) {
  struct entry *e;
  pthread_rwlock_rdlock(&table_lock);
  for (e = table[key[0] & 63]; e; e = e->next)
    if (!strcmp(e->key, key)) {
      e->used = 1;
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'table_look' sets 'entry::used' in every call, though it mostly is set: the cache line moves to this core for nothing; test before storing
      break;
    }
  pthread_rwlock_unlock(&table_lock);
  return e;
}
struct entry *cache_get(struct cache *c, const char *key) {
  pthread_rwlock_rdlock(&c->lock);
  struct entry *e = c->buckets[key[0] & 63];
  while (e && strcmp(e->key, key))
    e = e->next;
  if (e) {
    e->hit = 1;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'cache_get' sets 'entry::hit' in every call
    e->last = time(NULL);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'cache_get' stores the time of its use to 'entry::last'
  }
  pthread_rwlock_unlock(&c->lock);
  return e;
}

// ---- From here on: nothing.

// Tested; alone with it; filled in anew; another name; taken back.
struct entry *cache_tested(struct cache *c, const char *key) {
  pthread_rwlock_rdlock(&c->lock);
  struct entry *e = c->buckets[key[0] & 63];
  if (e && !e->used)
    e->used = 1;
  if (e && e->last != time(NULL))
    e->last = time(NULL);
  pthread_rwlock_unlock(&c->lock);
  return e;
}
struct entry *cache_alone(struct cache *c, const char *key) {
  pthread_rwlock_wrlock(&c->lock);
  struct entry *e = c->buckets[key[0] & 63];
  if (e) {
    e->used = 1;
    e->last = time(NULL);
  }
  pthread_rwlock_unlock(&c->lock);
  return e;
}
void cache_fill(struct cache *c, const char *key, int value) {
  pthread_rwlock_rdlock(&c->lock);
  struct entry *e = c->buckets[key[0] & 63];
  e->key = key;
  e->value = value;
  e->used = 1;
  e->last = time(NULL);
  pthread_rwlock_unlock(&c->lock);
}
void cache_state(struct cache *c, const char *key) {
  pthread_rwlock_rdlock(&c->lock);
  struct entry *e = c->buckets[key[0] & 63];
  e->state = 1;
  pthread_rwlock_unlock(&c->lock);
}
void cache_unused(struct cache *c) {
  pthread_rwlock_rdlock(&c->lock);
  for (struct entry *e = c->buckets[0]; e; e = e->next)
    e->used = 0;
  pthread_rwlock_unlock(&c->lock);
}
