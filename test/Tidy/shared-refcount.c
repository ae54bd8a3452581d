// RUN: %check_tidy %s linesman-shared-refcount %t
#include <stdatomic.h>

struct object {
  atomic_int refcount;
  int type;
};
struct plain {
  int refs;
};

static struct object none;
static struct object immortal;
static struct plain shared_plain;

static void object_ref(struct object *o) {
  atomic_fetch_add(&o->refcount, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'object_ref' counts 'object::refcount' of the static 'none', which never goes away
}
static void object_ref_mortal(struct object *o) {
  if (o != &immortal)
    atomic_fetch_add(&o->refcount, 1);
}

struct object *get_none(void) {
  object_ref(&none);
  return &none;
}
struct object *get_immortal(void) {
  object_ref_mortal(&immortal);
  return &immortal;
}
void count_plain(void) {
  __sync_fetch_and_add(&shared_plain.refs, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'count_plain' counts 'plain::refs' of the static 'shared_plain'
  __atomic_load_n(&shared_plain.refs, __ATOMIC_RELAXED);
  shared_plain.refs = 0;
}
