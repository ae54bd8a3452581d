// RUN: %check_tidy %s linesman-thread-slot %t
// A project's own function that starts a thread: by what it is called and
// given.
typedef void *(*thread_main)(void *);
int os_thread_create(long *thread, const void *options, thread_main run,
                     void *argument);
int StartThread(const char *name, void (*run)(void *), void *argument);
int pool_run_all(thread_main run, void *argument);
int thread_key_create(long *key, void (*destroy)(void *), void *unused);
int thread_pool_create(long *pool, thread_main run, void *argument);

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
static void run_plain(void *argument) { run(argument); }
void start(void) {
  long threads[8];
  struct job jobs[8], more[8];
  struct far_job far[8];
  for (int i = 0; i < 8; ++i) {
    os_thread_create(&threads[i], 0, run, &jobs[i]);
    // CHECK-MESSAGES: :[[@LINE-1]]:43: warning: each thread that this loop starts gets its own element of 'start::jobs' to write, but elements are 16 bytes apart
    StartThread("worker", run_plain, &more[i]);
    // CHECK-MESSAGES: :[[@LINE-1]]:38: warning: each thread that this loop starts gets its own element of 'start::more' to write, but elements are 16 bytes apart
    os_thread_create(&threads[i], 0, run_far, &far[i]);
  }
}
// Right: what starts no thread, or makes something else of threads; and a
// single thread.
void others(void) {
  long key, pool;
  struct job called[8], keys[8], pools[8], single[1];
  for (int i = 0; i < 8; ++i) {
    pool_run_all(run, &called[i]);
    thread_key_create(&key, run_plain, &keys[i]);
    thread_pool_create(&pool, run, &pools[i]);
  }
  os_thread_create(&key, 0, run, &single[0]);
}

// The processor's number in what the processor has.
struct epoch {
  int next, seen;
};
struct shared {
  struct epoch *local;
  struct epoch *objects;
};
struct state {
  struct shared *all;
  unsigned procNumber;
  unsigned proc;
};
void enter(struct state *s) {
  struct shared *all = s->all;
  unsigned mine = s->procNumber;
  all->local[mine].next = (all->local[mine].next + 1) % 3;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'shared::local' here, but elements are 8 bytes apart
  all->objects[s->proc].seen++;
}
