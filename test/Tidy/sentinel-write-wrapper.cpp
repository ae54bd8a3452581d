// RUN: %check_tidy %s linesman-sentinel-write %t

// Evidence and tests one call away: a class of one pointer keeps the address,
// compares with its parameter, is exchanged.

namespace std {
template <typename T> struct remove_reference { using type = T; };
template <typename T> struct remove_reference<T &> { using type = T; };
template <typename T> typename remove_reference<T>::type &&move(T &&Value) {
  return static_cast<typename remove_reference<T>::type &&>(Value);
}
template <typename T, typename U> T exchange(T &Object, U &&New) {
  T Old = std::move(Object);
  Object = static_cast<U &&>(New);
  return Old;
}
} // namespace std

// The bug: both ways to set the pointer write the empty page's owner.
namespace bug {
struct PageRef;
struct Page {
  PageRef *owner = nullptr;
  int used = 0;
  Page *split();
  void add() { ++used; }
};
struct PageRef {
  explicit PageRef(Page *To) : page(To) {}
  PageRef(PageRef &&Other) : page(std::exchange(Other.page, nullptr)) {
    if (page)
      page->owner = this;
    // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: 'bug::PageRef::PageRef' writes 'bug::Page::owner' through a pointer that may be to the static 'bug::Table::empty_page'
  }
  PageRef &operator=(Page *To) {
    page = To;
    if (page)
      page->owner = this;
    // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: 'bug::PageRef::operator=' writes 'bug::Page::owner' through a pointer that may be to the static 'bug::Table::empty_page'
    return *this;
  }
  bool is(const Page &Other) const { return page == &Other; }
  Page *raw() const { return page; }
  Page *operator->() const { return page; }
  Page *page;
};
struct Table {
  static inline Page empty_page;
  PageRef first;
  Table() : first(&empty_page) {}
  Table(Table &&Other) : first(std::exchange(Other.first, &empty_page)) {}
  void drop() { first = &empty_page; }
  // Tested one call away: what is called then does not get it.
  void insert() {
    if (first.is(empty_page))
      fill(first);
    grow(first);
  }
  void insert_early() {
    if (first.is(empty_page))
      return;
    first->add();
  }
  void insert_copy() {
    if (!first.is(empty_page)) {
      Page *Own = first.raw();
      Own->used = 1;
    }
  }
  // The helper gives it another page on every way through.
  static void fill(PageRef &To) { To = new Page; }
  static void grow(PageRef &To) { To->used = 2; }
};
Table make(Table &From) {
  From.insert();
  From.insert_early();
  From.insert_copy();
  return std::move(From);
}
} // namespace bug

// The fix.
namespace fixed {
struct PageRef;
struct Page {
  PageRef *owner = nullptr;
  static Page empty;
};
struct PageRef {
  explicit PageRef(Page *To) : page(To) {}
  PageRef(PageRef &&Other) : page(std::exchange(Other.page, &Page::empty)) {
    if (!is(Page::empty))
      page->owner = this;
  }
  PageRef &operator=(Page *To) {
    page = To;
    if (page && page != &Page::empty)
      page->owner = this;
    return *this;
  }
  bool is(const Page &Other) const { return page == &Other; }
  Page *page;
};
struct Table {
  PageRef first{&Page::empty};
  void drop() { first = &Page::empty; }
};
Table move(Table &From) { return std::move(From); }
} // namespace fixed

// Not on every way through, or not this place: the helper proves nothing.
namespace helpers {
struct Page {
  int used;
};
struct PageRef {
  explicit PageRef(Page *To) : page(To) {}
  PageRef &operator=(Page *To) {
    page = To;
    return *this;
  }
  bool is(const Page &Other) const { return page == &Other; }
  Page *operator->() const { return page; }
  Page *page;
};
struct Table {
  static inline Page none;
  PageRef first{&none}, second{&none};
  void sometimes(bool Wanted) {
    if (first.is(none))
      fill_if(first, Wanted);
    first->used = 1;
    // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: 'helpers::Table::sometimes' writes 'helpers::Page::used'
  }
  void other() {
    if (second.is(none))
      return;
    first->used = 1;
    // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: 'helpers::Table::other' writes
  }
  void given_up() {
    if (first.is(none))
      return;
    drop(first);
    first->used = 1;
    // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: 'helpers::Table::given_up' writes
  }
  static void fill_if(PageRef &To, bool Wanted) {
    if (Wanted)
      To = new Page;
  }
  static void drop(PageRef &From) { From = &none; }
};
} // namespace helpers

// A class that keeps the address of the one object that there is is no
// evidence by itself: nobody asks whether it is that object.
namespace service {
struct Sink {
  int lines;
  void add() { ++lines; }
};
struct SinkRef {
  explicit SinkRef(Sink *To) : sink(To) {}
  Sink *sink;
};
Sink standard;
void print(SinkRef To) { To.sink->add(); }
void use(int Count) {
  SinkRef Mine(&standard);
  for (; Count; --Count)
    print(Mine);
}
} // namespace service
