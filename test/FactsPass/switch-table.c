// A switch that yields addresses becomes a table, which a pass behind ours
// replaces by another one: facts do not refer to it.
// RUN: %clang -O2 -fPIC -c %s -o %t.plain.o
// RUN: %clang -O2 -fPIC -fpass-plugin=%facts_plugin -c %s -o %t.o
// RUN: llvm-objdump -h %t.o | FileCheck %s
// CHECK: .debug_linesman
// RUN: llvm-objcopy --dump-section .text=%t.plain.text %t.plain.o
// RUN: llvm-objcopy --dump-section .text=%t.text %t.o
// RUN: cmp %t.plain.text %t.text

struct Reply {
  const char *Text;
  long Sent;
};
static struct Reply Moved = {"moved", 0}, Found = {"found", 0},
                    Other = {"see other", 0}, Temporary = {"temporary", 0};

static const char *textOf(int Code) {
  switch (Code) {
  case 301:
    return "HTTP/1.1 301 Moved Permanently";
  case 302:
    return "HTTP/1.1 302 Found";
  case 303:
    return "HTTP/1.1 303 See Other";
  case 304:
    return "HTTP/1.1 304 Not Modified";
  case 307:
    return "HTTP/1.1 307 Temporary Redirect";
  default:
    return "HTTP/1.1 308 Permanent Redirect";
  }
}

struct Reply *choose(int Code) {
  switch (Code) {
  case 301:
    return &Moved;
  case 302:
    return &Found;
  case 303:
    return &Other;
  default:
    return &Temporary;
  }
}

long answer(int Code, long (*Send)(const char *)) {
  choose(Code)->Sent++;
  return Send(textOf(Code)) + Send(choose(Code)->Text);
}
