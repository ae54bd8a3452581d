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
