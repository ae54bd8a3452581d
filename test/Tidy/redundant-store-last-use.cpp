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
