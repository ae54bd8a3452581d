// RUN: %check_tidy %s linesman-broken-isolation %t
// Allocators of another unit, one of which is told how to align.
typedef unsigned long size_t;
void *mem_alloc(size_t size);
void *mem_alloc_ex(size_t size, size_t align, int node);
void *mem_alloc_pages(size_t count);
void *mem_of(void *pool, size_t size);
void *mem_alloc_lines(size_t size) __attribute__((assume_aligned(64)));

struct ring {
  long head;
  long tail __attribute__((aligned(64)));
};
struct plain {
  long head, tail;
};

struct ring *make(void) {
  return (struct ring *)mem_alloc(sizeof(struct ring));
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'ring' is aligned to 64 bytes, and 'mem_alloc' is not told so, unlike 'mem_alloc_ex' beside it
}
struct ring *make_aligned(void) {
  return (struct ring *)mem_alloc_ex(sizeof(struct ring), 64, 0);
}
// Whole pages, a pool's, what the declaration promises, what asks for nothing.
struct ring *make_pages(void) { return (struct ring *)mem_alloc_pages(1); }
struct ring *make_pooled(void *pool) {
  return (struct ring *)mem_of(pool, sizeof(struct ring));
}
struct ring *make_lines(void) {
  return (struct ring *)mem_alloc_lines(sizeof(struct ring));
}
struct plain *make_plain(void) {
  return (struct plain *)mem_alloc(sizeof(struct plain));
}
