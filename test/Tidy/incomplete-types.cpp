// RUN: %check_tidy %s 'linesman-*' %t
// References that are bound in braces to objects of types that this unit does
// not define, and to pairs of pointers, whose fields they do not give.
class Later;
struct Pair {
  int *first, *second;
};
class Holder {
  const Later &later;
  const Pair &pair;

public:
  Holder(const Later &l, const Pair &p) : later{l}, pair{p} {}
};
