#include <atomic>
PAGE
