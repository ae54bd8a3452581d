/* Two threads that write next to each other; two seconds after somebody has
 * begun to trace it, the process ignores SIGTRAP, again and again. Runs until
 * its input closes. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

_Alignas(64) volatile long Shared[8];
static volatile int Stop;

static void *count(void *Counter) {
  while (!Stop)
    ++*(volatile long *)Counter;
  return 0;
}

static int isTraced(void) {
  char Text[4096] = "";
  FILE *Status = fopen("/proc/self/status", "r");
  fread(Text, 1, sizeof Text - 1, Status);
  fclose(Status);
  return !strstr(Text, "TracerPid:\t0\n");
}

int main(void) {
  pthread_t Threads[2];
  for (int I = 0; I != 2; ++I)
    pthread_create(&Threads[I], 0, count, (void *)&Shared[I]);
  printf("ready %d\n", getpid());
  fflush(stdout);
  struct pollfd Input = {STDIN_FILENO, POLLIN, 0};
  int Ended = 0;
  while (!Ended && !isTraced())
    Ended = poll(&Input, 1, 10);
  Ended = Ended || poll(&Input, 1, 2000);
  while (!Ended) {
    signal(SIGTRAP, SIG_IGN);
    Ended = poll(&Input, 1, 1);
  }
  Stop = 1;
  for (int I = 0; I != 2; ++I)
    pthread_join(Threads[I], 0);
}
