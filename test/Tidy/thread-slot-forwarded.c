// RUN: %check_tidy %s linesman-thread-slot %t
// A function of the unit that hands its own function and argument on to the one
// that starts threads.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *thread, const void *options,
                   void *(*run)(void *), void *argument);

struct job {
  long done, id;
};
struct far_job {
  long done, id;
} __attribute__((aligned(64)));
static void *run(void *argument) {
  struct job *job = argument;
  for (int i = 0; i < 1000; ++i)
    job->done++;
  return 0;
}
static void *run_far(void *argument) {
  struct far_job *job = argument;
  for (int i = 0; i < 1000; ++i)
    job->done++;
  return 0;
}
struct far_job shared;

static int begin(pthread_t *thread, void *(*entry)(void *), void *argument) {
  int result = pthread_create(thread, 0, entry, argument);
  return result ? -1 : 0;
}
// Keeps what it is given for itself, and starts something else.
static int begin_other(pthread_t *thread, void *(*entry)(void *),
                       void *argument) {
  (void)entry;
  (void)argument;
  return pthread_create(thread, 0, run_far, &shared);
}
// Runs it, and starts nothing.
static int call(void *(*entry)(void *), void *argument) {
  return entry(argument) != 0;
}

void start(void) {
  pthread_t threads[8];
  struct job jobs[8], kept[8], called[8], one;
  struct far_job far[8];
  for (int i = 0; i < 8; ++i) {
    begin(&threads[i], run, &jobs[i]);
    // CHECK-MESSAGES: :[[@LINE-1]]:29: warning: each thread that this loop starts gets its own element of 'start::jobs' to write, but elements are 16 bytes apart
    begin(&threads[i], run_far, &far[i]);
    begin_other(&threads[i], run, &kept[i]);
    call(run, &called[i]);
  }
  begin(&threads[0], run, &one);
}
