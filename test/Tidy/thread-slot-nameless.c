// RUN: %check_tidy %s linesman-thread-slot %t
// An element whose type has no name.
static _Thread_local int thread_index;
static struct {
  long packets, bytes, errors;
} nameless[16];
void receive(long n) {
  nameless[thread_index].packets += n;
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'nameless' here, but elements are 24 bytes apart and a cache line has 64: neighbouring threads write the same line; give the element type alignas(64) [linesman-thread-slot]
  // CHECK-NOTES: :[[@LINE-4]]:3: note: 'nameless' is declared here
  // CHECK-NOTES: :[[@LINE-7]]:8: note: aligned to a line, each element has its lines to itself; the type grows, and its ABI changes
}
