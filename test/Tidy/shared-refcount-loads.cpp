// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-shared-refcount %t
#include "threads.h"
#include "shared_ptr.h"
namespace std {
template <typename T> shared_ptr<T> atomic_load(const shared_ptr<T> *);
template <typename T> void atomic_store(shared_ptr<T> *, shared_ptr<T>);
template <typename T> struct atomic<shared_ptr<T>> {
  shared_ptr<T> load(memory_order = memory_order_seq_cst) const;
  void store(shared_ptr<T>, memory_order = memory_order_seq_cst);
  operator shared_ptr<T>() const;
  shared_ptr<T> Value;
};
} // namespace std

struct Rules {
  int limit;
  int find(int) const;
};

// ---- A pointer that is replaced while others look: each look counts.
class Filter {
  std::shared_ptr<Rules> rules;
  std::atomic<std::shared_ptr<Rules>> next;
  std::atomic<std::shared_ptr<Rules>> kept;

public:
  bool allows(int n) const {
    auto now = std::atomic_load(&rules);
    // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: 'Filter::allows' loads the shared pointer 'Filter::rules' to look at its object; each load counts up and down again, and takes the cache line of the count away from all other cores that do: keep a copy per thread, and load again only when the pointer has changed
    return n < now->limit;
  }
  int route(int key) const {
    return next.load(std::memory_order_acquire)->find(key);
    // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'Filter::route' loads the shared pointer 'Filter::next' to look at its object
  }
  // Who is given the pointer keeps the object; and nobody asks for the rules
  // when the program stops.
  std::shared_ptr<Rules> share() const { return kept.load(); }
  void visit(void (*each)(std::shared_ptr<Rules>)) const { each(kept.load()); }
  void shutdown() {
    auto last = kept.load();
    last->find(0);
  }
  void set(std::shared_ptr<Rules> to) {
    std::atomic_store(&rules, to);
    next.store(to);
    kept.store(to);
  }
};

// ---- A getter that loads it: whoever asks counts.
class Limits {
  std::shared_ptr<Rules> rules;

public:
  std::shared_ptr<Rules> current() const { return std::atomic_load(&rules); }
  bool allows(int n) const { return n < current()->limit; }
  // CHECK-MESSAGES: :[[@LINE-1]]:41: warning: 'Limits::allows' loads the shared pointer 'Limits::rules' to look at its object
  std::shared_ptr<Rules> both() const { return current(); }
  void set(std::shared_ptr<Rules> to) { std::atomic_store(&rules, to); }
};

// ---- A getter that gives a copy of what never changes.
class Table {
  std::shared_ptr<Rules> layout;
  std::shared_ptr<Rules> current;
  std::mutex lock;

public:
  explicit Table(const std::shared_ptr<Rules> &l) : layout(l) {}
  std::shared_ptr<Rules> getLayout() const { return layout; }
  std::shared_ptr<Rules> getCurrent() const { return current; }
  const std::shared_ptr<Rules> &byReference() const { return layout; }
  void change(std::shared_ptr<Rules> to) {
    std::lock_guard<std::mutex> guard(lock);
    current = to;
  }
};
long scan(const Table &table, const int *rows, long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i)
    sum += rows[i] * table.getLayout()->limit;
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 'scan' asks 'Table::getLayout' for a copy of the shared pointer 'Table::layout' to look at its object, on every turn of a loop
  return sum;
}
// A reference; a pointer that may change meanwhile; each turn another object.
long scan_right(const Table &table, const Table *const *all, long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i)
    sum += table.byReference()->limit + table.getCurrent()->limit +
           all[i]->getLayout()->limit;
  return sum;
}

// ---- One object for all, copied by whoever asks.
std::shared_ptr<Rules> instance() {
  static std::shared_ptr<Rules> one = std::make_shared<Rules>();
  return one;
}
const std::shared_ptr<Rules> &instance_right() {
  static std::shared_ptr<Rules> one = std::make_shared<Rules>();
  return one;
}
std::shared_ptr<Rules> fresh() {
  std::shared_ptr<Rules> made = std::make_shared<Rules>();
  return made;
}
int ask(int key) {
  return instance_right()->find(key) + fresh()->find(key) +
         instance()->find(key);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'ask' asks 'instance' for a copy of the shared pointer 'instance::one' to look at its object; the count
}

// ---- Elements of a container.
struct Log {
  std::array<std::shared_ptr<Rules>, 4> sinks;
  std::array<std::shared_ptr<Rules>, 4> kept;
  int emit() {
    int sum = 0;
    for (const auto &sink : sinks)
      sum += sink->limit;
    return sum;
  }
};
Log all;
int emit() {
  int sum = 0;
  for (auto sink : all.sinks)
    // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'emit' copies each shared pointer in 'Log::sinks' to look at its object
    sum += sink->limit;
  return sum;
}
std::array<std::shared_ptr<Rules>, 4> everywhere;
int emit_all(std::shared_ptr<Rules> *to) {
  int sum = 0;
  for (auto sink : everywhere)
    // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'emit_all' copies each shared pointer in 'everywhere' to look at its object
    sum += sink->limit;
  for (const auto &sink : everywhere)
    sum += sink->limit;
  for (auto sink : everywhere)
    *to++ = sink;
  return sum;
}

// ---- A parameter by value.
struct Tree {
  Tree *left, *right;
  int value;
};
long walk(const Tree *at, std::shared_ptr<Rules> rules) {
  if (!at)
    return 0;
  return at->value * rules->limit + walk(at->left, rules) +
         // CHECK-MESSAGES: :[[@LINE-1]]:52: warning: 'walk' copies a shared pointer for 'walk', which only looks at its object, and calls itself
         walk(at->right, rules);
}
long walk_by_reference(const Tree *at, const std::shared_ptr<Rules> &rules) {
  return at ? rules->limit + walk_by_reference(at->left, rules) : 0;
}
struct Keeper {
  std::shared_ptr<Rules> rules;
  int keep(std::shared_ptr<Rules> r) {
    rules = r;
    return rules->limit;
  }
};
int keep_all(Keeper *keepers, int n, const std::shared_ptr<Rules> &rules) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += keepers[i].keep(rules);
  return sum;
}
