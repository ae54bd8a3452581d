// RUN: %check_tidy %s linesman-lock-neighbour %t -- -std=c++17
// A pool of locks whose type is a flag of the project's own; a typedef says
// what it is for. An enumeration of that name says how to lock.
class own_flag {
  unsigned taken = 0;

public:
  bool test_and_set() volatile;
  void clear() volatile;
};
struct flag_pool {
  using lock_type = own_flag;
  static lock_type &lock_for(const void *address);
};
static flag_pool::lock_type flag_locks[41];
flag_pool::lock_type &flag_pool::lock_for(const void *address) {
  auto index = reinterpret_cast<unsigned long>(address) % 41;
  return flag_locks[index];
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: a computed number picks one of the locks in 'flag_locks' here, and they are 4 bytes apart
}
struct alignas(64) far_flag : own_flag {};
struct far_pool {
  using lock_type = far_flag;
};
static far_pool::lock_type far_flags[41];
far_flag &far_for(unsigned long n) { return far_flags[n % 41]; }
static own_flag plain_flags[41];
own_flag &flag_for(unsigned long n) { return plain_flags[n % 41]; }
enum lock_type { for_reading, for_writing };
static lock_type ways[64];
void remember(unsigned long n) { ways[n % 64] = for_writing; }

// Whose only callers are a guard's constructor and destructor; and those of an
// object's.
class scoped_pool {
public:
  class scoped_lock {
    own_flag &flag;

  public:
    scoped_lock(const void *address);
    ~scoped_lock() { flag.clear(); }
  };
  class table {
    own_flag &flag;

  public:
    table(const void *address);
    ~table() { flag.clear(); }
  };

private:
  using lock_type = own_flag;
  static lock_type &lock_for(const void *address);
  static lock_type &lock_of_table(const void *address);
};
scoped_pool::scoped_lock::scoped_lock(const void *address)
    : flag(lock_for(address)) {
  while (flag.test_and_set())
    ;
}
scoped_pool::table::table(const void *address) : flag(lock_of_table(address)) {}
using scoped_lock_type = own_flag;
static scoped_lock_type scoped_flags[41], table_flags[41];
own_flag &scoped_pool::lock_for(const void *address) {
  return scoped_flags[reinterpret_cast<unsigned long>(address) % 41];
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: a computed number picks one of the locks in 'scoped_flags' here
}
own_flag &scoped_pool::lock_of_table(const void *address) {
  return table_flags[reinterpret_cast<unsigned long>(address) % 41];
}
