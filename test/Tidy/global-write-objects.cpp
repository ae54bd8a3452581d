// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-global-write %t
// A count of all threads in an object that others point to. There is no layout
// that cures it: every function that reads beside the count writes it as well.
#include "threads.h"
namespace std {
template <typename T> struct shared_ptr {
  T *operator->() const;
  T &operator*() const;
};
template <typename T> struct unique_ptr {
  T *operator->() const;
  T &operator*() const;
};
} // namespace std

struct Server {
  std::atomic<long> bytes;
};
struct Connection {
  Server *server;
  int fd;
};
void received(Connection &from, long size) { from.server->bytes.fetch_add(size); }
// CHECK-MESSAGES: :[[@LINE-1]]:46: warning: 'Server::bytes' is in an object that many reach through their 'Connection::server', and 'received' updates it: its cache line moves to the core that runs the call and away from all others; keep one copy per thread and add them where it is read [linesman-global-write]

// A builtin, by way of a local; a reference; a shared pointer.
struct Class {
  const char *name;
  unsigned long live;
};
struct Object {
  Class *type;
};
void dropped(Object *object) {
  Class *type = object->type;
  __sync_fetch_and_sub(&type->live, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'Class::live' is in an object that many reach through their 'Object::type'
}
struct Pool {
  std::atomic<long> used;
};
struct Arena {
  Pool &pool;
  void take(long size) { pool.used += size; }
  // CHECK-MESSAGES: :[[@LINE-1]]:26: warning: 'Pool::used' is in an object that many reach through their 'Arena::pool', and 'Arena::take' updates it
};
struct Statistics {
  std::atomic<long> lookups;
};
struct Reader {
  std::shared_ptr<Statistics> statistics;
  void find() { statistics->lookups++; }
  // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: 'Statistics::lookups' is in an object that many reach through their 'Reader::statistics'
};

// An object's own statistic, beside which whoever comes reads as well.
struct Route {
  unsigned key, port;
};
struct Routes {
  Route *table;
  unsigned mask;
  std::atomic<long> lookups, found, retries;
  unsigned find(unsigned key) {
    lookups.fetch_add(1);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Routes::find' counts each call in 'Routes::lookups', by which nothing here decides: where threads have the object at once, its cache line moves to the core that runs the call and away from all others; keep one count per thread and add them where they are read [linesman-global-write]
    if (retries.fetch_add(1) > 4)
      return 0;
    if (table[key & mask].key != key)
      return 0;
    found++;
    return table[key & mask].port;
  }
};

// What prints it leaves out what is zero; who goes on by that decides.
struct Metric {
  const char *name;
  std::atomic<long> total;
  void observe(long n) {
    if (n < 0)
      throw n;
    total += n;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Metric::observe' counts each call in 'Metric::total', by which nothing here decides
  }
  const char *serialize(long &value) const {
    if (total == 0)
      return nullptr;
    value = total;
    return name;
  }
};
struct Bounded {
  const char *name;
  std::atomic<long> total;
  void observe(long n) { total += n; }
  const char *serialize() const { return total > 100 ? nullptr : name; }
};
struct Journal {
  const char *name;
  std::atomic<long> entries;
  void append(long n) { entries += n; }
  const char *flush(long &value) const {
    if (entries == 0)
      return nullptr;
    value = entries;
    return name;
  }
};

// Its own line; a class that is nothing but a count; decided by; how many there
// are.
struct Length {
  Route *table;
  std::atomic<long> length;
  Route *push(unsigned key) {
    length.fetch_add(1);
    return table + key;
  }
  Route *pop(unsigned key) {
    length.fetch_sub(1);
    return table - key;
  }
};
struct Apart {
  Route *table;
  alignas(64) std::atomic<long> lookups;
  Route *find(unsigned key) {
    lookups.fetch_add(1);
    return table + key;
  }
};
struct Count {
  std::atomic<long> value;
  void add() { value++; }
};
struct Limited {
  Route *table;
  std::atomic<long> lookups;
  Route *find(unsigned key) {
    lookups.fetch_add(1);
    if (lookups.load() > 100)
      return nullptr;
    return table + key;
  }
};

// A class's own other half; what shared-refcount is about; a number that is
// handed out; the object's own; under a lock; at the end of everything; each
// thread's own.
struct Implementation {
  std::atomic<long> calls;
};
struct Facade {
  std::unique_ptr<Implementation> own;
  void call() { own->calls++; }
};
struct Buffer {
  std::atomic<long> ref_count;
};
struct Slice {
  Buffer *buffer;
  void hold() { buffer->ref_count++; }
};
struct Sequence {
  std::atomic<long> next;
};
struct Writer {
  Sequence *sequence;
  long number() { return sequence->next.fetch_add(1); }
};
struct Own {
  std::atomic<long> turns;
  void turn() { turns++; }
};
struct Table {
  std::atomic<long> rows;
  std::mutex lock;
};
struct Cursor {
  Table *table;
  void add() {
    std::lock_guard<std::mutex> guard(table->lock);
    table->rows++;
  }
};
struct Closing {
  Server *server;
};
void shutdown(Closing &last) { last.server->bytes.fetch_sub(1); }
struct Local {
  std::atomic<long> hits;
};
struct Worker {
  Local *local;
};
thread_local Worker worker;
void hit() { worker.local->hits++; }
struct Parser {
  Local *state;
};
Local *find(int);
int parse(int key) {
  Parser parser;
  parser.state->hits++;
  return key;
}
void choose(Worker &from, bool other) {
  Local *local = from.local;
  if (other)
    local = find(1);
  local->hits++;
}

// By which something is decided: a sequence lock, a limit.
struct Versioned {
  std::atomic<unsigned> sequence;
  long value;
};
struct Publisher {
  Versioned *current;
  void publish(long value) {
    current->sequence++;
    current->value = value;
    current->sequence++;
  }
  long get() const {
    unsigned before;
    long value;
    do {
      before = current->sequence.load();
      value = current->value;
    } while (before != current->sequence.load());
    return value;
  }
};
struct Budget {
  std::atomic<long> requests;
};
struct Client {
  Budget *budget;
  void ask() { budget->requests.fetch_add(1); }
  bool isTired(long most) const { return budget->requests.load() > most; }
};
struct Seen {
  Route *table;
  std::atomic<long> version;
  Route *change(unsigned key) {
    version.fetch_add(1);
    return table + key;
  }
  bool isSame(long before) const { return version.load() == before; }
};

void use(Arena &arena, Reader &reader, Facade &facade, Slice &slice,
         Writer &writer, Own &own, Cursor &cursor, Routes &routes,
         Apart &apart, Count &count, Limited &limited,
         Length &length) {
  length.push(1);
  length.pop(1);
  routes.find(1);
  apart.find(1);
  count.add();
  limited.find(1);
  arena.take(1);
  reader.find();
  facade.call();
  slice.hold();
  writer.number();
  own.turn();
  cursor.add();
}
