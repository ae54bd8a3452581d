// RUN: %check_tidy %s linesman-sentinel-write %t
// RUN: %check_tidy -check-suffix=STRICT -config="{CheckOptions: {Strict: true}}" %s linesman-sentinel-write %t

namespace std {
template <typename T> struct remove_reference { using type = T; };
template <typename T> struct remove_reference<T &> { using type = T; };
template <typename T> typename remove_reference<T>::type &&move(T &&Value) {
  return static_cast<typename remove_reference<T>::type &&>(Value);
}
template <typename T, typename U> T exchange(T &Object, U &&New) {
  T Old = std::move(Object);
  Object = static_cast<U &&>(New);
  return Old;
}
} // namespace std

struct Ref;

struct Node {
  int level = 0;
  Ref *back = nullptr;
  void set_back(Ref *To) { back = To; }
  void set_unless_nil(Ref *To);
  void opaque(Ref *To);
  Ref *find();
  bool is_nil() const;
};

Node nil_root;

bool Node::is_nil() const { return this == &nil_root; }
void Node::set_unless_nil(Ref *To) {
  if (this == &nil_root)
    return;
  back = To;
}

// The case that the check is made for: the assignment is guarded, the move
// constructor is not.
struct Ref {
  Ref() : target(&nil_root) {}
  explicit Ref(Node *To) : target(To) {}
  Ref(Ref &&Other) : target(std::exchange(Other.target, &nil_root)) {
    target->back = this;
    // CHECK-MESSAGES: :[[@LINE-1]]:18: warning: 'Ref::Ref' writes 'Node::back' through a pointer that may be to the static 'nil_root'; every core that runs this takes the cache line of 'nil_root' away from all others: test for it first [linesman-sentinel-write]
    // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:18: warning: 'Ref::Ref' writes 'Node::back'
  }
  Ref &operator=(Ref &&Other) {
    target = std::exchange(Other.target, &nil_root);
    if (target != &nil_root)
      target->back = this;
    return *this;
  }
  Node *target;
};

// Guarded everywhere.
struct GuardedRef {
  GuardedRef() : target(&nil_root) {}
  GuardedRef(GuardedRef &&Other)
      : target(std::exchange(Other.target, &nil_root)) {
    if (target != &nil_root)
      target->level++;
  }
  void early() {
    if (target == &nil_root)
      return;
    target->level = 1;
  }
  void helper() {
    if (!target->is_nil())
      target->level = 1;
  }
  void both(bool Wanted) {
    if (Wanted && target != &nil_root)
      target->level = 1;
  }
  void either(bool Unwanted) {
    if (Unwanted || target->is_nil())
      return;
    target->level = 1;
  }
  void by_variable() {
    const bool is_real = target != &nil_root;
    if (is_real)
      target->level = 1;
  }
  void loop() {
    while (target != &nil_root) {
      target->level = 1;
      target = next();
    }
  }
  void inside() { target->set_unless_nil(nullptr); }
  void fresh() {
    target = new Node;
    target->level = 1;
  }
  static Node *next();
  Node *target;
};

// A test of something else, or of what the pointer was before.
struct WrongGuard {
  Node *target = &nil_root;
  void null() {
    if (target)
      target->level = 1;
    // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'WrongGuard::null' writes 'Node::level'
    // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:21: warning: 'WrongGuard::null'
  }
  void reassigned(WrongGuard &Other) {
    if (target != &nil_root) {
      target = Other.target;
      target->level = 1;
      // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'WrongGuard::reassigned' writes
      // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:21: warning: 'WrongGuard::reassigned'
    }
  }
  void one_branch(bool Known) {
    if (Known && target == &nil_root)
      return;
    target->level = 1;
    // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: 'WrongGuard::one_branch' writes
    // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:19: warning: 'WrongGuard::one_branch'
  }
  void call() {
    target->set_back(nullptr);
    // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'WrongGuard::call' writes its object in the call of 'Node::set_back' through
    // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:13: warning: 'WrongGuard::call'
    target->opaque(nullptr);
    // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'WrongGuard::call' writes its object in the call of 'Node::opaque' through
    // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:13: warning: 'WrongGuard::call'
    // An accessor without const, for all we know.
    target->find();
  }
  void update() {
    target->level += 2;
    // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: 'WrongGuard::update' writes
    // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:19: warning: 'WrongGuard::update'
    __atomic_fetch_add(&target->level, 2, 0);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'WrongGuard::update' writes
    // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:5: warning: 'WrongGuard::update'
    // NOLINTNEXTLINE(linesman-sentinel-write)
    target->level = 1;
    target->level = 1; // NOLINT
  }
};

// Through parameters and locals; what a test keeps out does not flow.
void attach(Node *To) {
  To->level = 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: 'attach' writes 'Node::level'
  // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:13: warning: 'attach'
}
void attach_real(Node *To) { To->level = 1; }
void attach_reference(Node &To) {
  To.level = 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'attach_reference' writes
  // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:12: warning: 'attach_reference'
}
void pass(Ref &R) {
  attach(R.target);
  if (R.target != &nil_root)
    attach_real(R.target);
  attach_reference(*R.target);
  Node *Copy = R.target;
  Copy->level = 2;
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: 'pass' writes
  // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:15: warning: 'pass'
}

// One diagnostic for a template, with the pattern's name.
template <typename T> struct Handle {
  Node *target = &nil_root;
  void touch() {
    target->level = sizeof(T);
    // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: 'Handle::touch' writes 'Node::level'
    // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:19: warning: 'Handle::touch'
  }
};
void instantiate() {
  Handle<int>().touch();
  Handle<long>().touch();
}

// One for a macro, where it is used.
#define TOUCH(P) (P)->level = 3
void in_macro(Ref &R) {
  TOUCH(R.target);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'in_macro' writes
  // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:3: warning: 'in_macro'
}

// A lambda is a function of its own.
void in_lambda(Ref &R) {
  auto Touch = [P = R.target] { P->level = 1; };
  // CHECK-MESSAGES: :[[@LINE-1]]:42: warning: a lambda writes
  // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:42: warning: a lambda
  Touch();
}

// Accepted once for all uses.
[[clang::annotate("linesman:shared-ok")]] Node accepted;
struct AcceptedRef {
  Node *target = &accepted;
  void touch() {
    if (target)
      target->level = 1;
  }
};

// One per thread: nothing is shared.
thread_local Node per_thread;
struct ThreadRef {
  Node *target = &per_thread;
  void touch() { target->level = 1; }
};

// No sentinel: nobody compares with it or sets it by default.
struct Counters {
  int hits;
};
Counters global_counters, other_counters;
void count(Counters *C) {
  C->hits++;
  // CHECK-MESSAGES-STRICT: :[[@LINE-1]]:10: warning: 'count' writes 'Counters::hits'
  // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:10: warning: 'count' writes 'Counters::hits'
}
void count_all() {
  count(&global_counters);
  count(&other_counters);
  Counters *Alias = &global_counters;
  Alias->hits++;
  // CHECK-MESSAGES-STRICT: :[[@LINE-1]]:14: warning: 'count_all' writes
}

// The head of a list is compared with and part of the list.
struct Link {
  Link *next, *prev;
};
Link head = {&head, &head};
void insert(Link *New) {
  New->next = head.next;
  New->next->prev = New;
  // CHECK-MESSAGES-STRICT: :[[@LINE-1]]:19: warning: 'insert' writes 'Link::prev'
}
Link *last() { return head.prev; }
int length() {
  int Count = 0;
  for (Link *Each = head.next; Each != &head; Each = Each->next)
    ++Count;
  return Count;
}

// The pointer is written, and what it points to is not.
namespace std {
template <typename T> struct atomic;
template <typename T> struct atomic<T *> {
  T *operator=(T *New);
  void store(T *New);
  T *exchange(T *New);
};
template <typename T> struct unique_ptr {
  T *operator->() const;
  unique_ptr &operator=(unique_ptr &&);
  void reset(T *New);
};
} // namespace std
thread_local Node *of_thread = &nil_root;
extern Node *elsewhere;
std::atomic<Node *> shared_pointer;
std::unique_ptr<Node> owner;
struct Cursor {
  static Node *current;
  Node *of_object = &nil_root;
  void move(Node *To) {
    current = To;
    of_object = To;
  }
};
Node *Cursor::current = &nil_root;
Node *move_pointers(Node *To, Node **Table) {
  static Node *Last = &nil_root;
  Node *Local = &nil_root;
  Node *&Alias = Local;
  elsewhere = &nil_root;
  Last = of_thread = elsewhere = Local = To;
  Alias = To;
  Local++;
  Local += 2;
  Table[0] = &nil_root;
  Table[1] = To;
  *Table = To;
  (To ? Local : Last) = To;
  __atomic_store_n(&Last, To, __ATOMIC_RELAXED);
  shared_pointer = &nil_root;
  shared_pointer.store(To);
  shared_pointer.exchange(To);
  owner.reset(&nil_root);
  owner = std::unique_ptr<Node>();
  auto Each = [&](Node *Next) { Local = Next; };
  Each(To);
  return Local;
}
// What a reference names is written, and what such pointers point to.
void assign_object(Node &To) { To = Node(); }
// CHECK-MESSAGES: :[[@LINE-1]]:35: warning: 'assign_object' writes its object
// CHECK-MESSAGES-STRICT: :[[@LINE-2]]:35: warning: 'assign_object'
void write_behind() {
  assign_object(*elsewhere);
  owner->level = 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: 'write_behind' writes 'Node::level'
  // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:16: warning: 'write_behind'
  *Cursor::current = Node();
  // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: 'write_behind' writes its object
  // CHECK-MESSAGES-STRICT: :[[@LINE-2]]:20: warning: 'write_behind'
}

// The insertion of a tree: only the loop's variables hold the sentinel.
struct Branch {
  Branch *left, *right, *parent;
  int key;
};
Branch leaf = {&leaf, &leaf, &leaf, 0};
struct Tree {
  Branch *root = &leaf;
  void insert(Branch *New) {
    Branch *Above = &leaf;
    for (Branch *At = root; At != &leaf;) {
      Above = At;
      At = New->key < At->key ? At->left : At->right;
    }
    New->parent = Above;
    if (Above == &leaf)
      root = New;
    else if (New->key < Above->key)
      Above->left = New;
    else
      Above->right = New;
  }
};
