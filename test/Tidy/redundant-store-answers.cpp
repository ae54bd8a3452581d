// A question that is asked until its answer is yes: "no" is written down again
// and again.
// RUN: %check_tidy %s linesman-redundant-store %t
#include "threads.h"

struct Host {
  bool should_yield();
  bool isExpired() const;
  bool open();
};

struct Collector {
  Host *host;
  volatile bool must_yield;
  std::atomic<bool> is_late;
  std::atomic<bool> is_quiet;
  std::atomic<bool> wants_more;
  std::atomic<bool> is_open;
  std::atomic<bool> unread;
  bool plain;

  bool check() {
    if (!must_yield) {
      must_yield = host->should_yield();
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'Collector::check' stores every answer to a question in 'Collector::must_yield', even the value that is already there: the cache line moves to this core for nothing; store only an answer that changes it
    }
    return must_yield;
  }
  bool late() {
    if (!is_late)
      is_late.store(host->isExpired());
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'Collector::late' stores every answer to a question in 'Collector::is_late'
    return is_late;
  }
  // The other way round: as long as there is more.
  bool more() {
    if (wants_more)
      wants_more = host->should_yield();
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'Collector::more' stores every answer to a question in 'Collector::wants_more'
    return wants_more;
  }

  // The cure: only the answer that changes something is stored.
  bool check_first() {
    if (!must_yield && host->should_yield())
      must_yield = true;
    return must_yield;
  }
  // Without a test, the value may be another one each time.
  void refresh() { is_quiet = host->isExpired(); }
  // An action, which mostly succeeds: it is done once.
  bool ready() {
    if (!is_open)
      is_open = host->open();
    return is_open;
  }
  // Nobody else looks.
  bool own() {
    if (!unread)
      unread = host->isExpired();
    return unread;
  }
  // Nothing says that several threads have it.
  bool alone() {
    if (!plain)
      plain = host->isExpired();
    return plain;
  }

  bool scan() const { return must_yield || is_late || wants_more || is_quiet || is_open || plain; }
  void restart() {
    if (must_yield)
      must_yield = false;
  }
};

bool run(Collector &c) {
  c.refresh();
  return c.check() || c.late() || c.more() || c.check_first() || c.ready() || c.own() || c.alone() || c.scan();
}
