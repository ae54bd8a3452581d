// RUN: %check_tidy %s linesman-redundant-store %t
// The time of the last use by a fine clock, in an object that many threads use.
#include "threads.h"
long now_ns();

struct Session {
  std::atomic<long> last_used, created, deadline;
  int flags;
};
struct Sessions {
  Session *table[64];
  Session *find(unsigned key) {
    Session *found = table[key % 64];
    found->last_used.store(now_ns());
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Sessions::find' stores the time of its use to 'Session::last_used', also when it was used just before: each call takes the cache line away from all other cores that use the object; store only when the time that is there is older than its reader can bear [linesman-redundant-store]
    return found;
  }
};
struct Page {
  long access_time;
};
void touch(Page *page) {
  __atomic_store_n(&page->access_time, now_ns(), __ATOMIC_RELAXED);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'touch' stores the time of its use to 'Page::access_time'
}

// Plainly, into what was found in a table of the whole program: by a look-up
// that fills a local, or by its element.
struct Entry {
  Entry *next;
  unsigned key, port;
  long last_seen, first_seen;
};
struct Hash;
static Hash *entries;
static Entry *buckets[64];
int hash_find(const Hash *, const unsigned *key, void **found);
unsigned learn(unsigned key) {
  Entry *entry;
  void *found;
  if (hash_find(entries, &key, &found) < 0)
    return 0;
  entry = (Entry *)found;
  entry->last_seen = now_ns();
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'learn' stores the time of its use to 'Entry::last_seen'
  return entry->port;
}
unsigned forward(unsigned key) {
  for (Entry *entry = buckets[key % 64]; entry; entry = entry->next)
    if (entry->key == key) {
      entry->last_seen = now_ns();
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'forward' stores the time of its use to 'Entry::last_seen'
      return entry->port;
    }
  return 0;
}
unsigned forward_seldom(unsigned key) {
  const long now = now_ns();
  for (Entry *entry = buckets[key % 64]; entry; entry = entry->next)
    if (entry->key == key) {
      if (now - entry->last_seen > 1000000)
        entry->last_seen = now;
      return entry->port;
    }
  return 0;
}
// Found in a table that the caller has; under a lock; what is new; set anew.
void replace(unsigned key, unsigned port) {
  void *found;
  if (hash_find(entries, &key, &found) < 0)
    return;
  Entry *entry = (Entry *)found;
  entry->port = port;
  entry->last_seen = now_ns();
}
unsigned forward_in(Entry **table, unsigned key) {
  Entry *entry = table[key % 64];
  entry->last_seen = now_ns();
  return entry->port;
}
unsigned learn_or_add(unsigned key, unsigned port) {
  void *found;
  Entry *entry;
  if (hash_find(entries, &key, &found) < 0) {
    if (hash_find(entries, nullptr, &found) < 0)
      return 0;
    entry = (Entry *)found;
    entry->port = port;
    entry->last_seen = now_ns();
  } else {
    entry = (Entry *)found;
  }
  return entry->port;
}
static std::mutex lock;
unsigned forward_locked(unsigned key) {
  std::lock_guard<std::mutex> guard(lock);
  for (Entry *entry = buckets[key % 64]; entry; entry = entry->next)
    entry->last_seen = now_ns();
  return 0;
}
void *operator new(unsigned long);
void insert(unsigned key) {
  Entry *entry = new Entry();
  entry->last_seen = now_ns();
  entry->next = buckets[key % 64];
  buckets[key % 64] = entry;
}

// Looked at first; another time; a plain word, which one thread has; a number
// that is none of a clock.
Session *find_seldom(Sessions *sessions, unsigned key) {
  Session *found = sessions->table[key % 64];
  const long now = now_ns();
  if (now - found->last_used.load() > 1000000)
    found->last_used.store(now);
  return found;
}
void open(Session *session) {
  session->created.store(now_ns());
  session->deadline.store(now_ns() + 5000);
}
struct Own {
  long last_used;
};
void use(Own *own) { own->last_used = now_ns(); }
void copy(Session *to, long value) { to->last_used.store(value); }
void call(Sessions &sessions) { sessions.find(1); }
