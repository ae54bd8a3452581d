// How pointers to functions are declared: where a function is put, and through
// what is called. All of these are int (ptr) in the IR.
//
// RUN: %clang -O2 -g -emit-llvm -c %s -o %t.bc
// RUN: opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.bc 2>&1 | FileCheck %s
// RUN: %clang -O2 -emit-llvm -c %s -o %t.plain.bc
// RUN: opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.plain.bc 2>&1 | FileCheck %s --check-prefix=PLAIN
// Without debug information nothing is known.
// PLAIN:     indirect ?
// PLAIN-NOT: declared

struct stream;
struct test;
typedef int send_function(struct stream *);
struct ops {
  send_function *send;
  int (*run)(struct test *);
};
struct stream {
  struct {
    int (*send)(struct stream *);
  } inner;
  struct ops *ops;
  union {
    int (*send)(struct stream *);
    int (*run)(struct test *);
  } either;
};

int send_it(struct stream *);
int run_it(struct test *);
int any(void *);
void add(int (*)(struct test *));
void add_any(void *);

int (*hook)(struct test *);
static int (*hooks[4])(struct test *);

// A member of a record; of a nested one.
// CHECK-LABEL: put:
// CHECK:      address send_it declared [[SEND:[0-9]+]]
void put(struct stream *s) { s->inner.send = send_it; }

// CHECK-LABEL: put_other:
// CHECK:      address run_it declared [[OTHER:[0-9]+]]
void put_other(struct ops *o) { o->run = run_it; }

// A cast on the way changes nothing.
// CHECK-LABEL: put_cast:
// CHECK:      address any declared [[SEND]]
void put_cast(struct ops *o) { o->send = (send_function *)any; }

// Which alternative of a union is meant, nobody knows.
// CHECK-LABEL: put_either:
// CHECK:      address send_it{{$}}
void put_either(struct stream *s) { s->either.send = send_it; }

// Handed to somebody, who says what it takes, or does not.
// CHECK-LABEL: hand:
// CHECK-DAG:  address run_it declared [[OTHER]]
// CHECK-DAG:  address any{{$}}
void hand(void) {
  add(run_it);
  add_any((void *)any);
}

// Variables, and arrays of them.
// CHECK-LABEL: keep:
// CHECK:      address run_it declared [[OTHER]]
// CHECK:      address run_it declared [[OTHER]]
void keep(int i) {
  hook = run_it;
  hooks[i] = run_it;
}
int use(struct test *t) { return hook(t); }

// CHECK-LABEL: keep_in_table:
// CHECK:      address run_it declared [[OTHER]]
struct ops *first;
static struct ops more[4];
void keep_in_table(int i) {
  more[i].run = run_it;
  first = more;
}

// A record that has a name by its typedef only, and a name of that.
typedef struct { int size; } block;
typedef block piece;
struct uses {
  _Bool (*use)(block *);
};
_Bool use_it(piece *);
void add_use(_Bool (*)(piece *));
// CHECK-LABEL: put_use:
// CHECK:      address use_it declared [[USE:[0-9]+]]
// CHECK:      address use_it declared [[USE]]
void put_use(struct uses *u) {
  u->use = use_it;
  add_use(use_it);
}

// Calls.
// CHECK-LABEL: call:
// CHECK:      indirect ? declared [[SEND]]
// CHECK:      indirect ? declared [[SEND]]
// CHECK:      indirect ? declared [[OTHER]]
// CHECK:      indirect ? declared [[OTHER]]
int call(struct stream *s, struct test *t, int i) {
  return s->inner.send(s) + s->ops->send(s) + s->ops->run(t) + hooks[i](t);
}

// CHECK-LABEL: call_parameter:
// CHECK:      indirect ? declared [[OTHER]]
int call_parameter(int (*todo)(struct test *), struct test *t) { return todo(t); }

// CHECK-LABEL: call_either:
// CHECK:      indirect ?{{$}}
int call_either(struct stream *s) { return s->either.send(s); }

// From the start.
// CHECK-LABEL: table: table
// CHECK-DAG:  address send_it declared [[SEND]]
// CHECK-DAG:  address run_it declared [[OTHER]]
struct ops table[] = {{0, run_it}, {send_it, 0}};
