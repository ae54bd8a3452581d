/* A host under load: threads, forks, signals, dlopen, an allocator of its own,
 * setuid, closing of all descriptors. Prints a checksum that depends on all of
 * it, and nothing that depends on time. stress LIBRARY ROUNDS [wait] */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, ARENA = 64 << 20 };
static atomic_ullong sum;
static atomic_long signals;
static long page_of_data[2048] = {1};
static long page_of_bss[4096];

/* The program's own malloc: a bump allocator that dies when it is entered from
 * two sides at once, as a shim that allocates behind its back would do. */
static char *arena;
static atomic_size_t used;
static _Thread_local int inside;
void *malloc(size_t size) {
  if (!arena) {
    void *memory = mmap(NULL, ARENA, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      abort();
    arena = memory;
  }
  if (inside++)
    abort();
  size_t at = atomic_fetch_add(&used, (size + 31) / 16 * 16);
  if (at + size + 32 > ARENA)
    abort();
  inside--;
  *(size_t *)(void *)(arena + at) = size;
  return arena + at + 16;
}
void free(void *memory) { (void)memory; }
void *calloc(size_t count, size_t size) { return malloc(count * size); }
void *realloc(void *memory, size_t size) {
  void *result = malloc(size);
  if (memory) {
    size_t before = *(size_t *)(void *)((char *)memory - 16);
    memcpy(result, memory, before < size ? before : size);
  }
  return result;
}

static void on_signal(int number) {
  (void)number;
  int saved = errno;
  ++signals;
  errno = saved;
}

static void *work(void *argument) {
  long *rounds = argument;
  unsigned long long local = 0;
  for (long i = 0; i < *rounds * 2000; ++i) {
    errno = 4242;
    local += (unsigned long long)(page_of_data[i % 2048] + i);
    __atomic_fetch_add(&page_of_bss[i % 4096], 1, __ATOMIC_RELAXED);
    if (errno != 4242)
      abort();
  }
  sum += local;
  return NULL;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  long rounds = atol(argv[2]);
  printf("environment %s %s\n", getenv("HOME") ? "home" : "-",
         getenv("STRESS") ? getenv("STRESS") : "-");
  /* As daemons do. */
  for (int i = 3; i < 256; ++i)
    close(i);
  /* The first free number is as ever: nothing of the shim is in the table. */
  int first = open("/dev/null", O_RDONLY);
  printf("first descriptor %d\n", first);
  close(first);
  if (argc > 3) {
    printf("ready %d\n", getpid());
    fflush(stdout);
  }
  signal(SIGALRM, on_signal);
  struct itimerval timer = {{0, 500}, {0, 500}};
  setitimer(ITIMER_REAL, &timer, NULL);
  for (long round = 0; round < rounds; ++round) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; ++i)
      if (pthread_create(&threads[i], NULL, work, &rounds))
        abort();
    void *library = dlopen(argv[1], RTLD_NOW);
    if (!library || !dlsym(library, "added_page"))
      abort();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      /* A fork has one thread, and can use the loader. */
      void *again = dlopen(argv[1], RTLD_NOW);
      _exit(again && dlsym(again, "added_page") ? 17 : 1);
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
      if (errno != EINTR)
        abort();
    sum += (unsigned long long)WEXITSTATUS(status);
    dlclose(library);
    /* libc signals every thread and waits for each. */
    if (setuid(getuid()) != 0)
      abort();
    for (int i = 0; i < THREADS; ++i)
      pthread_join(threads[i], NULL);
  }
  memset(&timer, 0, sizeof timer);
  setitimer(ITIMER_REAL, &timer, NULL);
  long total = 0;
  for (int i = 0; i < 4096; ++i)
    total += page_of_bss[i];
  printf("sum %llu total %ld\n", (unsigned long long)sum, total);
  if (argc > 3) {
    char byte;
    fflush(stdout);
    while (read(STDIN_FILENO, &byte, 1) > 0 || errno == EINTR)
      errno = 0;
  }
  fflush(stdout);
  return 3;
}
