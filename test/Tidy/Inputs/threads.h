// As much of the standard library as the tests need, so that their results do
// not depend on the machine's.
#ifndef THREADS_H
#define THREADS_H
#pragma GCC system_header

typedef decltype(sizeof(0)) size_t;
void *operator new(size_t, void *) noexcept;

namespace std {
enum class memory_order { relaxed, acquire, release, seq_cst };
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

template <typename T> struct atomic {
  constexpr atomic() noexcept : Value() {}
  constexpr atomic(T V) noexcept : Value(V) {}
  atomic(const atomic &) = delete;
  T operator=(T);
  operator T() const;
  T load(memory_order = memory_order_seq_cst) const;
  void store(T, memory_order = memory_order_seq_cst);
  T exchange(T, memory_order = memory_order_seq_cst);
  bool compare_exchange_weak(T &, T, memory_order = memory_order_seq_cst);
  bool compare_exchange_strong(T &, T, memory_order = memory_order_seq_cst);
  T fetch_add(T, memory_order = memory_order_seq_cst);
  T fetch_sub(T, memory_order = memory_order_seq_cst);
  T operator++();
  T operator++(int);
  T operator--();
  T operator+=(T);
  T Value;
};
struct atomic_flag {
  bool test(memory_order = memory_order_seq_cst) const;
  bool test_and_set(memory_order = memory_order_seq_cst);
  void clear(memory_order = memory_order_seq_cst);
  bool Value = false;
};

struct mutex {
  void lock();
  void unlock();
  bool try_lock();
  char Bytes[40];
};
struct shared_mutex {
  void lock();
  void unlock();
  void lock_shared();
  void unlock_shared();
  char Bytes[56];
};
template <typename M> struct lock_guard {
  explicit lock_guard(M &);
  ~lock_guard();
  M &Mutex;
};
template <typename M> struct shared_lock {
  explicit shared_lock(M &);
  ~shared_lock();
  M *Mutex;
};
template <typename M> struct unique_lock {
  explicit unique_lock(M &);
  ~unique_lock();
  void lock();
  void unlock();
  M *Mutex;
};

template <typename T, size_t N> struct array {
  T &operator[](size_t I) { return Elements[I]; }
  const T &operator[](size_t I) const { return Elements[I]; }
  T *begin() { return Elements; }
  T *end() { return Elements + N; }
  T Elements[N];
};
template <typename T> struct iterator {
  T &operator*() const { return *At; }
  iterator &operator++();
  bool operator!=(const iterator &) const;
  T *At;
};
template <typename T> struct vector {
  explicit vector(size_t);
  vector();
  T &operator[](size_t);
  const T &operator[](size_t) const;
  size_t size() const;
  iterator<T> begin();
  iterator<T> end();
  void push_back(T &&);
  template <typename... A> T &emplace_back(A &&...) { return *Begin; }
  T *Begin;
  void reserve(size_t);
  void resize(size_t);
};
template <typename T> struct reference_wrapper {
  reference_wrapper(T &);
  T *Object;
};
template <typename T> reference_wrapper<T> ref(T &);

struct thread {
  thread();
  thread(thread &&);
  template <typename F, typename... A> explicit thread(F &&, A &&...) {}
  thread &operator=(thread &&);
  struct id { unsigned long Number; };
  void join();
};
namespace this_thread {
thread::id get_id();
} // namespace this_thread
template <typename T> struct hash { size_t operator()(const T &) const; };

inline constexpr size_t hardware_constructive_interference_size = 64;
inline constexpr size_t hardware_destructive_interference_size = 64;
} // namespace std

#endif
