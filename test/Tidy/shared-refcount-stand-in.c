// An object that is handed out in the place of others is counted by whoever
// counts those, also where only other units hand it on.
// RUN: %check_tidy %s linesman-shared-refcount %t

void *malloc(unsigned long);
void free(void *);

typedef struct {
  int ref;
  unsigned length;
} blob;

static blob empty_blob;

static blob *blob_empty(void) { return &empty_blob; }

blob *blob_make(unsigned length) {
  if (!length)
    return blob_empty();
  blob *made = malloc(sizeof *made);
  made->ref = 1;
  made->length = length;
  return made;
}
blob *blob_share(blob *b) {
  if (b)
    __atomic_fetch_add(&b->ref, 1, __ATOMIC_RELAXED);
  // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'blob_share' counts 'blob::ref' of the static 'empty_blob', which never goes away
  // CHECK-MESSAGES: :[[@LINE-16]]:13: note: 'empty_blob' is one object for all threads
  // CHECK-MESSAGES: :[[@LINE-11]]:12: note: it is handed out here in the place of others
  return b;
}
void blob_drop(blob *b) {
  if (__atomic_fetch_sub(&b->ref, 1, __ATOMIC_ACQ_REL) == 1)
    free(b);
}

// Whoever counts looks at what it has: by its identity, or by a mark.
typedef struct {
  int ref;
  unsigned length;
} text;
static text empty_text;
text *text_make(unsigned length) { return length ? malloc(sizeof(text)) : &empty_text; }
text *text_share(text *t) {
  if (t != &empty_text)
    __atomic_fetch_add(&t->ref, 1, __ATOMIC_RELAXED);
  return t;
}
text *text_share_marked(text *t) {
  if (t->ref != 0)
    __atomic_fetch_add(&t->ref, 1, __ATOMIC_RELAXED);
  return t;
}

// The only one there is.
typedef struct {
  int ref;
} registry;
static registry the_registry;
registry *registry_get(void) { return &the_registry; }
registry *registry_share(registry *r) {
  __atomic_fetch_add(&r->ref, 1, __ATOMIC_RELAXED);
  return r;
}

// One of two that are both static stands in for none.
typedef struct {
  int ref;
} output;
static output plain_output, colour_output;
output *output_get(int colour) { return colour ? &colour_output : &plain_output; }
output *output_share(output *o) {
  __atomic_fetch_add(&o->ref, 1, __ATOMIC_RELAXED);
  return o;
}
