#define TABLE_RDLOCK(l) (void)__atomic_add_fetch((l), 4, __ATOMIC_ACQUIRE)
#define TABLE_WRLOCK(l) (void)__atomic_add_fetch((l), 1, __ATOMIC_ACQUIRE)
#define TABLE_RDUNLOCK(l) (void)__atomic_sub_fetch((l), 4, __ATOMIC_RELEASE)
#define TABLE_WRUNLOCK(l) (void)__atomic_sub_fetch((l), 1, __ATOMIC_RELEASE)
PAGE
  unsigned latest = t->latest;
  TABLE_RDUNLOCK(&t->updt_lock);
  return latest;
}
void update(struct table *t) {
  TABLE_WRLOCK(&t->updt_lock);
  t->latest++;
  TABLE_WRUNLOCK(&t->updt_lock);
}
