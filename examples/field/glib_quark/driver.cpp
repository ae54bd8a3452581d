// One thread asks for the text of a quark, another one for the quark of a text.
// Both have been there for long.

#include "pair.h"
#include <glib.h>

int main(int Argc, char **Argv) {
  static GQuark Quark = g_quark_from_string("framerate");
  return measurePair(
      Argc, Argv, "to-string", [](uint64_t) { keep(g_quark_to_string(Quark)); },
      "from-string", [](uint64_t) { keep(g_quark_from_string("framerate")); });
}
