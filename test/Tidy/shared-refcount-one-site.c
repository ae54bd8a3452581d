// One function that counts whatever it is given is one cause, however many
// static objects come to it.
// RUN: %check_tidy %s linesman-shared-refcount %t
#include <stdatomic.h>

struct object {
  atomic_long refcount;
  int kind;
};
static struct object none, yes, no;

static void keep(struct object *o) {
  atomic_fetch_add(&o->refcount, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'keep' counts 'object::refcount' of the static 'none', which never goes away
  // CHECK-MESSAGES: :[[@LINE-5]]:22: note: 'none' is one object for all threads
  // CHECK-MESSAGES: :[[@LINE-6]]:28: note: 'yes' is counted there, too
  // CHECK-MESSAGES: :[[@LINE-7]]:33: note: 'no' is counted there, too
}
struct object *answer(int value) {
  struct object *to = value ? &yes : &no;
  keep(to);
  return to;
}
struct object *nothing(void) {
  keep(&none);
  return &none;
}

// Another function is another cause.
static struct object first;
static void hold(struct object *o) {
  atomic_fetch_add(&o->refcount, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'hold' counts 'object::refcount' of the static 'first', which never goes away
}
struct object *get_first(void) {
  hold(&first);
  return &first;
}

// What counts one of several elsewhere is said with them.
static struct object left, right;
static void take(struct object *o) {
  atomic_fetch_add(&o->refcount, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'take' counts 'object::refcount' of the static 'left', which never goes away
  // CHECK-MESSAGES: :[[@LINE-4]]:28: note: 'right' is counted there, too
}
static void take_again(struct object *o) {
  atomic_fetch_add(&o->refcount, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: note: 'take_again' counts one of them, too
}
struct object *side(int value) {
  struct object *to = value ? &left : &right;
  take(to);
  return to;
}
struct object *get_right(void) {
  take(&right);
  take_again(&right);
  return &right;
}
