// Generated records have thousands of fields: a field is asked about with those
// that can share its line, not with all others. That took a minute here, and the
// message named each of the pairs. The plugin for LLVM 19 is not optimised.
// REQUIRES: main-llvm
// RUN: ulimit -t 30; %clang-tidy --load=%tidy_plugin --checks='-*,linesman-*' %s -- 2>&1 | FileCheck %s
// CHECK: warning: 'Counts::a0000' (offset 0) is updated here
// CHECK-SAME: also updated there: 'Counts::a0001' (offset 16)
// CHECK-SAME: ; the same holds for {{.*}}, and {{[0-9]+}} more [

#define TEN(Again, Name)                                                       \
  Again(Name##0) Again(Name##1) Again(Name##2) Again(Name##3) Again(Name##4)   \
      Again(Name##5) Again(Name##6) Again(Name##7) Again(Name##8) Again(Name##9)
#define HUNDRED(Again, Name)                                                   \
  TEN(Again, Name##0)                                                          \
  TEN(Again, Name##1)                                                          \
  TEN(Again, Name##2)                                                          \
  TEN(Again, Name##3)                                                          \
  TEN(Again, Name##4)                                                          \
  TEN(Again, Name##5)                                                          \
  TEN(Again, Name##6)                                                          \
  TEN(Again, Name##7)                                                          \
  TEN(Again, Name##8)                                                          \
  TEN(Again, Name##9)
#define THOUSAND(Again, Name)                                                  \
  HUNDRED(Again, Name##0)                                                      \
  HUNDRED(Again, Name##1)                                                      \
  HUNDRED(Again, Name##2)                                                      \
  HUNDRED(Again, Name##3)                                                      \
  HUNDRED(Again, Name##4)                                                      \
  HUNDRED(Again, Name##5)                                                      \
  HUNDRED(Again, Name##6)                                                      \
  HUNDRED(Again, Name##7)                                                      \
  HUNDRED(Again, Name##8)                                                      \
  HUNDRED(Again, Name##9)
#define MANY(Again)                                                            \
  THOUSAND(Again, 0) THOUSAND(Again, 1) THOUSAND(Again, 2) THOUSAND(Again, 3)

#define FIELDS(Name)                                                           \
  _Atomic long a##Name;                                                        \
  long b##Name;
#define FUNCTIONS(Name)                                                        \
  void count##Name(struct Counts *C) { C->a##Name++; }                         \
  long read##Name(const struct Counts *C) { return C->b##Name; }

struct Counts {
  MANY(FIELDS)
};
MANY(FUNCTIONS)
