// Logging: a level that everybody reads, and nobody writes after start.

#ifndef NIL_ROOT_LOG_H
#define NIL_ROOT_LOG_H

namespace store {

enum { Quiet = 0, Debug = 2, Trace = 3 };
extern char log_prefix[64];
extern int log_level;
void writeLog(const char *Format, unsigned long Number);

} // namespace store

#define STORE_LOG(Level, Format, Number)                                       \
  do {                                                                         \
    if (store::log_level >= store::Level)                                      \
      store::writeLog(Format, Number);                                         \
  } while (false)

#endif // NIL_ROOT_LOG_H
