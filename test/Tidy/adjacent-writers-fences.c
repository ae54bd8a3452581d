// RUN: %check_tidy %s linesman-adjacent-writers %t
// A ring whose ends are plain words: fences, or casts to volatile, say that the
// other end is another thread's.
void *memcpy(void *to, const void *from, unsigned long n);

struct fifo {
  unsigned char *buffer;
  unsigned size;
  unsigned in;
  unsigned out;
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'fifo::in' (offset 12) and 'fifo::out' (offset 16) may be on one cache line and have different writers, 'fifo_put' and 'fifo_get'
};
unsigned fifo_put(struct fifo *f, const unsigned char *from, unsigned n) {
  if (n > f->size - f->in + f->out)
    return 0;
  memcpy(f->buffer + (f->in & (f->size - 1)), from, n);
  __sync_synchronize();
  f->in += n;
  return n;
}
unsigned fifo_get(struct fifo *f, unsigned char *to, unsigned n) {
  if (n > f->in - f->out)
    return 0;
  memcpy(to, f->buffer + (f->out & (f->size - 1)), n);
  __sync_synchronize();
  f->out += n;
  return n;
}

#define READ_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))
struct ring {
  unsigned mask;
  unsigned head;
  unsigned tail;
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'ring::head' (offset 4) and 'ring::tail' (offset 8) may be on one cache line and have different writers, 'produce' and 'consume'
  void *slots[64];
};
int produce(struct ring *r, void *p) {
  if (READ_ONCE(r->tail) + r->mask < r->head)
    return 0;
  r->slots[r->head & r->mask] = p;
  WRITE_ONCE(r->head, r->head + 1);
  return 1;
}
void *consume(struct ring *r) {
  if (READ_ONCE(r->head) == r->tail)
    return 0;
  void *p = r->slots[r->tail & r->mask];
  WRITE_ONCE(r->tail, r->tail + 1);
  return p;
}

// A buffer of one thread has no fences; padding keeps apart.
struct buffer {
  char text[256];
  unsigned in, out;
};
void put(struct buffer *b, char c) {
  if (b->in - b->out < 256)
    b->text[b->in++ & 255] = c;
}
char get(struct buffer *b) {
  return b->out != b->in ? b->text[b->out++ & 255] : 0;
}
struct padded {
  char text[256];
  unsigned in;
  char room[64];
  unsigned out;
};
void put_far(struct padded *b, char c) {
  if (b->in - b->out >= 256)
    return;
  b->text[b->in & 255] = c;
  __sync_synchronize();
  b->in++;
}
char get_far(struct padded *b) {
  if (b->out == b->in)
    return 0;
  char c = b->text[b->out & 255];
  __sync_synchronize();
  b->out++;
  return c;
}
