// Generated code has functions of many statements: what is asked of a variable is
// asked once, not for each of its writes. That took a minute here.
// RUN: timeout 40 %clang-tidy --load=%tidy_plugin --checks='-*,linesman-global-write,linesman-write-only-global' %s -- 2>&1 | FileCheck %s
// CHECK: warning: 'total' has static storage, and 'run' updates it
// CHECK: warning: {{.*}}'hits'{{.*}}[linesman-write-only-global]
// CHECK-NOT: warning:

static _Atomic long total;
static long sum;
static long hits;

#define TEN(Again) Again Again Again Again Again Again Again Again Again Again
#define ADD sum += x, ++hits;
#define TEN_ADD TEN(ADD)
#define HUNDRED                                                                \
  TEN_ADD TEN_ADD TEN_ADD TEN_ADD TEN_ADD TEN_ADD TEN_ADD TEN_ADD TEN_ADD      \
      TEN_ADD
#define THOUSAND                                                               \
  HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED      \
      HUNDRED
#define TEN_THOUSAND                                                           \
  THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND      \
      THOUSAND THOUSAND

long run(long x) {
  for (long i = 0; i < x; ++i)
    total += x;
  TEN_THOUSAND TEN_THOUSAND TEN_THOUSAND TEN_THOUSAND TEN_THOUSAND
      TEN_THOUSAND TEN_THOUSAND TEN_THOUSAND
  return sum + total;
}
