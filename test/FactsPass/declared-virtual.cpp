// Virtual functions are called through their tables only; and a type in C++ has
// the number that it has in C.
//
// RUN: %clangxx -O2 -g -emit-llvm -c %s -o %t.bc
// RUN: opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.bc 2>&1 | FileCheck %s
// RUN: %clang -x c -O2 -g -emit-llvm -c %s -o %t.c.bc
// RUN: opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.c.bc > %t.c.txt 2>&1
// RUN: opt -load-pass-plugin=%facts_plugin -passes='print<linesman-facts>' -disable-output %t.bc > %t.txt 2>&1
// RUN: grep -o 'address use_it declared .*' %t.txt > %t.1 && grep -o 'address use_it declared .*' %t.c.txt > %t.2
// RUN: test -s %t.1 && diff %t.1 %t.2

struct block;
struct uses {
  void (*use)(struct block *);
};
#ifdef __cplusplus
extern "C" {
#endif
void use_it(struct block *);
// CHECK-LABEL: put_use:
// CHECK:      address use_it declared
void put_use(struct uses *u) { u->use = use_it; }
#ifdef __cplusplus
}

struct shape {
  virtual int area() const;
  virtual ~shape();
};
long asked;
int shape::area() const { return ++asked; }
shape::~shape() {}

// CHECK-LABEL: _Z7measurePK5shape:
// CHECK:      indirect ? declared 255
int measure(const shape *s) { return s->area(); }

// CHECK-LABEL: _ZTV5shape: table
// CHECK:      address _ZNK5shape4areaEv declared 255
#endif
