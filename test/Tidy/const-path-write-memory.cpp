// RUN: %check_tidy %s linesman-const-path-write %t
#include "threads.h"

int format(char *To, int Value);

// A terminator, written by each reader.
class Text {
public:
  const char *c_str() const {
    data[size] = 0;
    // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: 'Text::c_str' promises not to change the object, but writes what 'Text::data' points to in every call
    return data;
  }
  // Tested first; a change by name; another object's memory; a view's work.
  const char *c_str_testing() const {
    if (data[size] != 0)
      data[size] = 0;
    return data;
  }
  void append(char New) {
    data[size++] = New;
    data[size] = 0;
  }
  int copy(char *To) const {
    To[0] = 0;
    return size;
  }
  int fill(int Value) const {
    numbers[0] = Value;
    return size;
  }

private:
  char *data;
  int *numbers;
  int size;
};
int use(Text &T) {
  T.append('a');
  T.c_str_testing();
  char Other[8];
  return T.copy(Other) + T.fill(1) + T.c_str()[0];
}

// One buffer for all.
struct Number {
  int value;
  const char *text() const {
    static char Buffer[32];
    format(Buffer, value);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'Number::text' promises not to change the object, but fills the static 'Number::text::Buffer' in every call
    return Buffer;
  }
  const char *text_of_thread() const {
    static thread_local char Buffer[32];
    format(Buffer, value);
    return Buffer;
  }
  int width() const {
    char Buffer[32];
    return format(Buffer, value);
  }
  const char *text_once() const {
    static char Buffer[32];
    if (!Buffer[0])
      format(Buffer, value);
    return Buffer;
  }
};

// A table that is looked up in, although nothing says const; text that begins
// empty is none.
const char *pick(const char *names[], int which);
void append(char *text, int value);
struct State {
  int state;
  const char *name() const {
    static const char *names[] = {"down", "up"};
    return pick(names, state);
  }
  const char *pattern() const {
    static char pattern[] = "%d items";
    append(pattern, state);
    return pattern;
  }
  const char *number() const {
    static char text[16] = {0};
    append(text, state);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'State::number' promises not to change the object, but fills the static 'State::number::text' in every call
    return text;
  }
  const char *empty() const {
    static char text[16] = "";
    append(text, state);
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: 'State::empty' promises not to change the object, but fills the static 'State::empty::text' in every call
    return text;
  }
};

// A memo in a nested part, and one that is stored without order.
struct Shape {
  struct Memo {
    long key, area;
  };
  mutable Memo memo;
  mutable std::atomic<long> last;
  long width, height;
  long area() const {
    memo.area = width * height;
    // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: 'Shape::area' promises not to change the object, but writes 'Shape::Memo::area'
    return width;
  }
  long border() const {
    last.store(width + height, std::memory_order_relaxed);
    // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'Shape::border' promises not to change the object, but writes 'Shape::last'
    return height;
  }
};

// A part that has its memo inside, and a const method for it.
struct CachedSize {
  void set(int value) const { size.store(value, std::memory_order_relaxed); }
  int get() const { return size.load(std::memory_order_relaxed); }
  mutable std::atomic<int> size;
};
struct Message {
  long key, kind;
  CachedSize cached;
  long byteSize() const {
    long all = key + kind;
    cached.set(int(all));
    // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: 'Message::byteSize' promises not to change the object, but writes 'CachedSize::size'
    return all;
  }
  int cachedSize() const { return cached.get(); }
};
// Nobody else is on the line of its part.
struct ApartMessage {
  long key, kind;
  alignas(64) CachedSize cached;
  long byteSize() const {
    cached.set(1);
    return key + kind;
  }
};
// It is stored where it has changed.
struct CheckedMessage {
  long key, kind;
  CachedSize cached;
  long byteSize() const {
    long all = key + kind;
    if (cached.get() != all)
      cached.set(int(all));
    return all;
  }
};

// What is counted in the nodes that it comes to, on the way to one of them.
struct Entry {
  int key, value;
  Entry *next;
  mutable long visits = 0, looks = 0, sums = 0;
  mutable int mark = 0;
  mutable std::atomic<bool> seen;
};
class Entries {
  Entry *head;
  int count;

public:
  int find(int key) const {
    for (const Entry *entry = head; entry; entry = entry->next) {
      entry->visits++;
      // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: 'Entries::find' promises not to change the object, but writes 'Entry::visits'
      if (entry->key == key)
        return entry->value;
    }
    return 0;
  }
  bool has(int key) const {
    head->seen.store(true);
    // CHECK-MESSAGES: :[[@LINE-1]]:16: warning: 'Entries::has' promises not to change the object, but writes 'Entry::seen'
    return head->key == key;
  }
  // Right: a mark is one walk's, and who changes the object says so.
  int reach(int mark) const {
    int reached = 0;
    for (const Entry *entry = head; entry && entry->mark != mark;
         entry = entry->next, ++reached)
      entry->mark = mark;
    return reached;
  }
  int count_looks() {
    for (const Entry *entry = head; entry; entry = entry->next)
      entry->looks++;
    return count;
  }
  // Right: its own copy.
  long sum() const {
    long sum = 0;
    for (Entry entry = {}; entry.key < count; ++entry.key)
      sum += ++entry.sums;
    return sum;
  }
};
