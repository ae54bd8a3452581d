// Operations that count themselves into an object and out again.
// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-global-write %t

#include "threads.h"

struct Entry {
  std::atomic<long> readers;
  const char *key;
};

// On each way out.
const char *find(Entry *entry, int wanted) {
  entry->readers.fetch_add(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'find' counts up in 'Entry::readers' here and down again before it returns: where several threads have the object at once, both steps move its cache line
  if (wanted < 0) {
    entry->readers.fetch_sub(1);
    return nullptr;
  }
  const char *key = entry->key;
  if (!key) {
    entry->readers.fetch_sub(1);
    return nullptr;
  }
  return key;
}

// By functions of its own.
struct Events {
  std::atomic<int> refs;
  int number;
};
void destroy(Events *events);
void ref(Events *events) { events->refs.fetch_add(1); }
void unref(Events *events) {
  if (events->refs.fetch_sub(1) == 1)
    destroy(events);
}
int next(Events *events) {
  ref(events);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'next' counts up in 'Events::refs' here and down again
  int number = events->number;
  unref(events);
  return number;
}

// By methods, one of which compares and exchanges.
class Session {
public:
  void begin() { ++running_; }
  void end() {
    long seen = running_.load();
    for (;;) {
      long next = seen - 1;
      if (running_.compare_exchange_weak(seen, next))
        break;
    }
  }

private:
  std::atomic<long> running_;
};
int ask(int);
int search(Session *session, int key) {
  session->begin();
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'search' counts up in 'Session::running_' here
  int found = ask(key);
  session->end();
  return found;
}

// The fix: nobody counts.
int fixed_search(Session *, int key) { return ask(key); }

// Taken back only where something fails, or asked how many there are.
struct Room {
  std::atomic<long> used, most;
};
bool enter(Room *room, bool is_closed) {
  room->used.fetch_add(1);
  if (is_closed) {
    room->used.fetch_sub(1);
    return false;
  }
  return true;
}
bool admit(Room *room) {
  if (room->most.fetch_add(1) >= 10) {
    room->most.fetch_sub(1);
    return false;
  }
  room->most.fetch_sub(1);
  return true;
}

// Two objects: one reference is given away, another one is kept.
void move(Events *from, Events *to) {
  ref(to);
  unref(from);
}

// What an object has is counted by its own operations; who calls both of them
// is not in it.
struct Items {
  std::atomic<long> length;
  int items[8];
  void push(int item) { length.fetch_add(1); }
  void pop() { length.fetch_sub(1); }
  void put(int item) {
    items[item] = item;
    length.fetch_add(1);
  }
  void drop(int item) {
    items[item] = 0;
    length.fetch_sub(1);
  }
};
void replace(Items *items, int item) {
  items->push(item);
  items->pop();
  items->put(item);
  items->drop(item);
}

// What the function has made, what is each thread's own, and a lock.
int make(int number) {
  Events *events = new Events;
  ref(events);
  events->number = number;
  unref(events);
  return number;
}
static thread_local Events own;
int own_next() {
  ref(&own);
  int number = own.number;
  unref(&own);
  return number;
}
struct SharedLock {
  std::atomic<long> inside;
  void read_lock() { inside.fetch_add(1); }
  void read_unlock() { inside.fetch_sub(1); }
};
struct Table {
  SharedLock lock;
  int value;
};
int look(Table *table) {
  table->lock.read_lock();
  int value = table->value;
  table->lock.read_unlock();
  return value;
}

// Under a lock, where nobody else comes.
struct Locked {
  std::mutex mutex;
  std::atomic<long> users;
};
void use(Locked *locked) {
  std::lock_guard<std::mutex> guard(locked->mutex);
  locked->users.fetch_add(1);
  ask(1);
  locked->users.fetch_sub(1);
}
