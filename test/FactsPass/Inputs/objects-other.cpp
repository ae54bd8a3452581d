#include "objects.h"
static int file_static;
// The archive member has the strong one.
__attribute__((weak)) void overridden() { ++file_static; }
void other(int Value) {
  count(Value);
  overridden();
  file_static += inline_variable;
}
