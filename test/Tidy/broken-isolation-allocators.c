// RUN: %check_tidy %s linesman-broken-isolation %t
// An allocator of another unit, alone: nothing tells how it aligns.
typedef unsigned long size_t;
void *mem_alloc(size_t size);
struct ring {
  long head;
  long tail __attribute__((aligned(64)));
};
struct ring *make(void) {
  return (struct ring *)mem_alloc(sizeof(struct ring));
}
// Something is reported, so that an empty run is none.
void *malloc(size_t size);
struct ring *make_by_library(void) {
  return (struct ring *)malloc(sizeof(struct ring));
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'ring' is aligned to 64 bytes, but 'malloc' promises only 16
}
