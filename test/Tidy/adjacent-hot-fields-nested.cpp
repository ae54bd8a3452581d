// RUN: %check_tidy %s linesman-adjacent-hot-fields %t
#include "threads.h"
// A record in a record is as near to the fields around it as a field.
struct Cache {
  struct Stats {
    std::atomic<long> hits;
    std::atomic<long> misses;
  };
  unsigned capacity;
  void **slots;
  Stats stats;

  void *get(unsigned key) {
    void *found = slots[key % capacity];
    if (found)
      stats.hits.fetch_add(1);
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'Cache::Stats::hits' (offset 16) is updated here, in 'Cache::get', and may share its cache line with 'Cache::capacity' (offset 0), which 'Cache::fits' reads and no operation of this unit changes
    else
      stats.misses.fetch_add(1);
    return found;
  }
  bool fits(unsigned n) const { return n < capacity; }
};

// Kept apart; behind a pointer; under an element of an array.
struct Apart {
  unsigned capacity;
  alignas(64) Cache::Stats stats;
  Cache::Stats *elsewhere;
  Cache::Stats each[64];
  void count(unsigned at) {
    stats.hits.fetch_add(1);
    elsewhere->misses.fetch_add(1);
    each[at].hits.fetch_add(1);
  }
  bool fits(unsigned n) const { return n < capacity; }
};
void use(Cache &cache, Apart &apart) {
  cache.get(1);
  apart.count(2);
  apart.fits(cache.fits(3));
}

// What a token counts for its scope is an operation; another class that is made
// with a reference is built once.
struct Server {
  int limit;
  std::atomic<int> active;
  bool full(int n) const { return n >= limit; }
};
class Token {
  Server &server;

public:
  explicit Token(Server &s) : server(s) { server.active.fetch_add(1); }
  // CHECK-MESSAGES: :[[@LINE-1]]:43: warning: 'Server::active' (offset 4) is updated here, in 'Token::Token', and may share its cache line with 'Server::limit' (offset 0)
  ~Token() { server.active.fetch_sub(1); }
};
struct Listener {
  int limit;
  std::atomic<int> members;
  bool full(int n) const { return n >= limit; }
};
class Member {
  Listener &listener;

public:
  explicit Member(Listener &l) : listener(l) { listener.members.fetch_add(1); }
  ~Member() { listener.members.fetch_sub(1); }
};
bool serve(Server &server, Listener &listener) {
  Token token(server);
  Member member(listener);
  return server.full(3) || listener.full(4);
}

// Of an array of many lines, only the ends have neighbours; of a few words, all.
struct Pages {
  std::atomic<unsigned long> dirty[4096];
  const int *sections;
  void mark(unsigned at) { dirty[at].fetch_add(1); }
  int section(int at) const { return sections[at]; }
};
struct Counts {
  std::atomic<unsigned long> each[3];
  const int *sections;
  void count(unsigned at) { each[at].fetch_add(1); }
  // CHECK-MESSAGES: :[[@LINE-1]]:29: warning: 'Counts::each' (offset 0) is updated here, in 'Counts::count', and may share its cache line with 'Counts::sections' (offset 24)
  int section(int at) const { return sections[at]; }
};
int mark(Pages &pages, Counts &counts) {
  pages.mark(1);
  counts.count(2);
  return pages.section(3) + counts.section(4);
}

// A limit that a setter changes now and then is read all the same.
struct Logger {
  std::atomic<int> level;
  std::atomic<unsigned long> lines;
  bool enabled(int at) const { return at >= level.load(); }
  void setLevel(int to) { level.store(to); }
  void write() { lines.fetch_add(1); }
  // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: 'Logger::lines' (offset 8) is updated here, in 'Logger::write', and may share its cache line with 'Logger::level' (offset 0), which 'Logger::enabled' reads without changing it
};
struct Meter {
  std::atomic<int> level;
  std::atomic<unsigned long> lines;
  bool enabled(int at) const { return at >= level.load(); }
  void move(int to) { level.store(to); }
  void write() { lines.fetch_add(1); }
};
bool log(Logger &logger, Meter &meter) {
  logger.setLevel(2);
  logger.write();
  meter.move(2);
  meter.write();
  return logger.enabled(1) || meter.enabled(1);
}

// The same of a plain field: where objects are shared, who sets it does so
// before, or hardly ever.
struct CacheShard {
  long capacity;
  std::atomic<long> lookups;
  bool fits(long key) const { return key < capacity; }
  void resize(long to) { capacity = to; }
  bool lookup(long key) { return lookups.fetch_add(1) > key; }
  // CHECK-MESSAGES: :[[@LINE-1]]:34: warning: 'CacheShard::lookups' (offset 8) is updated here, in 'CacheShard::lookup', and may share its cache line with 'CacheShard::capacity' (offset 0), which 'CacheShard::fits' reads without changing it
};
struct Cursor {
  long position;
  std::atomic<long> lookups;
  bool isBelow(long key) const { return key < position; }
  void advance(long to) { position = to; }
  bool lookup(long key) { return lookups.fetch_add(1) > key; }
};
bool use(CacheShard &shard, Cursor &cursor) {
  shard.resize(2);
  cursor.advance(2);
  return shard.lookup(1) && shard.fits(1) && cursor.lookup(1) && cursor.isBelow(1);
}
