// RUN: %check_tidy %s linesman-shared-refcount %t
#include "threads.h"
void work();

// How deep one thread is in something: raised and lowered around the work, by
// its name, plainly.
struct Parser {
  int use_count;
  int line;
};
static Parser parser;
void parse() {
  parser.use_count++;
  work();
  --parser.use_count;
}

// Taken here and given back elsewhere, it is somebody's reference.
static Parser shared;
void take() {
  shared.use_count++;
  // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: 'take' counts 'Parser::use_count' of the static 'shared'
}

// Atomically, threads meet there.
struct Pool {
  std::atomic<int> use_count;
};
static Pool pool;
void borrow() {
  pool.use_count.fetch_add(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: 'borrow' counts 'Pool::use_count' of the static 'pool'
  work();
  pool.use_count.fetch_sub(1);
}

// Two objects: each step is the other's business.
static Parser from, to;
void carry() {
  to.use_count++;
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: 'carry' counts 'Parser::use_count' of the static 'to'
  from.use_count--;
  // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: 'carry' counts 'Parser::use_count' of the static 'from'
}
