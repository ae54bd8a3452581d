// A condition that does not begin with the write, or decides about an else: the
// warning has no fix-it.
// RUN: %check_tidy -fix-notes -not-clean %s linesman-sentinel-write %t

struct Count {
  int users;
};
Count none;
struct Held {
  Count *target = &none;
  void other() {
    if (--target->users == 0)
      delete target;
    else
      users = 1;
    // CHECK-MESSAGES: :[[@LINE-4]]:{{[0-9]+}}: warning: 'Held::other' writes
    // CHECK-FIXES: {{^}}    if (--target->users == 0){{$}}
  }
  void second(bool Wanted) {
    if (Wanted && --target->users == 0)
      delete target;
    // CHECK-MESSAGES: :[[@LINE-2]]:{{[0-9]+}}: warning: 'Held::second' writes
    // CHECK-FIXES: {{^}}    if (Wanted && --target->users == 0){{$}}
  }
  int users = 0;
};
