// RUN: %check_tidy -std=gnu11 %s linesman-write-only-global %t -- -fblocks -fobjc-runtime=gnustep-2.0

static int nobody;
void set_nobody(int v) {
  nobody = v;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'nobody' is written here and never read
}

// Read by a method and by blocks.
static int by_method;
static int by_block;
static int by_local_block;
void set(int v) {
  by_method = v;
  by_block = v;
  by_local_block = v;
}
__attribute__((objc_root_class)) @interface Reader {
  int own;
}
- (int)get;
@end
@implementation Reader
- (int)get {
  return by_method;
}
@end
int (^block)(void) = ^{
  return by_block;
};
int run_block(void) {
  int (^local)(void) = ^{
    return by_local_block;
  };
  return local();
}
