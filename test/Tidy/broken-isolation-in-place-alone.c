// The same where nothing takes an alignment: it may be in what the allocator
// gives.
// RUN: %check_tidy %s linesman-broken-isolation %t
typedef unsigned long size_t;
struct slot {
  _Alignas(64) long count;
};
int pool_calloc(size_t n, size_t size, void *result);
int make(struct slot **s) {
  struct slot *made;
  int ret = pool_calloc(1, sizeof(struct slot), &made);
  *s = made;
  return ret;
}
