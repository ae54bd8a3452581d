// Types that only an option knows.
// RUN: %check_tidy %s linesman-global-write,linesman-redundant-store %t
// RUN: %check_tidy -check-suffix=KNOWN -config="{CheckOptions: {AtomicTypes: 'my::Word', LockTypes: 'my::Gate'}}" %s linesman-global-write,linesman-redundant-store %t
namespace my {
struct Word {
  long fetch_add(long);
  long exchange(long);
  long load() const;
};
struct Gate {
  void enter();
};
struct GateLock {
  explicit GateLock(Gate &);
  ~GateLock();
  Gate &Held;
};
} // namespace my

my::Word requests;
void handle() {
  requests.fetch_add(1);
  // CHECK-MESSAGES-KNOWN: :[[@LINE-1]]:3: warning: 'requests' has static storage
}

my::Word busy;
void wait() {
  while (busy.exchange(1))
    ;
  // CHECK-MESSAGES-KNOWN: :[[@LINE-2]]:10: warning: this loop writes 'busy' on every turn
}

my::Gate gate;
long entries;
void enter() {
  my::GateLock Lock(gate);
  ++entries;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'entries' has static storage
}
