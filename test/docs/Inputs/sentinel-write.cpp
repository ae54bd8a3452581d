#include <utility>
struct Ref;
struct Node {
  Ref *back;
};
PAGE
