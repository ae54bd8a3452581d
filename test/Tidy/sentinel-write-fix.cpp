// The fix-its are on notes, so that only who asks for them gets them.
// RUN: %check_tidy -fix-notes %s linesman-sentinel-write %t

struct Node {
  int level;
  int *back;
};
namespace tree {
Node nil;
}

struct Ref {
  Node *target = &tree::nil;
  void plain() {
    target->level = 1;
    // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: 'Ref::plain' writes
    // CHECK-FIXES: if (target != &tree::nil) target->level = 1;
  }
  void tested(bool Wanted, bool Needed) {
    if (target)
      target->level = 1;
    // CHECK-MESSAGES: :[[@LINE-1]]:21: warning: 'Ref::tested' writes
    // CHECK-FIXES: if (target && target != &tree::nil)
    if (Wanted || Needed) {
      target->level = 2;
    }
    // CHECK-MESSAGES: :[[@LINE-2]]:21: warning: 'Ref::tested' writes
    // CHECK-FIXES: if ((Wanted || Needed) && target != &tree::nil) {
    if (Wanted)
      ++Calls;
    else
      ++target->level;
    // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: 'Ref::tested' writes
    // CHECK-FIXES: if (target != &tree::nil) ++target->level;
  }
  int Calls = 0;
};

void by_reference(Node &N) {
  N.level = 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: 'by_reference' writes
  // CHECK-FIXES: if (&N != &tree::nil) N.level = 1;
}
void use(Ref &R) { by_reference(*R.target); }

// A write in the condition.
struct Count {
  int users;
};
Count none;
struct Held {
  Count *target = &none;
  void drop() {
    if (--target->users == 0)
      delete target;
    // CHECK-MESSAGES: :[[@LINE-2]]:{{[0-9]+}}: warning: 'Held::drop' writes
    // CHECK-FIXES: if (target != &none && --target->users == 0)
  }
  void either(bool Wanted) {
    if (--target->users == 0 || Wanted)
      delete target;
    // CHECK-MESSAGES: :[[@LINE-2]]:{{[0-9]+}}: warning: 'Held::either' writes
    // CHECK-FIXES: if (target != &none && (--target->users == 0 || Wanted))
  }
};

// Arguments of templates have no spelling that fits everywhere.
template <typename T> struct Tree {
  int level;
  static Tree nil;
};
template <typename T> Tree<T> Tree<T>::nil;
template <typename T> struct Hand {
  Hand() : target(&Tree<T>::nil) {}
  Tree<T> *target;
  void touch() {
    target->level = 1;
    // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: 'Hand::touch' writes
    // CHECK-FIXES: if (target != &target->nil) target->level = 1;
  }
};
void use() {
  Hand<int> H;
  H.touch();
}
