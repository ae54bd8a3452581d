#include "objects.h"
namespace space {
int in_namespace;
}
namespace {
long in_anonymous[4];
}
static int file_static;
extern "C" {
extern int c_common, in_archive;
void useCommon();
void useArchive();
}
void other(int);
extern int never_defined; // only dead code refers to it
int functionLocal() {
  static int function_local;
  return ++function_local;
}
__attribute__((weak)) int weak_variable;
__attribute__((weak)) void weakFunction() { ++weak_variable; }
__attribute__((noinline)) void dead() { never_defined = 1; }
int main(int argc, char **) {
  ++space::in_namespace;
  ++in_anonymous[argc & 3];
  ++file_static;
  ++c_common;
  ++in_archive;
  functionLocal();
  count(argc);
  weakFunction();
  useCommon();
  useArchive();
  other(argc);
  return 0;
}
