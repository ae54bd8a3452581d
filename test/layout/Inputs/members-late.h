// A class that clang describes only where its virtual functions are.
struct Root {
  virtual ~Root();
  long deepest = 0;
};

namespace app {

struct Part {
  virtual ~Part();
  long deep = 0;
};

struct alignas(64) Late {
  long first = 0;
  Part part;
};

struct alignas(64) Outer {
  long head = 0;
  Root root;
};

} // namespace app
