// RUN: %check_tidy %s linesman-shared-refcount %t
// RUN: %check_tidy -std=c++14 %s linesman-shared-refcount %t
// A copy that is a pointer to const, to a base or to a part of the object counts as
// any other does.
namespace std {
template <typename T> struct shared_ptr {
  shared_ptr();
  shared_ptr(const shared_ptr &);
  shared_ptr(shared_ptr &&);
  template <typename U> shared_ptr(const shared_ptr<U> &);
  template <typename U> shared_ptr(shared_ptr<U> &&);
  template <typename U> shared_ptr(const shared_ptr<U> &, T *);
  ~shared_ptr();
  T *operator->() const;
  T *get() const;
};
template <typename T> T &&move(T &);
} // namespace std
struct Limits {
  int most;
};
struct Base {
  int timeout;
};
struct Settings : Base {
  Limits limits;
};

class Service {
  std::shared_ptr<Settings> current;

public:
  std::shared_ptr<const Settings> settings() const { return current; }
  int handle(int request) const { return request * settings()->timeout; }
  // CHECK-MESSAGES: :[[@LINE-1]]:52: warning: 'Service::handle' asks 'Service::settings' for a copy of the shared pointer 'Service::current' to look at its object
};
class Parts {
  std::shared_ptr<Settings> current;

public:
  std::shared_ptr<const Limits> limits() const {
    return std::shared_ptr<const Limits>(current, &current->limits);
  }
  int handle(int request) const { return request * limits()->most; }
  // CHECK-MESSAGES: :[[@LINE-1]]:52: warning: 'Parts::handle' asks 'Parts::limits' for a copy of the shared pointer 'Parts::current' to look at its object
};
class Named {
  std::shared_ptr<Settings> current;

public:
  int handle(int request) const {
    std::shared_ptr<Base> base = current;
    // CHECK-MESSAGES: :[[@LINE-1]]:27: warning: 'Named::handle' copies the shared pointer 'Named::current' to look at its object
    return request * base->timeout;
  }
  int look(int request) const {
    auto base = std::shared_ptr<Base>(current);
    // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'Named::look' copies the shared pointer 'Named::current' to look at its object
    return request * base->timeout;
  }
};

// A reference; a pointer that is given away; one that owns nothing.
class Cured {
  std::shared_ptr<Settings> current;

public:
  const Limits &limits() const { return current->limits; }
  std::shared_ptr<const Settings> settings() const { return current; }
  void visit(void (*each)(std::shared_ptr<const Settings>)) const {
    each(settings());
  }
  int handle(int request) const { return request * limits().most; }
};
int taken(std::shared_ptr<Settings> given) {
  std::shared_ptr<Base> base = std::move(given);
  return base->timeout;
}
