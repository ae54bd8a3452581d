// RUN: %check_tidy %s linesman-sentinel-write %t
// A unit that never stores the sentinel, and asks for it: another one does.

struct Node {
  Node *left, *right, *parent;
  int color;
};
extern Node nil;
struct Tree {
  Node *root;
};

void replace(Tree *tree, Node *old, Node *by) {
  if (old->parent == &nil)
    tree->root = by;
  else
    old->parent->left = by;
  by->parent = old->parent;
  // CHECK-MESSAGES: :[[@LINE-1]]:14: warning: 'replace' writes 'Node::parent' through a pointer that may be to the static 'nil'
}
void remove(Tree *tree, Node *node) {
  if (node->left == &nil)
    replace(tree, node, node->right);
  else if (node->right == &nil)
    replace(tree, node, node->left);
}

// Through a function that compares, and one that gives it out.
template <typename K> struct Map {
  struct Link {
    Link *next, *up;
    int mark;
  };
  static Link none;
  static Link *end() { return &none; }
  static bool isEnd(const Link *link) { return link == end(); }
  void unlink(Link *link) {
    if (isEnd(link->next))
      return;
    link->up->mark = 1;
    // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: 'Map::unlink' writes 'Map::Link::mark' through a pointer that may be to the static 'Map::none'
  }
  void clear(Link *link) {
    if (!isEnd(link->up))
      unlink(link);
    link->up->mark = 0;
    // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: 'Map::clear' writes 'Map::Link::mark'
  }
};
void use(Map<int> &map, Map<int>::Link *link) { map.clear(link); }

// ---- From here on: nothing.

// Every store of an object that the unit has to itself is seen; a test keeps it
// away.
struct Page {
  Page *next;
  int state;
};
static Page no_page;
void mark(Page *page) {
  if (page->next == &no_page)
    return;
  page->next->state = 1;
}
void set(Page *page) { page->next->state = 2; }
void guard(Node *node) {
  if (node->left != &nil)
    node->left->parent = node;
}
