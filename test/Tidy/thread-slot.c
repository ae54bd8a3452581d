// RUN: %check_tidy %s linesman-thread-slot %t
#include <pthread.h>
#include <stdatomic.h>

int sched_getcpu(void);
static _Thread_local int thread_index;
struct slot {
  long served;
  _Atomic long bytes;
};
static struct slot slots[16];
static pthread_mutex_t locks[16];

void serve(long n) {
  slots[thread_index].bytes += n;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'slots' here, but elements are 16 bytes apart
  pthread_mutex_lock(&locks[sched_getcpu() & 15]);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'locks' here, but elements are 40 bytes apart
  pthread_mutex_unlock(&locks[sched_getcpu() & 15]);
}

struct job {
  long done;
  long id;
};
static void *run(void *argument) {
  struct job *job = argument;
  for (int i = 0; i < 1000; ++i)
    job->done++;
  return 0;
}
static long per_thread[8];
static void *run_number(void *argument) {
  long id = (long)argument;
  for (int i = 0; i < 1000; ++i)
    per_thread[id]++;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'per_thread' here
  return 0;
}
int main(void) {
  pthread_t threads[8];
  struct job jobs[8];
  for (long i = 0; i < 8; ++i) {
    jobs[i].id = i;
    pthread_create(&threads[i], 0, run, &jobs[i]);
    // CHECK-MESSAGES: :[[@LINE-1]]:41: warning: each thread that this loop starts gets its own element of 'main::jobs' to write, but elements are 16 bytes apart
    pthread_create(&threads[i], 0, run_number, (void *)i);
  }
}
