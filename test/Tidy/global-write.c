// RUN: %check_tidy %s linesman-global-write %t
#include <pthread.h>
#include <stdatomic.h>

static _Atomic long hits;
static long gets;
long sets;
static atomic_int open_files;
struct stats {
  long evictions;
  long limit;
} stats;
static pthread_mutex_t stats_lock = PTHREAD_MUTEX_INITIALIZER;
static long locked;
static _Thread_local long own;

void get(void) {
  hits++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'hits' has static storage, and 'get' updates it:
  __atomic_fetch_add(&gets, 1, __ATOMIC_RELAXED);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'gets' has static storage
  __sync_fetch_and_add(&sets, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'sets' has static storage
  atomic_fetch_add(&open_files, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'open_files' has static storage
  stats.evictions += 2;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'stats.evictions' has static storage
  own++;
}

void publish(long);
void count_locked(void) {
  pthread_mutex_lock(&stats_lock);
  locked++;
  publish(locked);
  pthread_mutex_unlock(&stats_lock);
}

void count_maybe(int fail) {
  pthread_mutex_lock(&stats_lock);
  if (fail) {
    pthread_mutex_unlock(&stats_lock);
    return;
  }
  locked++;
  pthread_mutex_unlock(&stats_lock);
}

static long unlocked;
void after_unlock(void) {
  pthread_mutex_lock(&stats_lock);
  pthread_mutex_unlock(&stats_lock);
  unlocked++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'unlocked' has static storage
}

void STATS_LOCK(void);
void STATS_UNLOCK(void);
void behind_a_function(void) {
  STATS_LOCK();
  locked++;
  STATS_UNLOCK();
}

// The verb is the first word of these, and "and" is none.
static long added, taken, marked, looked_at;
void note_verbs(long n) {
  __sync_add_and_fetch(&added, n);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'added' has static storage, and 'note_verbs' updates it
  __sync_sub_and_fetch(&taken, n);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'taken' has static storage, and 'note_verbs' updates it
  __sync_and_and_fetch(&marked, n);
  __sync_or_and_fetch(&marked, n);
  __sync_add_and_fetch(&looked_at, 0);
}
long show_verbs(void) { return added + taken + marked + looked_at; }
