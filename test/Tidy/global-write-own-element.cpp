// RUN: %check_tidy %s linesman-global-write,linesman-thread-slot %t
// What a processor counts in its own element is one finding, however the
// number of the processor was come by.
struct Cpu {
  int id;
};
Cpu *mycpu();
struct Queue {
  unsigned long switches, length;
};
static Queue queues[8];
unsigned long total();
void schedule() {
  Queue *own = &queues[mycpu()->id];
  own->switches++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'queues' here, but elements are 16 bytes apart
}

// A line each.
struct alignas(64) Wide {
  unsigned long switches;
};
static Wide wide[8];
void schedule_wide() {
  Wide *own = &wide[mycpu()->id];
  own->switches++;
}

// An operator goes to the processor's own memory: the object has no data.
extern char *areas[8];
struct PerCpu {
  Queue &operator[](int cpu) const { return *(Queue *)areas[cpu]; }
};
static PerCpu own_queues;
void enqueue() { own_queues[mycpu()->id].length++; }

// Each thread picks an element once, and keeps its address; a number may be new
// in each call.
static int next_queue;
static __thread Queue *own_queue;
void attach() { own_queue = &queues[__atomic_fetch_add(&next_queue, 1, __ATOMIC_RELAXED)]; }
static unsigned long next_ticket;
static __thread unsigned long own_ticket;
void begin() {
  own_ticket = __atomic_fetch_add(&next_ticket, 1, __ATOMIC_RELAXED);
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: 'next_ticket' has static storage, and 'begin' updates it
}
