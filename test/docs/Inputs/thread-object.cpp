#include <atomic>
#include <cstdlib>
struct Task;
PAGE
