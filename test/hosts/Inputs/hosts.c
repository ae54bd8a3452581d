/* Ordinary and odd programs in one: hosts NAME [ARGUMENTS]. Each prints a result
 * that depends on no time, address or process number, and what a guest could
 * have changed: threads, descriptors, environment, signals. test/hosts/run.py
 * runs each plainly and under linesman run, and compares. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char *self;
static int data_value = 5;
static char bss[65536];
static _Alignas(4096) int read_only[1024] = {7};

static int count(const char *folder) {
  int entries = 0;
  DIR *open = opendir(folder);
  if (!open)
    return -1;
  while (readdir(open))
    ++entries;
  closedir(open);
  return entries;
}

/* Everything that a guest could leave behind. */
static void report(const char *who) {
  sigset_t blocked;
  unsigned long mask = 0, handled = 0;
  sigprocmask(SIG_SETMASK, NULL, &blocked);
  for (int i = 1; i < 64; ++i) {
    struct sigaction action;
    mask |= (unsigned long)(sigismember(&blocked, i) == 1) << i;
    if (sigaction(i, NULL, &action) == 0)
      handled |= (unsigned long)(action.sa_handler != SIG_DFL) << i;
  }
  printf("%s: threads %d descriptors %d blocked %lx handled %lx children %s\n",
         who, count("/proc/self/task") - 2, count("/proc/self/fd") - 3, mask,
         handled, waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD ? "none" : "some");
  for (char **variable = environ; *variable; ++variable)
    if (strncmp(*variable, "_=", 2))
      printf("  %s\n", *variable);
  fflush(stdout);
}

static int reap(pid_t child) {
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static void plain(void) { report("main"); }

static void *late_thread(void *unused) {
  /* Main has ended; this thread prints and is the last. */
  (void)unused;
  printf("last thread\n");
  return NULL;
}
static void main_exits(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, late_thread, NULL);
  pthread_detach(thread);
  pthread_exit(NULL);
}

static volatile sig_atomic_t forked;
static void fork_in_handler(int number) {
  (void)number;
  int saved = errno;
  pid_t child = fork();
  if (child == 0)
    _exit(3);
  reap(child);
  ++forked;
  errno = saved;
}
static void handler_forks(void) {
  signal(SIGALRM, fork_in_handler);
  struct itimerval timer = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &timer, NULL);
  while (forked < 60) {
    char *memory = malloc(100);
    snprintf(memory, 100, "%s", "in malloc and stdio all the time");
    free(memory);
    pid_t child = fork();
    if (child == 0)
      _exit(0);
    reap(child);
  }
  memset(&timer, 0, sizeof timer);
  setitimer(ITIMER_REAL, &timer, NULL);
  printf("forked in handlers\n");
}

static int fork_in_callback(struct dl_phdr_info *info, size_t size, void *data) {
  (void)info, (void)size;
  pid_t child = fork();
  if (child == 0)
    _exit(4);
  *(int *)data += reap(child) >= 0;
  return 1;
}
static void loader_forks(void) {
  int done = 0;
  for (int i = 0; i < 50; ++i)
    dl_iterate_phdr(fork_in_callback, &done);
  printf("forked in callbacks %d\n", done);
}

static void result_of(const char *call, long result) {
  printf("%s: %s\n", call, result < 0 ? strerror(errno) : "ok");
}
static void namespaces(void) {
  result_of("unshare user", unshare(CLONE_NEWUSER));
  result_of("unshare mount", unshare(CLONE_NEWNS));
  result_of("unshare pid", unshare(CLONE_NEWPID));
}
static void set_mount_namespace(void) {
  int file = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
  result_of("setns mount", setns(file, CLONE_NEWNS));
  close(file);
}

/* Kills for all but what a finished program needs. */
static void strict_filter(unsigned flags) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#define ALLOW(call)                                                            \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1),                       \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
      ALLOW(write), ALLOW(exit_group), ALLOW(exit), ALLOW(rt_sigreturn),
      ALLOW(brk), ALLOW(newfstatat), ALLOW(futex), ALLOW(munmap),
      ALLOW(rt_sigprocmask), ALLOW(madvise), ALLOW(clock_nanosleep),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};
  struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  long result =
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  printf("filter %ld\n", result);
}
static void filter_kill(void) {
  printf("before\n");
  fflush(stdout);
  strict_filter(0);
}
static void *filtered_thread(void *unused) {
  (void)unused;
  printf("in thread\n");
  return NULL;
}
static void filter_tsync(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, filtered_thread, NULL);
  pthread_join(thread, NULL);
  fflush(stdout);
  strict_filter(SECCOMP_FILTER_FLAG_TSYNC);
}
static void strict_mode(void) {
  printf("strict\n");
  fflush(stdout);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
  static const char text[] = "written\n";
  if (write(1, text, sizeof text - 1) < 0)
    return;
  syscall(SYS_exit, 6);
}

static void drop_capabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  result_of("capset", syscall(SYS_capset, &header, none));
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *task; (task = readdir(tasks));) {
    char name[400], line[200];
    snprintf(name, sizeof name, "/proc/self/task/%s/status", task->d_name);
    FILE *status = *task->d_name == '.' ? NULL : fopen(name, "re");
    while (status && fgets(line, sizeof line, status))
      if (!strncmp(line, "CapEff", 6))
        printf("%s", line);
    if (status)
      fclose(status);
  }
  closedir(tasks);
}

static _Thread_local char large[160 << 10];
static void *use_large(void *unused) {
  memset(large, 1, sizeof large);
  return unused;
}
static void large_tls(void) {
  pthread_t thread;
  memset(large, 2, sizeof large);
  pthread_create(&thread, NULL, use_large, NULL);
  pthread_join(thread, NULL);
  report("large");
}

static void few_files(void) {
  struct rlimit few = {4, 4};
  setrlimit(RLIMIT_NOFILE, &few);
  int file = open("/dev/null", O_RDONLY), more = open("/dev/null", O_RDONLY);
  printf("first %d then %d\n", file, more);
  usleep(1000);
}
static void no_files(void) {
  /* The limit that the program is born with. */
  struct rlimit few = {4, 4};
  setrlimit(RLIMIT_NOFILE, &few);
  execl(self, self, "plain", (char *)NULL);
}

static void own_sockets(void) {
  /* The numbers that a driver might use are the program's. */
  int pair[2];
  socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair);
  for (int i = 190; i < 230; ++i)
    dup2(pair[0], i);
  send(pair[1], "ours", 4, 0);
  char text[8] = {0};
  printf("received %ld %s\n", (long)recv(205, text, 4, 0), text);
  setenv("LINESMAN_CONTROL", "205:1:0", 1);
  setenv("LINESMAN_PROGRAM", "0:0", 1);
  report("sockets");
}

static void protects_pages(void) {
  mprotect(read_only, sizeof read_only, PROT_READ);
  printf("read-only %d\n", read_only[0]);
}
__attribute__((constructor)) static void protect_early(void) {
  if (getenv("PROTECT_EARLY"))
    mprotect(read_only, sizeof read_only, PROT_READ);
}

static void fork_storm(void) {
  int sum = 0;
  for (int i = 0; i < 400; ++i) {
    pid_t child = fork();
    if (child == 0)
      _exit(bss[i] + data_value);
    sum += reap(child);
  }
  printf("forked %d\n", sum);
}
static void fork_tree(void) {
  for (int depth = 0; depth < 5; ++depth) {
    pid_t child = fork();
    if (child > 0) {
      int code = reap(child);
      if (depth == 0)
        printf("depth %d\n", code);
      exit(code + 1);
    }
  }
  fflush(stdout);
  _exit(0);
}
static void vfork_storm(void) {
  int sum = 0;
  for (int i = 0; i < 100; ++i) {
    pid_t child = vfork();
    if (child == 0)
      _exit(2);
    sum += reap(child);
  }
  printf("vforked %d\n", sum);
}
static void spawn_storm(void) {
  int sum = 0;
  char *words[] = {(char *)"true", NULL};
  for (int i = 0; i < 60; ++i) {
    pid_t child;
    sum += posix_spawn(&child, "/bin/true", NULL, NULL, words, environ);
    sum += reap(child);
  }
  printf("spawned %d\n", sum);
}
static void dlopen_storm(void) {
  int opened = 0;
  for (int i = 0; i < 200; ++i) {
    void *library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
    opened += library && dlsym(library, "cos");
    dlclose(library);
  }
  printf("opened %d\n", opened);
}
static void dlmopen_one(void) {
  void *library = dlmopen(LM_ID_NEWLM, "libm.so.6", RTLD_NOW);
  printf("another namespace %s\n", library ? "ok" : dlerror());
}
static atomic_long work_done;
static void *work(void *unused) {
  for (int i = 0; i < 1000; ++i)
    ++work_done;
  return unused;
}
static void thread_storm(void) {
  for (int round = 0; round < 40; ++round) {
    pthread_t threads[10];
    for (int i = 0; i < 10; ++i)
      pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 10; ++i)
      pthread_join(threads[i], NULL);
  }
  printf("worked %ld\n", (long)work_done);
}
static void thread_forks(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 50; ++i) {
    pid_t child = fork();
    if (child == 0)
      _exit(count("/proc/self/task") - 2);
    if (reap(child) != 1)
      printf("a child with threads\n");
  }
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
  printf("forked beside threads\n");
}

static void quick_exit_host(void) {
  printf("out\n");
  fflush(stdout);
  _exit(12);
}
static void at_exit(void) { printf("at exit\n"); }
static void exits_in_order(void) {
  atexit(at_exit);
  report("exit");
  exit(11);
}
static void aborts(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  abort();
}
static void crashes(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  *(volatile int *)8 = 1;
}
static void kills_itself(void) { kill(getpid(), SIGTERM); }

static void daemon_host(void) {
  int pipes[2];
  if (pipe(pipes))
    return;
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      for (int i = 3; i < 1024; ++i)
        if (i != pipes[1])
          close(i);
      char text[40];
      int length = snprintf(text, sizeof text, "daemon with %d descriptors", count("/proc/self/fd") - 3);
      _exit(write(pipes[1], text, (size_t)length) < 0);
    }
    _exit(0);
  }
  close(pipes[1]);
  char text[80] = {0};
  ssize_t size = read(pipes[0], text, sizeof text - 1);
  printf("%ld %s\n", (long)size, text);
}
static void closes_all(void) {
  for (int i = 3; i < 4096; ++i)
    close(i);
  printf("next %d\n", open("/dev/null", O_RDONLY));
  syscall(SYS_close_range, 3, ~0u, 0);
  printf("next %d\n", open("/dev/null", O_RDONLY));
}
static void changes_root(void) {
  result_of("chroot", chroot("/tmp"));
  result_of("chdir", chdir("/"));
}
static void changes_user(void) {
  result_of("setgroups", setgroups(0, NULL));
  result_of("setgid", setgid(65534));
  result_of("setuid", setuid(65534));
  report("user");
}
static void executes(void) {
  setenv("AGAIN", "yes", 1);
  execl(self, self, "plain", (char *)NULL);
}
static void executes_by_handle(void) {
  int file = open(self, O_RDONLY | O_CLOEXEC);
  char *words[] = {self, (char *)"plain", NULL};
  fexecve(file, words, environ);
}
static volatile sig_atomic_t seen;
static void see(int number) { seen = number; }
static void takes_signals(void) {
  for (int i = 1; i < 32; ++i)
    if (i != SIGKILL && i != SIGSTOP && i != SIGSEGV)
      signal(i, see);
  raise(SIGUSR1);
  printf("signal %d\n", (int)seen);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  report("signals");
}
static void environment(void) {
  report("environment");
  clearenv();
  setenv("ONLY", "this", 1);
  pid_t child = fork();
  if (child == 0)
    execl("/usr/bin/env", "env", (char *)NULL);
  reap(child);
}
static void shared_memory(void) {
  int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t child = fork();
  if (child == 0) {
    *shared = data_value;
    _exit(0);
  }
  reap(child);
  printf("shared %d\n", *shared);
}
static void locks_memory(void) {
  result_of("mlockall", mlockall(MCL_CURRENT));
  munlockall();
}
static void traces_child(void) {
  pid_t child = fork();
  if (child == 0) {
    raise(SIGSTOP);
    _exit(9);
  }
  int status;
  waitpid(child, &status, WUNTRACED);
  kill(child, SIGCONT);
  printf("continued %d\n", reap(child));
}
static void ignores_children(void) {
  signal(SIGCHLD, SIG_IGN);
  if (fork() == 0)
    _exit(1);
  printf("wait %s\n", waitpid(-1, NULL, 0) < 0 ? strerror(errno) : "ok");
}
static void reads_input(void) {
  char line[100];
  while (fgets(line, sizeof line, stdin))
    printf("read %s", line);
}
static void statics(void) {
  for (size_t i = 0; i < sizeof bss; ++i)
    if (bss[i])
      printf("changed\n");
  printf("data %d\n", data_value);
}
static void supervises(void) {
  /* As an init: a subreaper that starts services and reaps their orphans. */
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (int i = 0; i < 10; ++i)
    if (fork() == 0) {
      if (fork() == 0)
        execl("/bin/true", "true", (char *)NULL);
      _exit(0);
    }
  int reaped = 0;
  while (waitpid(-1, NULL, 0) > 0)
    ++reaped;
  printf("reaped %d\n", reaped);
}
static void dumpable(void) {
  printf("dumpable %d\n", prctl(PR_GET_DUMPABLE));
  prctl(PR_SET_DUMPABLE, 0);
  printf("death signal %d name ", prctl(PR_GET_PDEATHSIG, &seen) + (int)seen);
  char name[17] = {0};
  prctl(PR_GET_NAME, name);
  printf("%s filters %d\n", name, prctl(PR_GET_SECCOMP));
}

static const struct {
  const char *name;
  void (*run)(void);
} hosts[] = {{"plain", plain},
             {"main-exits", main_exits},
             {"handler-forks", handler_forks},
             {"loader-forks", loader_forks},
             {"namespaces", namespaces},
             {"mount-namespace", set_mount_namespace},
             {"filter-kill", filter_kill},
             {"filter-tsync", filter_tsync},
             {"strict-mode", strict_mode},
             {"capabilities", drop_capabilities},
             {"large-tls", large_tls},
             {"few-files", few_files},
             {"no-files", no_files},
             {"own-sockets", own_sockets},
             {"protects-pages", protects_pages},
             {"fork-storm", fork_storm},
             {"fork-tree", fork_tree},
             {"vfork-storm", vfork_storm},
             {"spawn-storm", spawn_storm},
             {"dlopen-storm", dlopen_storm},
             {"dlmopen", dlmopen_one},
             {"thread-storm", thread_storm},
             {"thread-forks", thread_forks},
             {"quick-exit", quick_exit_host},
             {"exit", exits_in_order},
             {"abort", aborts},
             {"crash", crashes},
             {"kill", kills_itself},
             {"daemon", daemon_host},
             {"closes-all", closes_all},
             {"chroot", changes_root},
             {"setuid", changes_user},
             {"exec", executes},
             {"fexecve", executes_by_handle},
             {"signals", takes_signals},
             {"environment", environment},
             {"shared-memory", shared_memory},
             {"mlock", locks_memory},
             {"stop-continue", traces_child},
             {"ignores-children", ignores_children},
             {"input", reads_input},
             {"statics", statics},
             {"supervisor", supervises},
             {"dumpable", dumpable}};

int main(int argc, char **argv) {
  self = argv[0];
  if (argc < 2) {
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; ++i)
      puts(hosts[i].name);
    return 0;
  }
  for (size_t i = 0; i < sizeof hosts / sizeof *hosts; ++i)
    if (!strcmp(hosts[i].name, argv[1])) {
      hosts[i].run();
      return 7;
    }
  return 2;
}
