// RUN: %check_tidy %s linesman-write-only-global %t
#include "threads.h"

static int last_error;
void fail(int Code) {
  last_error = Code;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'last_error' is written here and never read: nobody in this file looks at it and nobody else can, but the store takes its cache line, and what the linker put beside it, away from the other cores; remove it [linesman-write-only-global]
}

namespace {
std::atomic<long> calls;
struct Trace {
  int line;
  const char *file;
} trace;
} // namespace
void call() {
  calls++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'calls' is written here and never read
  calls.fetch_add(1);
  trace.line = __LINE__;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'trace' is written here and never read
  static long entries;
  entries += 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'call::entries' is written here and never read
}

static int history[4];
void remember(int I) {
  history[I & 3] = I;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'history' is written here and never read
}

// Where the pattern and its instantiations write.
static long sizes[2];
template <typename T> void note_size(T) {
  sizes[sizeof(T) > 4] += sizeof(T);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'sizes' is written here and never read
}
void note_sizes() {
  note_size(1);
  note_size(1L);
}

// By another way to name it.
static struct Pair {
  int first, second;
} pairs[2];
static int spare;
void pick(bool First) {
  (First ? pairs[0].first : spare) = 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'pairs' is written here and never read
  // CHECK-MESSAGES: :[[@LINE-2]]:3: warning: 'spare' is written here and never read
}

template <typename T> struct Box {
  void put(T) { puts = sizeof(T); }
  static long puts;
};

// ---- From here on: nothing.

static int read_somewhere;
void write_it() { read_somewhere = 1; }
int read_it() { return read_somewhere; }

static int result_used;
int next() { return ++result_used; }

static int address_taken;
void publish(int *);
void hand_out() {
  address_taken = 1;
  publish(&address_taken);
}

static int by_reference;
int &refer() {
  by_reference = 2;
  return by_reference;
}

static int through_alias;
int alias() {
  int &A = through_alias;
  A = 3;
  return A;
}

static int through_pointer;
int pointer() {
  int *P = &through_pointer;
  *P = 3;
  return *P;
}

static int captured;
void capture() {
  captured = 1;
  auto F = [] { return captured; };
  F();
}

int external;
void write_external() { external = 1; }
static volatile int device;
void write_device() { device = 1; }
[[gnu::used]] static int for_debugger;
void write_debug() { for_debugger = 1; }
static thread_local int own;
void write_own() { own = 1; }
static int only_at_start;
void init_start() { only_at_start = 1; }
static std::lock_guard<std::mutex> *raii;
struct Holder {
  Holder();
  ~Holder();
  Holder &operator=(int);
};
static Holder holder;
void assign() { holder = 1; }
static int compared;
bool compare() { compared = 4; return compared == 5; }
[[clang::annotate("linesman:shared-ok")]] static int accepted;
void accept() { accepted = 1; }
static int silenced;
void silence() { silenced = 1; } // NOLINT(linesman-write-only-global)

// Read where no function's own statements are.
static int by_argument, by_member, by_constructed_member, by_list;
void set_defaults(int V) {
  by_argument = V;
  by_member = V;
  by_constructed_member = V;
  by_list = V;
}
int default_argument(int V = by_argument) { return V; }
int use_argument() { return default_argument(); }
struct DefaultMember {
  int V = by_member;
};
int use_member() { return DefaultMember().V; }
struct DefaultWithConstructor {
  int V = by_constructed_member;
  DefaultWithConstructor() {}
};
int use_constructed() { return DefaultWithConstructor().V; }
struct DefaultInList {
  int First, V = by_list;
};
DefaultInList use_list() { return {.First = 1}; }

static int bound[2];
void set_bound(int V) { bound[1] = V; }
int structured() {
  auto [First, Second] = bound;
  return First + Second;
}

static int rows, columns, planes;
void set_sizes(int V) { rows = columns = planes = V; }
unsigned long use_sizes() {
  int Row[rows];
  typedef int Column[columns];
  return sizeof(Row) + sizeof(Column) + sizeof(int[planes]);
}

static int while_condition, for_condition, switch_condition;
void set_conditions(int V) {
  while_condition = V;
  for_condition = V;
  switch_condition = V;
}
int use_conditions() {
  while (auto Q = while_condition)
    return Q;
  for (; int Q = for_condition;)
    return Q;
  switch (int Q = switch_condition) {
  default:
    return Q;
  }
}

static int in_pattern, in_method_pattern;
template <typename T> T pattern() { return in_pattern; }
template <typename T> struct MethodPattern {
  T get() { return in_method_pattern; }
};
void set_patterns(int V) {
  in_pattern = V;
  in_method_pattern = V;
}

static int own_index[4];
void index_itself(int V) { own_index[own_index[0]] = V; }
