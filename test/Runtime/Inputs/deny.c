/* deny [kill] CALL... -- COMMAND: runs it with system calls refused (EPERM), as
 * a container's seccomp profile does; kill: on pain of death, as systemd's. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
  const char *name;
  int number;
} calls[] = {{"mbind", SYS_mbind},
             {"move_pages", SYS_move_pages},
             {"get_mempolicy", SYS_get_mempolicy},
             {"madvise", SYS_madvise},
             {"userfaultfd", SYS_userfaultfd},
             {"perf_event_open", SYS_perf_event_open},
             {"ptrace", SYS_ptrace}};

int main(int argc, char **argv) {
  struct sock_filter filter[64];
  unsigned short size = 0;
  int kills = argc > 1 && !strcmp(argv[1], "kill");
  int i = 1 + kills;
  filter[size++] = (struct sock_filter)BPF_STMT(
      BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (; i < argc && strcmp(argv[i], "--"); ++i)
    for (size_t j = 0; j < sizeof calls / sizeof *calls; ++j) {
      if (strcmp(argv[i], calls[j].name))
        continue;
      filter[size++] = (struct sock_filter)BPF_JUMP(
          BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[j].number, 0, 1);
      filter[size++] = (struct sock_filter)BPF_STMT(
          BPF_RET | BPF_K,
          kills ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | EPERM);
    }
  filter[size++] =
      (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {size, filter};
  if (i + 1 >= argc || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
    perror("deny");
    return 125;
  }
  execvp(argv[i + 1], argv + i + 1);
  perror(argv[i + 1]);
  return 127;
}
