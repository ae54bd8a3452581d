// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-shared-refcount %t
// A const method that asks its own object for a copy of a shared pointer, as if
// it copied the member.
namespace std {
template <typename T> struct shared_ptr {
  shared_ptr();
  shared_ptr(const shared_ptr &);
  ~shared_ptr();
  T *operator->() const;
  T &operator*() const;
};
} // namespace std
struct Settings {
  int timeout;
};
class Service {
  std::shared_ptr<const Settings> current;

public:
  std::shared_ptr<const Settings> settings() const { return current; }
  int handle(int request) const {
    auto now = settings();
    // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: 'Service::handle' asks 'Service::settings' for a copy of the shared pointer 'Service::current' to look at its object; the count goes up and down, and every core that runs this takes its cache line away from all others: let 'Service::settings' return a reference
    return request * now->timeout;
  }
};

// The getter locks, because somebody may replace it; a method that the unit does
// not show may; by reference; kept by the caller; replaced meanwhile; not const.
struct Mutex {
  void lock();
  void unlock();
};
class Locked {
  mutable Mutex mutex;
  std::shared_ptr<const Settings> current;

public:
  std::shared_ptr<const Settings> settings() const {
    mutex.lock();
    auto copy = current;
    mutex.unlock();
    return copy;
  }
  int handle(int request) const { return request * settings()->timeout; }
};
class Elsewhere {
  std::shared_ptr<const Settings> current;

public:
  void reload();
  std::shared_ptr<const Settings> settings() const { return current; }
  int handle(int request) const { return request * settings()->timeout; }
};
class Cured {
  std::shared_ptr<const Settings> current;

public:
  const std::shared_ptr<const Settings> &settings() const { return current; }
  int handle(int request) const { return request * settings()->timeout; }
};
class Keeper {
  std::shared_ptr<const Settings> current;

public:
  std::shared_ptr<const Settings> settings() const { return current; }
  std::shared_ptr<const Settings> handle() const {
    auto now = settings();
    return now;
  }
};
class Replaced {
  std::shared_ptr<const Settings> current;

public:
  std::shared_ptr<const Settings> settings() const { return current; }
  void replace(std::shared_ptr<const Settings> next) { current = next; }
  int handle(int request) const { return request * settings()->timeout; }
};
class Changing {
  std::shared_ptr<const Settings> current;

public:
  std::shared_ptr<const Settings> settings() const { return current; }
  int handle(int request) { return request * settings()->timeout; }
};
