// RUN: %check_tidy %s linesman-redundant-store %t
#include "threads.h"
// A flag that is tested and put back, set by an operation through a setter.
class Notifier {
  std::atomic<bool> signaled;

public:
  void notify() { signaled.store(true); }
  // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: every call of 'Notifier::notify' stores the same constant to 'Notifier::signaled', also when it is already there
  bool consume() { return signaled.exchange(false); }
};
Notifier arrivals;
void produce() {
  for (;;)
    arrivals.notify();
}
bool waits() { return arrivals.consume(); }

// Work, and then the flag.
void enqueue(void *);
std::atomic<int> has_items;
void post(void *item) {
  enqueue(item);
  has_items.store(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: every call of 'post' stores the same constant to 'has_items'
}
bool poll() {
  if (has_items.load()) {
    has_items.store(0);
    return true;
  }
  return false;
}

// A setter that is called when something happens; one that tests; a flag that
// nobody puts back; one that wakes somebody up.
class Sometimes {
  std::atomic<bool> failed;

public:
  void fail() { failed.store(true); }
  bool consume() { return failed.exchange(false); }
};
int check(Sometimes &state, int value) {
  int doubled = value * 2;
  if (doubled < 0)
    state.fail();
  return doubled;
}
class Tested {
  std::atomic<bool> signaled;

public:
  void notify() {
    if (!signaled.load())
      signaled.store(true);
  }
  bool consume() { return signaled.exchange(false); }
};
void produce(Tested &tested) {
  for (;;)
    tested.notify();
}
class Final {
  std::atomic<bool> ended;

public:
  void end() { ended.store(true); }
  bool has_ended() const { return ended.load(); }
};
void finish(Final &state, void *item) {
  enqueue(item);
  state.end();
  enqueue(nullptr);
}
void wake_all();
std::atomic<int> sleeping;
void post_and_wake(void *item) {
  enqueue(item);
  sleeping.store(1);
  wake_all();
}
bool sleeps() {
  if (sleeping.load()) {
    sleeping.store(0);
    return true;
  }
  return false;
}

// Who sets it clears it as well, in a method that is defined elsewhere.
class Busy {
  std::atomic<bool> working;

public:
  void run(void *item);
  bool interrupt();
};
void Busy::run(void *item) {
  working.store(true);
  enqueue(item);
  working.store(false);
}
bool Busy::interrupt() { return working.exchange(false); }
void serve(Busy &busy, void *item) { busy.run(item); }

// A bit that says that the object was used, set without a look.
constexpr unsigned Accessed = 4, Sent = 8;
struct Page {
  unsigned flags;
  void *data;
};
void mark_accessed(Page *page) {
  __atomic_fetch_or(&page->flags, 4, __ATOMIC_RELAXED);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'mark_accessed' sets 'Page::flags' in every call, though it mostly is set
}
void *get(Page *page) {
  __atomic_fetch_or(&page->flags, Accessed, __ATOMIC_RELAXED);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'get' sets 'Page::flags' in every call
  return page->data;
}
// After a look; an event; what another thread was told by the bit; a bit that
// is cleared.
void mark_if_needed(Page *page) {
  if (!(__atomic_load_n(&page->flags, __ATOMIC_RELAXED) & Accessed))
    __atomic_fetch_or(&page->flags, Accessed, __ATOMIC_RELAXED);
}
void send(Page *page) {
  __atomic_fetch_or(&page->flags, Sent, __ATOMIC_RELAXED);
}
bool touch(Page *page) {
  return __atomic_fetch_or(&page->flags, Accessed, __ATOMIC_RELAXED) & Accessed;
}
void clear_accessed(Page *page) {
  __atomic_fetch_and(&page->flags, ~Accessed, __ATOMIC_RELAXED);
}

// A lock that others hold as well keeps nobody away who stores beside it.
struct Entry {
  std::atomic<bool> accessed;
  int value;
};
struct Cache {
  std::shared_mutex lock;
  Entry *entries[64];
  int get(int key) {
    lock.lock_shared();
    Entry *entry = entries[key & 63];
    entry->accessed.store(true);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Cache::get' sets 'Entry::accessed' in every call, though it mostly is set
    int value = entry->value;
    lock.unlock_shared();
    return value;
  }
  int get_alone(int key) {
    lock.lock();
    Entry *entry = entries[key & 63];
    entry->accessed.store(true);
    int value = entry->value;
    lock.unlock();
    return value;
  }
};
int get(Cache &cache, int key) { return cache.get(key) + cache.get_alone(key); }

// Seconds of the standard library's clock; milliseconds are another each time.
namespace std {
template <long N, long D> struct ratio {};
namespace chrono {
template <typename R, typename P> struct duration {
  R count() const;
};
struct system_clock {
  static duration<long, ratio<1, 1000000000>> now();
};
template <typename To, typename From> To duration_cast(const From &);
} // namespace chrono
} // namespace std
struct Session {
  std::atomic<long> last_used;
  std::atomic<long> last_event;
};
void use(Session *session) {
  long now = std::chrono::duration_cast<
                 std::chrono::duration<long, std::ratio<1, 1>>>(
                 std::chrono::system_clock::now())
                 .count();
  session->last_used.store(now);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'use' stores a time to 'Session::last_used' that changes once a second
  session->last_event.store(
      std::chrono::duration_cast<
          std::chrono::duration<long, std::ratio<1, 1000>>>(
          std::chrono::system_clock::now())
          .count());
}

// A state of several values: each store moves it on.
enum State { None, Closing, Connected };
class Connection {
public:
  void drop();
  void attach();
  void handle();

private:
  void send();
  std::atomic<State> state_{None};
};
void Connection::drop() {
  send();
  state_ = Closing;
  send();
}
void Connection::attach() {
  send();
  state_ = Connected;
  send();
}
void Connection::handle() {
  if (state_ == None)
    return;
  state_ = Closing;
  send();
  state_ = None;
}
