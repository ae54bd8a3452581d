// One thread has an object of a type and takes and drops references to it.
// Another one makes objects of that type and lets them go.

#include "pair.h"
#include <glib-object.h>

GType Type;
GObject *Object;
// A type's number is the address of what GObject knows about it.
const uint64_t *Shared;

int main(int Argc, char **Argv) {
  Type = g_type_register_static_simple(G_TYPE_OBJECT, "Thing",
                                       sizeof(GObjectClass), nullptr,
                                       sizeof(GObject), nullptr, {});
  Object = G_OBJECT(g_object_new(Type, nullptr));
  Shared = reinterpret_cast<const uint64_t *>(Type);
  return measurePair(
      Argc, Argv, "ref-unref",
      [](uint64_t) {
        g_object_ref(Object);
        g_object_unref(Object);
      },
      "new-free",
      [](uint64_t) { g_object_unref(g_object_new(Type, nullptr)); });
}
