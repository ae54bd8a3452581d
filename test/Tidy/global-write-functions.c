// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-global-write %t
// Atomic operations by the functions that people have for them: assembly, the
// systems' functions, a project's own whose bodies are elsewhere.
typedef struct {
  int counter;
} counter_t;
static inline void counter_inc(counter_t *c) {
  __asm__ __volatile__("lock; incl %0" : "+m"(c->counter));
}
static inline long fetch_and_add(volatile long *at, long n) {
  __asm__ __volatile__("lock; xaddq %0, %1"
                       : "+r"(n), "+m"(*at)
                       :
                       : "memory");
  return n;
}
long InterlockedIncrement(long volatile *at);
int my_atomic_add(volatile int *at, int n);
int my_atomic_read(const volatile int *at);
unsigned long __atomic_add_fetch_8(volatile void *at, unsigned long n,
                                   int order);

counter_t requests;
volatile long bytes;
long volatile packets;
volatile int sessions;
unsigned long served;

void by_assembly(void) {
  counter_inc(&requests);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'requests' has static storage, and 'by_assembly' updates it
  fetch_and_add(&bytes, 64);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'bytes' has static storage, and 'by_assembly' updates it
}
void by_name(void) {
  InterlockedIncrement(&packets);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'packets' has static storage, and 'by_name' updates it
  my_atomic_add(&sessions, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'sessions' has static storage, and 'by_name' updates it
  __atomic_add_fetch_8(&served, 1, 0);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'served' has static storage, and 'by_name' updates it
}
long show(void) {
  return requests.counter + bytes + packets + my_atomic_read(&sessions) +
         (long)served;
}

// Reads, files and texts are none, whatever their names say; an instruction
// without a lock belongs to its own core.
struct file {
  char name[64];
};
int atomic_file_add(struct file *f, const char *line);
int atomic_text_add(char *text, int n);
static struct file log_file;
static char text[64];
static int level;
static inline void plain_mark(int *at) {
  __asm__ __volatile__("movl $1, %0" : "=m"(*at));
}
int quiet(void) {
  atomic_file_add(&log_file, "x");
  atomic_text_add(text, 1);
  plain_mark(&level);
  return my_atomic_read(&sessions) + level + log_file.name[0] + text[0];
}
