// What GLib lets one thread do a single time is no operation.
// RUN: %check_tidy %s linesman-write-only-global %t

typedef unsigned long gsize;
int(g_once_init_enter)(volatile void *location);
void(g_once_init_leave)(volatile void *location, gsize result);
#define g_once_init_enter(location)                                            \
  (__extension__({                                                             \
    (void)(0 ? (void)*(location) : (void)0);                                   \
    (!__atomic_load_n((location), __ATOMIC_ACQUIRE) &&                         \
     (g_once_init_enter)(location));                                           \
  }))

gsize registered_type(void);
int private_offset(gsize type);

static int Item_private_offset;
static gsize item_type_once(void) {
  gsize type = registered_type();
  Item_private_offset = private_offset(type);
  return type;
}
gsize item_type(void) {
  static gsize known = 0;
  if (g_once_init_enter(&known)) {
    gsize type = item_type_once();
    (g_once_init_leave)(&known, type);
  }
  return known;
}

// Behind another question it is one.
int is_odd(gsize n);
static int last_odd;
void note(gsize n) {
  if (is_odd(n)) {
    last_odd = (int)n;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'last_odd' is written here and never read
  }
}
