/* Two threads that write next to each other under a rain of signals, one of
 * them with every signal blocked, while the main thread waits. Runs until its
 * input closes, and then says whether anything was lost or added. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

_Alignas(64) struct {
  volatile long first, second;
  char rest[48];
} Shared;
static atomic_int stop, alarms;

static void on_alarm(int number) {
  (void)number;
  ++alarms;
}

static void *count(void *which) {
  volatile long *counter = which;
  if (counter == &Shared.second) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
  }
  long own = 0;
  for (; !stop; ++own)
    *counter = own;
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  /* SIGTRAP is blocked where it was. */
  return (void *)(long)(*counter != own - 1 ||
                        sigismember(&now, SIGTRAP) !=
                            (counter == &Shared.second));
}

int main(void) {
  pthread_t threads[2];
  signal(SIGALRM, on_alarm);
  pthread_create(&threads[0], NULL, count, (void *)&Shared.first);
  pthread_create(&threads[1], NULL, count, (void *)&Shared.second);
  struct itimerval timer = {{0, 2000}, {0, 2000}};
  setitimer(ITIMER_REAL, &timer, NULL);
  printf("ready %d\n", getpid());
  fflush(stdout);
  char byte;
  errno = 0;
  while (read(STDIN_FILENO, &byte, 1) > 0 || errno == EINTR)
    errno = 0;
  stop = 1;
  void *wrong[2];
  pthread_join(threads[0], &wrong[0]);
  pthread_join(threads[1], &wrong[1]);
  return wrong[0] || wrong[1] || !alarms;
}
