// A class that clang describes only where its virtual functions are.
namespace app {

struct Part {
  virtual ~Part();
  long deep = 0;
};

struct alignas(64) Late {
  long first = 0;
  Part part;
};

} // namespace app
