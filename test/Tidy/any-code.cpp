// RUN: %clang-tidy --load %tidy_plugin --checks='-*,linesman-*' --quiet --header-filter='.*' %s -- -std=c++20 -Wno-everything
// RUN: %clang-tidy --load %tidy_plugin --checks='-*,linesman-*' --quiet --header-filter='.*' --config='{CheckOptions: {Strict: true}}' %s -- -std=c++20 -Wno-everything
// What the language has, in as few words as possible. The checks have nothing
// to say of most of it, and must come to its end.

#include <atomic>
#include <condition_variable>
#include <coroutine>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

int make();
long now();
std::atomic<int> made;
extern std::mutex guard_of_all;

// Members that are made of anything.
struct Empty {};
struct Part {
  Part();
  explicit Part(int);
  Part(std::initializer_list<int>);
  int value = make(), second{make()};
};
struct Made : Empty, virtual Part {
  Made() : Part(), fd(make()), last_used(now()), stop(), list{1, 2}, self(this), bits(make()) {}
  Made(int n) try : Made() {
    fd = n;
  } catch (...) {
    throw;
  }
  Made(const Made &) = delete;
  Made &operator=(Made &&) = default;
  ~Made() noexcept(false) {}
  operator bool() const { return fd; }
  explicit operator int *() { return &fd; }
  int &operator[](int i) { return (&fd)[i]; }
  int operator()() const { return fd; }
  Made *operator->() { return this; }
  bool operator==(const Made &) const = default;
  Made operator++(int);
  Made &operator++() { return ++fd, *this; }
  int fd;
  long last_used;
  mutable std::atomic<bool> stop;
  std::vector<int> list;
  Made *self;
  unsigned bits : 3, : 0, more : 1;
  union {
    int as_int;
    float as_float;
    struct {
      short low, high;
    };
  };
  static inline std::atomic<int> count = make();
  static int Made::*pointer;
  int (Made::*method)(int) = nullptr;
};
int Made::*Made::pointer = &Made::fd;

// Without arguments, with too many, with defaults, through anything.
int none(), (*through)() = none, &reference = *new int;
int variadic(...), defaults(int a = make(), int b = sizeof(int));
template <typename... T> int pack(T &&...all) { return (0 + ... + all) + sizeof...(all); }
template <typename T, int N = 1> struct Box {
  T value[N] = {};
  std::atomic<T> word = T();
  Box() : value{} {}
  template <typename U> void set(U u) { word = u, value[N - 1] = word.load(), word.store(T{}), ++made; }
  template <typename U> friend U get(Box<U> &);
  T wait() {
    while (!word.compare_exchange_weak(value[0], value[0] + 1))
      ;
    return word++;
  }
};
template <typename T> struct Box<T *, 0> : Box<T> {
  using Box<T>::Box;
  T *operator*() { return &this->value[0]; }
};
template struct Box<long>;
template <typename T>
concept Wordy = requires(T t) {
  { t.load() };
  t.store(1);
};
template <Wordy T> auto load(T &t) { return t.load(); }
template <auto Value> constexpr auto constant = Value;

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
    std::suspend_always yield_value(int) { return {}; }
  };
};
Task coroutine(int n) {
  for (int i = 0; i < n; ++i)
    co_yield made++;
  co_await std::suspend_never{};
  co_return;
}

thread_local int mine = make();
static std::function<void()> calls[4];
constinit int start = 1;
inline namespace inner {
enum class Kind : unsigned char { One, Two };
enum { Three = 3 };
} // namespace inner

int everything(int argc, char **argv, Made made_by_value, Made *&pointer, std::shared_ptr<Made> shared) {
  auto [a, b] = std::pair(1, 2.0);
  auto &[c, d, e] = *new int[1][3]{};
  int array[] = {1, 2}, matrix[2][2] = {{}, {1}};
  if (int n = make(); n > a && (argc, n))
    return c;
  else if constexpr (sizeof(int) == 4)
    made.fetch_add(1), made += a, made = made + 1, made--;
  for (auto &x : array)
    x += c++;
  for (std::size_t i = 0; auto x : {1, 2, 3})
    i += x;
  for (;;) {
    do
      continue;
    while (make());
    switch (make()) {
    case 1 ... 3:
      [[fallthrough]];
    case 10 + int(Kind::Two):
      break;
    default:
      return array[a] ? a ?: 1 : throw 1;
    }
    break;
  }
  auto generic = [=, &array, this_one = make()]() mutable { return array[0]++ + this_one; };
  auto lambda = [&](auto &&...x) -> decltype(auto) { return ((x, made++), ...); };
  calls[0] = [&] { lambda(1, 2), generic(); };
  calls[a] = std::bind(&Made::operator(), &made_by_value);
  std::thread([&] { made_by_value.fd = make(); }).detach();
  std::thread threads[2];
  for (auto &t : threads)
    t = std::thread(coroutine, 1);
  (made_by_value.*made_by_value.method)(1), (pointer->*Made::pointer)++;
  made_by_value->fd = ((Made *)nullptr)->fd, shared->fd++, (*shared).list[0] = 1, shared->stop = true;
  new (&array) Part(1), delete pointer, delete[] &argv[0], pointer = new Made[2]{{1}, {2}};
  std::lock_guard lock(guard_of_all);
  std::unique_lock<std::mutex> other{guard_of_all, std::defer_lock};
  static Made once, many[2];
  static std::once_flag flag;
  std::call_once(flag, [] { once.fd = make(); });
  asm volatile("" : "+m"(array[0]) : "r"(a) : "memory");
  asm("nop");
  __atomic_store_n(&c, make(), __ATOMIC_RELAXED), __atomic_thread_fence(5), __sync_synchronize();
  c = __atomic_exchange_n(&d, 1, 5) + __sync_fetch_and_add(&d, 1) + __c11_atomic_load((_Atomic(int) *)&e, 5);
  typedef int vector __attribute__((vector_size(16)));
  vector v = {1, 2};
  v[make()] = ({ int s = v[0]; s; }), v += v;
  (a ? c : d) = 1, (c, d) = 2, (c = d) = e, ++(c += d), c <<= d;
  try {
    dynamic_cast<Made &>(*pointer), typeid(*pointer).name(), noexcept(make()), alignof(Made);
  } catch (const std::exception &x) {
  } catch (int) {
  }
  int vla[argc];
  vla[make()] = __builtin_expect(made.load(), 0);
  return Box<long>().wait() + pack(1, 2, made.load()) + load(made) + constant<Three>;
}
void all() {
  Box<int, 2> box;
  box.set(1), box.set(1L);
  Box<int *, 0> special;
  special.value[0] = (*through)() + variadic(1, "", box.value) + defaults() + none();
  std::map<std::string, std::vector<std::atomic<int> *>> map;
  (*map["a"][0])++, map.begin()->second.at(0)->store(make());
  std::tuple<int> one;
  std::get<0>(one) = 1;
}
#define STORE(x) do { x = make(); } while (0)
#define TWO(x, y) STORE(x); STORE(made)
int jumps(int n) {
  void *label = &&out;
again:
  if (made++ < n)
    goto again;
  goto *label;
out:
  return n;
}
void macros(Made &m) { TWO(m.fd, m); }
extern "C" {
struct Incomplete;
extern struct Incomplete incomplete, *pointers[];
int old();
}
void use(Incomplete *i) { i = pointers[0], old(), (void)&incomplete; }
namespace counted {
struct shared_ptr {
  int *value;
  int *operator->() const;
};
shared_ptr one;
}
namespace anything {
struct shared_ptr {
  shared_ptr(...);
  int *operator->() const;
};
}
int *convert() {
  anything::shared_ptr copy(counted::one);
  return copy.operator->();
}
// No function runs these.
std::atomic<int> numbers;
int first_number = numbers++, second_number = numbers.fetch_add(1), plain_number = first_number++, slots[8] = {numbers++};
thread_local int own_number = numbers++, *own_slot = &slots[numbers++];
