// Logging.

#include "log.h"
#include <cstdio>

namespace store {

/// Aligned, so the linker aligns all of .bss, and what follows starts a line:
/// log_level, and then whatever the next object file brings. Here that is
/// nil_root. A build without the alignment has the same line by luck, or not.
alignas(64) char log_prefix[64];
int log_level = Quiet;

void writeLog(const char *Format, unsigned long Number) {
  char Line[256];
  std::snprintf(Line, sizeof(Line), Format, Number);
  std::fprintf(stderr, "%s%s", log_prefix, Line);
}

} // namespace store
