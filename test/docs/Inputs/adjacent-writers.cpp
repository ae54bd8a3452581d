#include <atomic>
PAGE
bool Ring::push(long value) {
  unsigned long at = tail.load();
  if (at - head.load() == 64)
    return false;
  slots[at % 64] = value;
  tail.store(at + 1);
  return true;
}
bool Ring::pop(long &value) {
  unsigned long at = head.load();
  if (at == tail.load())
    return false;
  value = slots[at % 64];
  head.store(at + 1);
  return true;
}
