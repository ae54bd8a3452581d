/* A program with known static pages; ends when its input does.
 * host [write|fork|dlopen LIBRARY|closefrom|device]: what else it does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

_Alignas(4096) char written_page[4096] = {1};
_Alignas(4096) char quiet_page[4096] = {1};
_Alignas(4096) char zero_page[4096];
_Alignas(4096) char busy_page[4096];
_Alignas(4096) char untouched_pages[3 * 4096];
static atomic_int stop;

static void *write_on(void *unused) {
  (void)unused;
  while (!stop)
    ++*(volatile char *)busy_page;
  return NULL;
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  pthread_t writer;
  pid_t child = -1;
  int closes[2];
  written_page[0] = 2;
  if (*(volatile char *)zero_page)
    return 9;
  if (!strcmp(mode, "write") && pthread_create(&writer, NULL, write_on, NULL))
    return 9;
  if (!strcmp(mode, "device") &&
      mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE,
           open("/dev/zero", O_RDWR), 0) == MAP_FAILED)
    return 9;
  if (!strcmp(mode, "closefrom"))
    for (int i = 3; i < 1024; ++i)
      close(i);
  if (!strcmp(mode, "fork") && pipe(closes) == 0) {
    child = fork();
    if (child == 0) {
      char byte;
      close(closes[1]);
      _exit(read(closes[0], &byte, 1) != 0);
    }
  }
  if (!strcmp(mode, "dlopen") && !dlopen(argv[2], RTLD_NOW))
    return 8;
  printf("ready %d\n", getpid());
  fflush(stdout);
  char buffer[64];
  while (read(STDIN_FILENO, buffer, sizeof buffer) > 0) {
  }
  if (child > 0) {
    int status;
    close(closes[1]);
    if (waitpid(child, &status, 0) != child || status != 0)
      return 7;
  }
  stop = 1;
  if (!strcmp(mode, "write"))
    pthread_join(writer, NULL);
  /* Nothing that the shim does changes a byte. */
  return written_page[0] == 2 && quiet_page[0] == 1 && !zero_page[5] ? 3 : 4;
}
