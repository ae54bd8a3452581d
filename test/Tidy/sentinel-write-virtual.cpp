// RUN: %check_tidy %s linesman-sentinel-write %t
// An object for nobody behind an interface: its class is known to the letter,
// and with it what a virtual call runs.
struct Notifier {
  virtual ~Notifier() = default;
  virtual void notify(int message) = 0;
  virtual void count(int message) = 0;
};

// Nothing inside; does nothing; counts.
struct EmptyNotifier : Notifier {
  void notify(int message) override;
  void count(int message) override;
};
struct SilentNotifier : Notifier {
  long calls = 0;
  void notify(int) override {}
  void count(int) override { calls = calls + 1; }
};
static EmptyNotifier emptyNotifier;
static SilentNotifier silentNotifier;

struct Sender {
  Notifier *notifier = &emptyNotifier;
  void send(int message) { notifier->notify(message); }
  void connect(Notifier &to) { notifier = &to; }
};
struct Counter {
  Notifier *notifier = &silentNotifier;
  void send(int message) { notifier->notify(message); }
  void sum(int message) { notifier->count(message); }
  // CHECK-MESSAGES: :[[@LINE-1]]:37: warning: 'Counter::sum' writes its object in the call of 'Notifier::count' through a pointer that may be to the static 'silentNotifier'
  void connect(Notifier &to) { notifier = &to; }
};
