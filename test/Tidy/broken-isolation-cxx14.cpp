// RUN: %check_tidy -std=c++14 %s linesman-broken-isolation %t
struct alignas(64) Counter {
  long value;
};
Counter *make() {
  return new Counter;
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'Counter' is aligned to 64 bytes, but 'new' promises only 16: {{.*}}; use posix_memalign
}
struct alignas(64) Own {
  static void *operator new(decltype(sizeof(0)));
  long value;
};
Own *make_own() { return new Own; }
long *make_long() { return new long; }

namespace std {
template <typename T> struct shared_ptr {
  T *Object;
};
template <typename T, typename... A> shared_ptr<T> make_shared(A &&...);
template <typename T, typename... A> T *make_unique(A &&...);
} // namespace std
namespace mine {
template <typename T> T *make_shared();
}
// In the library's header, where nobody looks; the call names the type.
std::shared_ptr<Counter> share() {
  return std::make_shared<Counter>(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'Counter' is aligned to 64 bytes, but 'std::make_shared' promises only 16: the object may start in the middle of a cache line, which it then shares; compile as C++17, where it respects the alignment
}
Counter *only() {
  return std::make_unique<Counter>();
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'Counter' is aligned to 64 bytes, but 'std::make_unique' promises only 16
}
struct Plain {
  long value;
};
std::shared_ptr<Plain> share_plain() { return std::make_shared<Plain>(); }
Counter *share_mine() { return mine::make_shared<Counter>(); }

namespace std {
template <typename T> struct allocator {};
template <typename T, typename A = allocator<T>> struct vector {
  vector();
  explicit vector(unsigned long);
  vector(const vector &);
  void push_back(const T &);
  unsigned long size() const;
};
} // namespace std
template <typename T> struct line_allocator {};
// Elements of a container, said once for a type.
struct Shards {
  std::vector<Counter> all;
  explicit Shards(unsigned long n) : all(n) {
    // CHECK-MESSAGES: :[[@LINE-1]]:38: warning: 'Counter' is aligned to 64 bytes, but 'std::vector' promises only 16: the object may start in the middle of a cache line, which it then shares; compile as C++17, where it respects the alignment
    all.push_back(Counter());
  }
};
// Right: an allocator that knows, no elements yet, and elements that ask for
// nothing.
struct alignas(64) Line {
  long value;
};
struct Right {
  std::vector<Line, line_allocator<Line>> lines;
  std::vector<Line> none;
  std::vector<Plain> plain;
  explicit Right(unsigned long n) : lines(n), plain(n) {
    lines.push_back(Line());
  }
  unsigned long size() const { return none.size(); }
};
