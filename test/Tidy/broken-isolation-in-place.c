// Allocators that give their memory through a parameter, and whose bodies are in
// other units: one beside them takes an alignment, and these do not.
// RUN: %check_tidy %s linesman-broken-isolation %t
typedef unsigned long size_t;
typedef struct session session;

struct slot {
  _Alignas(64) long count;
};
struct small {
  long count;
};
struct pool {
  struct slot *slots;
  struct small *smalls;
  char *bytes;
};

int pool_calloc(session *s, size_t n, size_t size, void *result);
int pool_calloc_aligned(session *s, size_t n, size_t size, void *result);
void *pool_get(session *s, size_t size);

int open_pool(session *s, struct pool *p, size_t n) {
  int ret;
  if ((ret = pool_calloc(s, n, sizeof(struct slot), &p->slots)) != 0)
    // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: 'slot' is aligned to 64 bytes, and 'pool_calloc' is not told so, unlike 'pool_calloc_aligned' beside it
    return ret;
  // No type that wants a line.
  if ((ret = pool_calloc(s, n, sizeof(struct small), &p->smalls)) != 0)
    return ret;
  if ((ret = pool_calloc(s, n, 1, &p->bytes)) != 0)
    return ret;
  // The fix.
  return pool_calloc_aligned(s, n, sizeof(struct slot), &p->slots);
}

// A function that fills what it is given, and none that allocates.
int pool_load(session *s, size_t n, void *result);
int load(session *s, struct pool *p) {
  return pool_load(s, 1, &p->slots);
}

// Room for somebody to round it up.
int open_rounded(session *s, struct pool *p, size_t n) {
  return pool_calloc(s, 1, n * sizeof(struct slot) + 63, &p->slots);
}
