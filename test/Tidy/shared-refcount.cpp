// RUN: %check_tidy %s linesman-shared-refcount %t

struct Rep {
  int refs = 1;
  int length = 0;
  void ref() { ++refs; }
  void deref() { --refs; }
  void ref_indirectly() { ref(); }
  Rep *grab();
  Rep *grab_unguarded() {
    __atomic_fetch_add(&refs, 1, __ATOMIC_RELAXED);
    return this;
  }
  void grow() { ++length; }
};

static Rep empty_rep;
// CHECK-NOTES: :[[@LINE+11]]:13: warning: 'direct' counts 'Rep::refs' of the static 'empty_rep', which never goes away; every core that runs this takes the cache line of the count away from all others: leave static objects uncounted, test for 'empty_rep' before counting [linesman-shared-refcount]
// CHECK-NOTES: :[[@LINE-2]]:12: note: 'empty_rep' is one object for all threads
// CHECK-NOTES: :6:16: note: it is counted here
// CHECK-NOTES: :[[@LINE+9]]:3: note: 'direct' counts it, too
// CHECK-NOTES: :[[@LINE+9]]:13: note: 'direct' counts it, too
// CHECK-NOTES: :[[@LINE+9]]:13: note: 'direct' counts it, too
// CHECK-NOTES: :[[@LINE+9]]:13: note: 'direct' counts it, too

// Counted by name: every place is one of the same cause.
Rep *direct() {
  // One statement each: the call of a method, the field, through a callee.
  empty_rep.ref();
  ++empty_rep.refs;
  empty_rep.ref_indirectly();
  empty_rep.grab_unguarded();
  empty_rep.deref();
  empty_rep.grow();
  return &empty_rep;
}

// Its twin tests before it counts.
static Rep guarded_rep;
Rep *Rep::grab() {
  if (this != &guarded_rep)
    ++refs;
  return this;
}
Rep *guarded() { return guarded_rep.grab(); }

// Through a pointer that a constructor initialises.
struct Value {
  int reference_count = 1;
  int payload = 0;
};
void intrusive_ptr_add_ref(Value *V);
static Value null_value;
struct Handle {
  Handle() : value(&null_value) {}
  Handle(const Handle &Other) : value(Other.value) {
    value->reference_count++;
    // CHECK-NOTES: :[[@LINE-1]]:27: warning: 'Handle::Handle' counts 'Value::reference_count' of the static 'null_value', which never goes away; every core that runs this takes the cache line of the count away from all others: leave static objects uncounted, test for 'null_value' before counting [linesman-shared-refcount]
    // CHECK-NOTES: :[[@LINE-6]]:14: note: 'null_value' is one object for all threads
    // CHECK-NOTES: :[[@LINE-5]]:21: note: its address is taken here
    // CHECK-NOTES: :[[@LINE+3]]:15: note: 'Handle::~Handle' counts it, too
    // CHECK-NOTES: :[[@LINE+5]]:5: note: 'Handle::again' counts it, too
  }
  ~Handle() { --value->reference_count; }
  void again() {
    // No body to look at: the name says it.
    intrusive_ptr_add_ref(value);
    value->payload += 1;
  }
  Value *value;
};

static Value tested_value;
struct TestedHandle {
  TestedHandle() : value(&tested_value) {}
  TestedHandle(const TestedHandle &Other) : value(Other.value) {
    if (value != &tested_value)
      intrusive_ptr_add_ref(value);
  }
  Value *value;
};

// An instantiation each, but one object as people see it.
template <typename T> struct String {
  struct Header {
    int use_count;
    void add_ref() { use_count += 1; }
  };
  static Header shared_empty;
  Header *header;
  String() : header(&shared_empty) { shared_empty.add_ref(); }
  // CHECK-NOTES: :[[@LINE-1]]:51: warning: 'String::String' counts 'String::Header::use_count' of the static 'String::shared_empty', which
  // CHECK-NOTES: :[[@LINE-4]]:17: note: 'String::shared_empty' is one object
  // CHECK-NOTES: :[[@LINE-7]]:32: note: it is counted here
};
template <typename T> typename String<T>::Header String<T>::shared_empty;
String<char> narrow;
String<wchar_t> wide;

// In a macro: the place is where it is used.
#define HOLD(Object) ++(Object).refs
static Rep macro_rep;
void hold() {
  HOLD(macro_rep);
  // CHECK-NOTES: :[[@LINE-1]]:3: warning: 'hold' counts 'Rep::refs' of the static 'macro_rep', which
  // CHECK-NOTES: :[[@LINE-5]]:22: note: expanded from macro 'HOLD'
  // CHECK-NOTES: :[[@LINE-5]]:12: note: 'macro_rep' is one object
}

// Not static, not shared, not counted, or accepted.
thread_local Rep local_rep;
[[clang::annotate("linesman:shared-ok")]] static Rep accepted_rep;
static Rep silenced_rep;
void negatives(Rep *R) {
  R->ref();
  Rep Local;
  Local.ref();
  local_rep.ref();
  accepted_rep.ref();
  silenced_rep.ref(); // NOLINT(linesman-shared-refcount)
}

// Before there are threads.
static Rep main_rep;
int main() { main_rep.ref(); }
