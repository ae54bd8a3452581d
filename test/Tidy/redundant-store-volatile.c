// RUN: %check_tidy %s linesman-redundant-store %t
// A volatile flag between threads, set in every call.
typedef int sig_atomic_t;
static volatile int has_work;
static volatile sig_atomic_t interrupted;
static int queue[64];
static unsigned length;

void submit(int n) {
  queue[length & 63] = n;
  length++;
  has_work = 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: every call of 'submit' stores the same constant to 'has_work', also when it is already there
}
int poll_queue(void) {
  if (!has_work)
    return 0;
  has_work = 0;
  return queue[--length & 63];
}

// What a signal's handler sets is its thread's own.
void on_interrupt(int number) {
  queue[0] = number;
  length = 0;
  interrupted = 1;
}
int was_interrupted(void) {
  if (!interrupted)
    return 0;
  interrupted = 0;
  return 1;
}
