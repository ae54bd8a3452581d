// Which bytes of a lock change when it is taken, up to the last one.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define LAST_CHANGED(TYPE, NAME, TAKE)                                         \
  do {                                                                         \
    TYPE Lock, Before;                                                         \
    int Last = -1;                                                             \
    memset(&Lock, 0, sizeof(Lock));                                            \
    memcpy(&Before, &Lock, sizeof(Lock));                                      \
    TAKE(&Lock);                                                               \
    for (size_t I = 0; I < sizeof(Lock); ++I)                                  \
      if (((char *)&Lock)[I] != ((char *)&Before)[I])                          \
        Last = I;                                                              \
    printf(NAME ": last changed byte %d\n", Last);                            \
  } while (0)

int main(void) {
  LAST_CHANGED(pthread_mutex_t, "mutex", pthread_mutex_lock);
  LAST_CHANGED(pthread_rwlock_t, "rwlock", pthread_rwlock_wrlock);
  return 0;
}
