// RUN: %check_tidy -fix-notes %s linesman-thread-slot %t
thread_local int thread_index;
// CHECK-FIXES: struct alignas(64) Slot {
struct Slot {
  long served;
};
static Slot slots[16];
void serve() {
  slots[thread_index].served++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'slots' here
}
// Two arrays of one type: aligned once.
static Slot others[16];
void serve_others() {
  others[thread_index].served++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'others' here
}
