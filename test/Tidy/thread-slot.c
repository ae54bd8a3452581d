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

// The number comes as a parameter: all callers pass the thread's.
unsigned char active[128];
static void run_one(int service, int core) {
  active[core] = service != 0;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'active' here, but elements are 1 bytes apart
}
void run_here(int service) { run_one(service, sched_getcpu()); }
void run_all(void) {
  int core;
  core = sched_getcpu();
  for (int i = 0; i < 4; ++i)
    run_one(i, core);
}
// Some do not; a cursor; a thread's own array.
unsigned char known[128];
static void set_known(int at) { known[at] = 1; }
void set_here(void) { set_known(sched_getcpu()); }
void set_first(void) { set_known(0); }
static __thread unsigned used;
long log_of[64];
void append(long value) { log_of[used++ % 64] += value; }
static __thread long own_log[64];
static __thread int own_number;
void append_own(void) { own_log[own_number]++; }

// Each session publishes what it works on, and one goes through all.
struct session {
  unsigned id;
  long done;
};
struct state {
  volatile unsigned long oldest;
};
struct state *states;
void begin(struct session *s, unsigned long now) {
  struct state *own;
  own = &states[s->id];
  own->oldest = now;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each owner writes its own element of 'states' here, but elements are 8 bytes apart and a cache line has 64: neighbouring owners write the same line; give the element type alignas(64)
}
unsigned long oldest(unsigned count) {
  unsigned long least = ~0UL;
  for (unsigned i = 0; i < count; ++i)
    if (states[i].oldest < least)
      least = states[i].oldest;
  return least;
}
// Nobody goes through these.
struct mark {
  volatile int value;
};
struct mark *marks;
void set_mark(struct session *s) { marks[s->id].value = 1; }

// A table of what callbacks get, and one whose elements are whole lines.
struct queue {
  long received;
  int socket;
};
struct line_queue {
  long received;
} __attribute__((aligned(64)));
struct device {
  struct queue *rings;
  struct line_queue *line_rings;
  void *queues[16], *line_queues[16];
  void (*receive)(void *), (*line_receive)(void *);
};
void setup_queue(struct device *d, int q) {
  d->queues[q] = &d->rings[q];
  d->line_queues[q] = &d->line_rings[q];
}
static void receive(void *queue) {
  struct queue *own = queue;
  own->received += 32;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: whoever 'setup_queue' gives an element of 'device::rings' counts in it here, in 'receive', but elements are 16 bytes apart and a cache line has 64: neighbours that different threads use write the same line; give the element type alignas(64)
}
static void line_receive(void *queue) {
  struct line_queue *own = queue;
  own->received += 32;
}
void start_device(struct device *d) {
  d->receive = receive;
  d->line_receive = line_receive;
}

// Whole lines on a base that may start anywhere.
struct wide {
  long first;
  char name[48];
  long last;
};
struct node {
  int kind;
  struct wide slots[8];
};
void count_wide(struct node *n) {
  n->slots[sched_getcpu()].first++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'node::slots' here, and elements are whole lines (64 bytes), but they are only aligned to 8: unless the array happens to start at a multiple of 64, neighbours write the same line; give the element type alignas(64)
  n->slots[sched_getcpu()].last++;
}
struct padded {
  long n;
  char pad[56];
};
struct padded_node {
  int kind;
  struct padded slots[8];
};
void count_padded(struct padded_node *n) { n->slots[sched_getcpu()].n++; }

// By its name: a parameter or a field that nobody counts through.
struct flow {
  int thread;
  int other_thread_count;
};
unsigned flows[32];
unsigned drops[32];
void count_flow(const struct flow *s) {
  const int thread = s->thread;
  flows[thread]++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'flows' here, but elements are 4 bytes apart
}
void count_drop(int threadNum) {
  drops[threadNum]++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'drops' here, but elements are 4 bytes apart
}
// Look-alikes: a caller that goes through all of them, a function that does, a
// count of threads, an element of each in turn.
unsigned zeros[32];
static void clear_one(int cpu) { zeros[cpu]++; }
void clear_each(void) {
  for (int i = 0; i < 32; ++i)
    clear_one(i);
}
void clear_from(int thread) {
  for (; thread < 32; ++thread)
    zeros[thread]++;
}
unsigned sizes[32];
void note_size(int num_threads, const struct flow *all) {
  sizes[num_threads]++;
  sizes[all->other_thread_count]++;
  for (int i = 0; i < 4; ++i)
    sizes[all[i].thread]++;
}
// Not a multiple of a line, and yet apart on any base.
struct apart {
  unsigned n;
  char room[64];
};
struct apart apart[32];
void count_apart(int worker_id) { apart[worker_id].n++; }
struct near {
  unsigned n;
  char room[56];
};
struct near near[32];
void count_near(int worker_id) {
  near[worker_id].n++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'near' here, but elements are 60 bytes apart
}
// What a lock protects is as much the element's as what is written without.
struct crew {
  pthread_mutex_t mutex;
  long queued;
  long rest[9];
};
struct crew crews[32];
void count_queued(int worker_id) {
  crews[worker_id].queued++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'crews' here, but elements are 120 bytes apart
}
void lock_crew(int worker_id) {
  pthread_mutex_lock(&crews[worker_id].mutex);
  crews[worker_id].rest[0]++;
  pthread_mutex_unlock(&crews[worker_id].mutex);
}

// A function that the thread calls with its own number, and another with each.
static _Atomic unsigned long pending[64];
static _Atomic unsigned long asked[64];
static unsigned long plain_pending[64];
static void set_pending(int i, unsigned long n) {
  pending[i] = n;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'pending' here, but elements are 8 bytes apart and a cache line has 64
}
struct line {
  _Alignas(64) _Atomic unsigned long n;
};
static struct line apart_pending[64];
static void set_apart(int i, unsigned long n) { apart_pending[i].n = n; }
static void set_asked(int i, unsigned long n) { asked[i] = n; }
static void set_plain(int i, unsigned long n) { plain_pending[i] = n; }
static void *io_thread(void *argument) {
  long number = (long)argument;
  for (;;) {
    while (asked[number] == 0)
      ;
    set_pending(number, 0);
    set_apart(number, 0);
  }
}
void start_io(int count) {
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, io_thread, (void *)(long)i);
  }
}
void hand_out(int count) {
  for (int i = 0; i < count; i++) {
    set_pending(i, 1);
    set_apart(i, 1);
    set_asked(i, 1);
    set_plain(i, 1);
  }
}

// A program's main loop is no start-up, and neither is a thread's main.
unsigned rte_lcore_id(void);
static unsigned long received[64];
static unsigned long begun[64];
int main_loop(void *argument) {
  const unsigned lcore = rte_lcore_id();
  for (;;)
    received[lcore] += 2;
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'received' here, but elements are 8 bytes apart
}
int main_init(void *argument) {
  const unsigned lcore = rte_lcore_id();
  begun[lcore] += 2;
  return 0;
}

// Told to others once, behind a lock.
static int is_ready[16];
static pthread_mutex_t start_lock;
void begin_work(int thread_id) {
  pthread_mutex_lock(&start_lock);
  is_ready[thread_id] = 1;
  pthread_mutex_unlock(&start_lock);
}
static int is_busy[16];
void work_on(int thread_id) {
  is_busy[thread_id] = 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'is_busy' here, but elements are 4 bytes apart
}
