/* Two threads that write next to each other, with pauses that leave the
 * processors to who watches; the main thread ends at SIGUSR1, and the process
 * without it when its input closes. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

_Alignas(64) struct {
  volatile long first, second;
  char rest[48];
} Shared;

static void *count(void *which) {
  for (volatile long *counter = which;; usleep(200))
    for (int turn = 0; turn != 1000; ++turn)
      ++*counter;
}

static void *await_end(void *none) {
  char byte;
  while (read(STDIN_FILENO, &byte, 1) > 0) {
  }
  exit(0);
  return none;
}

int main(void) {
  sigset_t end;
  sigemptyset(&end);
  sigaddset(&end, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &end, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, count, (void *)&Shared.first);
  pthread_create(&thread, NULL, count, (void *)&Shared.second);
  pthread_create(&thread, NULL, await_end, NULL);
  printf("ready %d\n", getpid());
  fflush(stdout);
  int number;
  sigwait(&end, &number);
  pthread_exit(NULL);
}
