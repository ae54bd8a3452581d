// RUN: %check_tidy %s linesman-const-path-write %t
#include "threads.h"

// The one-element cache of the JVM: written in every subtype check that asks
// for another class than the last one, beside the list that every check reads.
struct Klass {
  mutable const Klass *last_hit;
  const Klass *const *supers;
  int count;

  bool is_subtype_of(const Klass *Other) const {
    if (last_hit == Other)
      return true;
    for (int I = 0; I < count; ++I)
      if (supers[I] == Other) {
        last_hit = Other;
        // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: 'Klass::is_subtype_of' promises not to change the object, but writes 'Klass::last_hit' (offset 0) beside 'Klass::supers' (offset 8), which is only read; each such write takes the cache line away from all readers: put what is written on a line of its own, keep it per thread, or do not write [linesman-const-path-write]
        return true;
      }
    return false;
  }
};

struct Table {
  int find(int Key) const {
    ++lookups;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Table::find' promises not to change the object, but writes 'Table::lookups' (offset 8) beside 'Table::slots' (offset 0)
    hits.fetch_add(1);
    // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'Table::find' promises not to change the object, but writes 'Table::hits' (offset 12) beside 'Table::slots' (offset 0)
    return slots[Key];
  }
  // The same field again is the same cause.
  bool contains(int Key) const {
    lookups++;
    return slots[Key] != 0;
  }
  int *slots;
  mutable int lookups;
  mutable std::atomic<int> hits;
};

// Casts that drop const, and setters behind them.
struct Casts {
  int get() const {
    const_cast<Casts *>(this)->uses++;
    // CHECK-MESSAGES: :[[@LINE-1]]:36: warning: 'Casts::get' promises not to change the object, but writes 'Casts::uses'
    return value;
  }
  int get_by_setter() const {
    const_cast<Casts *>(this)->bump();
    // CHECK-MESSAGES: :[[@LINE-1]]:32: warning: 'Casts::get_by_setter' promises not to change the object, but writes 'Casts::bumps'
    return value;
  }
  void bump() { ++bumps; }
  int value, uses, bumps;
};
int peek(const Casts &C) {
  const_cast<Casts &>(C).value = 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:32: warning: 'peek' promises not to change the object, but writes 'Casts::value'
  return 0;
}

// One diagnostic for a template.
template <typename T> struct Counted {
  T get() const {
    ++reads;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Counted::get' promises not to change the object, but writes 'Counted::reads' (offset
    return value;
  }
  T value;
  mutable unsigned reads;
};
int a(const Counted<int> &C) { return C.get(); }
long b(const Counted<long> &C) { return C.get(); }

#define COUNT(Field) ++(Field)
struct InMacro {
  int get() const {
    COUNT(reads);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'InMacro::get' promises
    return value;
  }
  int value;
  mutable int reads;
};

// Computed once: a test decides, and the writes stop.
struct Lazy {
  int get() const {
    if (!known) {
      value = compute();
      known = true;
    }
    return value;
  }
  int early() const {
    if (known)
      return value;
    value = compute();
    known = true;
    return value;
  }
  void note(int Now) const {
    if (latest != Now)
      latest = Now;
  }
  int compute() const;
  mutable int value, latest;
  mutable bool known;
};

// Locks are there to be written, and what they protect moves with them.
struct Locked {
  int get() const {
    std::lock_guard<std::mutex> Guard(mutex);
    ++reads;
    return value;
  }
  int value;
  mutable int reads;
  mutable std::mutex mutex;
};

// A reference count is no business of readers.
struct Shared {
  void ref() const { ++refcount; }
  int value;
  mutable int refcount;
};

// A setter that is const for others to call it, and a thing that walks.
struct Cached {
  void set_cached(int Now) const { cached = Now; }
  mutable int cached;
  int value;
};
struct Iterator {
  int operator*() const { return current = *position; }
  Iterator &operator++();
  int *position;
  mutable int current;
};

// It says that it changes the object: nothing is hidden, and const is there for
// the elements of a set (a tree of names with a value, built by configuration).
template <typename T> struct Set {
  T *begin();
  T *emplace(int);
  void clear();
  T *first;
};
struct Tree {
  void add(int Name, int Value) const {
    if (Name == 0) {
      is_end = true;
      value = Value;
      return;
    }
    Tree *Child = children.emplace(Name);
    Child->value = Value;
    count_changes();
  }
  bool RemoveNode(int Name) const {
    is_end = name == Name;
    children.clear();
    return is_end;
  }
  int insert_node(int Name) const {
    const_cast<Tree *>(this)->mark();
    return name;
  }
  // No verb, but what it touches it changes.
  void grow(int Name) const {
    is_end = false;
    children.emplace(Name);
  }
  int *lookup(int Name) const { return is_end ? &value : nullptr; }
  void count_changes() const;
  void mark() { changes++; }
  int name, changes;
  mutable Set<Tree> children;
  mutable bool is_end;
  mutable int value;
};

// The same words where they promise nothing: a new object is made, a name that
// only begins like one, nothing is returned but somebody is told.
struct Vector {
  Vector add(const Vector &Other) const {
    ++additions;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Vector::add' promises not to change the object, but writes 'Vector::additions'
    return {x + Other.x, 0};
  }
  int x;
  mutable int additions;
};
struct Server {
  int setpoint() const {
    ++asked;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Server::setpoint' promises not to change the object, but writes 'Server::asked'
    return port;
  }
  template <typename F> void visit(F &&Tell) const {
    ++visits;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Server::visit' promises not to change the object, but writes 'Server::visits'
    Tell(port);
  }
  int port;
  mutable int asked, visits;
};
void tell(int);
void visit_all(const Server &S) { S.visit(tell); }

// Handed to somebody's T &: a formatting operator reads it.
struct Format {
  template <typename T> Format &operator%(T &Value);
  template <typename T> Format &operator%(const T &Value);
};
struct Block {
  const Format &show(Format &To) const { return To % blocks % limit; }
  mutable std::atomic<int> blocks;
  int limit;
};

// On a line of its own, by intent.
struct Isolated {
  int get() const {
    ++reads;
    return value;
  }
  int value;
  alignas(64) mutable int reads;
};

// Not const, not its own, a slot of its own for each thread, accepted.
struct Others {
  int set(int V) { return value = V; }
  int behind() const { return *pointer = value; }
  int local() const {
    Others Copy = *this;
    Copy.value = 1;
    return value;
  }
  int sharded(int Shard) const {
    ++shards[Shard];
    return value;
  }
  int accepted() const {
    ++accepted_reads;
    ++silenced; // NOLINT(linesman-const-path-write)
    return value;
  }
  int value;
  int *pointer;
  mutable int shards[64];
  [[clang::annotate("linesman:shared-ok")]] mutable int accepted_reads;
  mutable int silenced;
};

// Lambdas that the function runs itself are part of it.
namespace std {
template <typename I, typename F> F for_each(I First, I Last, F Each);
template <typename F> void call_once(int &Once, F Run);
} // namespace std
struct Pool {
  template <typename F> void post(F Job);
};
template <typename F> void for_all(int N, const F &Each) {
  for (int I = 0; I < N; ++I)
    Each(I);
}
struct Walked {
  int by_algorithm() const {
    std::for_each(begin, end, [this](int) { ++steps; });
    // CHECK-MESSAGES: :[[@LINE-1]]:45: warning: 'Walked::by_algorithm' promises not to change the object, but writes 'Walked::steps'
    return limit;
  }
  int on_the_spot() const {
    return [&] {
      ++spot;
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'Walked::on_the_spot' promises not to change the object, but writes 'Walked::spot'
      return limit;
    }();
  }
  int by_name() const {
    auto Count = [this] { ++named; };
    // CHECK-MESSAGES: :[[@LINE-1]]:27: warning: 'Walked::by_name' promises not to change the object, but writes 'Walked::named'
    Count();
    return limit;
  }
  int by_own_loop() const {
    for_all(limit, [this](int) { for_all(2, [this](int) { ++loops; }); });
    // CHECK-MESSAGES: :[[@LINE-1]]:59: warning: 'Walked::by_own_loop' promises not to change the object, but writes 'Walked::loops'
    return limit;
  }
  // Stored, once, computed once, locked, of a copy.
  int quiet(Pool &To) const {
    To.post([this] { ++stored; });
    std::call_once(once, [this] { ++stored; });
    if (!computed)
      [this] {
        value = limit;
        computed = true;
      }();
    [*this]() mutable { ++stored; }();
    std::lock_guard<std::mutex> Held(mutex);
    std::for_each(begin, end, [this](int) { ++stored; });
    return limit;
  }
  const int *begin, *end;
  int limit;
  mutable int steps, spot, named, loops, stored, value, once;
  mutable bool computed;
  mutable std::mutex mutex;
};

// What a function of its own fills in, when it is first asked for.
class Totals {
public:
  int sum() const {
    fill();
    return total;
  }
  int asked() const {
    count();
    return limit;
  }
  int tried() const {
    if (!filled)
      attempt();
    return limit;
  }

private:
  void fill() const {
    if (!filled) {
      add_up();
      filled = true;
    }
  }
  int add_up() const {
    total = limit;
    return limit;
  }
  // Nothing says that it stops.
  int count() const {
    ++calls;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Totals::count' promises not to change the object, but writes 'Totals::calls'
    return limit;
  }
  // The test is of something that neither of the two functions writes.
  int attempt() const {
    ++attempts;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Totals::attempt' promises not to change the object, but writes 'Totals::attempts'
    return limit;
  }
  int limit;
  mutable int total, calls, attempts;
  mutable bool filled;
};
