// Logging.

#include "log.h"
#include <cstdio>

namespace store {

int log_level = Quiet;

void writeLog(const char *Format, unsigned long Number) {
  std::fprintf(stderr, Format, Number);
}

} // namespace store
