// What the options accept is silent in each check; names match as a whole.
// RUN: %check_tidy %s linesman-sentinel-write,linesman-shared-refcount,linesman-const-path-write %t
// RUN: %check_tidy -check-suffix=NONE -config="{CheckOptions: {IgnoredVariables: 'nil;empty_.*;Table::lookups'}}" %s linesman-sentinel-write,linesman-shared-refcount,linesman-const-path-write %t
// RUN: %check_tidy -check-suffix=NONE -config="{CheckOptions: {IgnoredTypes: 'Node;Rep;Table'}}" %s linesman-sentinel-write,linesman-shared-refcount,linesman-const-path-write %t
// RUN: %check_tidy -config="{CheckOptions: {IgnoredVariables: 'ni;empty;ookups', IgnoredTypes: 'No;Re;Tabl'}}" %s linesman-sentinel-write,linesman-shared-refcount,linesman-const-path-write %t
// RUN: %check_tidy -check-suffix=LINE -config="{CheckOptions: {linesman-const-path-write.CacheLineSize: 16}}" %s linesman-const-path-write %t

struct Node {
  int level;
};
Node nil;
struct Ref {
  Node *target = &nil;
  void touch() { target->level = 1; }
  // CHECK-MESSAGES: :[[@LINE-1]]:32: warning: 'Ref::touch' writes {{.*}}[linesman-sentinel-write]
};

struct Rep {
  int refs;
  void ref() { ++refs; }
};
Rep empty_rep;
void take() { empty_rep.ref(); }
// CHECK-MESSAGES: :[[@LINE-1]]:25: warning: 'take' counts {{.*}}[linesman-shared-refcount]

// On lines of 16 bytes the list is far away.
struct alignas(16) Table {
  int find(int Key) const {
    ++lookups;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Table::find' {{.*}} 'Table::lookups' (offset 0) beside 'Table::slots' (offset 16){{.*}}[linesman-const-path-write]
    // CHECK-MESSAGES-LINE: :[[@LINE-2]]:5: warning: 'Table::find' {{.*}} 'Table::lookups'; all who read
    return slots[Key];
  }
  mutable long lookups;
  long spare;
  int *slots;
};
