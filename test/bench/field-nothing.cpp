// Drivers of two candidates of docs/field.md that are no hazards of its table,
// as the drivers of examples/field are: two threads, one operation each.
//   field-nothing osyncstream together|apart
//       each thread writes to a std::osyncstream of its own. The library has 16
//       locks of 40 bytes for all of them; here the two are on one line, or far
//       apart.
//   field-nothing locale common|own
//       one thread makes streams, which counts in the global locale, and the
//       other one writes numbers to a stream of that locale, or of one that it
//       has alone.
// Compiled with -fno-access-control, to know which lock a stream has.

#include "../../examples/field/pair.h"
#include <locale>
#include <sstream>
#include <string_view>
#include <syncstream>

namespace {
struct Nowhere : std::streambuf {
  int_type overflow(int_type Char) override { return Char; }
  std::streamsize xsputn(const char *, std::streamsize Size) override {
    return Size;
  }
};

uintptr_t lockOf(std::streambuf &Buffer) {
  return reinterpret_cast<uintptr_t>(
      &std::syncbuf::__mutex::_S_get_mutex(&Buffer));
}

int measureSyncStreams(char **Argv, bool Together) {
  static Nowhere Buffers[256];
  Nowhere *First = nullptr, *Second = nullptr;
  for (Nowhere &One : Buffers)
    for (Nowhere &Other : Buffers) {
      // Locking writes the first bytes of a mutex.
      uintptr_t A = lockOf(One), B = lockOf(Other);
      if (A < B && (Together ? A / 64 == B / 64 : B - A >= 192)) {
        First = &One;
        Second = &Other;
      }
    }
  std::osyncstream Streams[] = {std::osyncstream(First),
                                std::osyncstream(Second)};
  auto Write = [&](unsigned I) {
    Streams[I].put('x');
    Streams[I].emit();
  };
  return measurePair(
      1, Argv, "own", [&](uint64_t) { Write(0); }, "others",
      [&](uint64_t) { Write(1); });
}

int measureLocale(char **Argv, bool Common) {
  std::locale::global(std::locale("C.UTF-8"));
  Nowhere Buffer;
  std::ostream Stream(&Buffer);
  if (!Common)
    Stream.imbue(std::locale("C.UTF-8"));
  return measurePair(
      1, Argv, "write", [&](uint64_t Count) { Stream << Count; }, "make",
      [](uint64_t) { keep(std::ostringstream()); });
}
} // namespace

int main(int Argc, char **Argv) {
  std::string_view Candidate = Argc == 3 ? Argv[1] : "",
                   Mode = Argc == 3 ? Argv[2] : "";
  if (Candidate == "osyncstream" && (Mode == "together" || Mode == "apart"))
    return measureSyncStreams(Argv, Mode == "together");
  if (Candidate == "locale" && (Mode == "common" || Mode == "own"))
    return measureLocale(Argv, Mode == "common");
  std::fprintf(stderr, "usage: field-nothing osyncstream together|apart\n"
                       "       field-nothing locale common|own\n");
  return 2;
}
