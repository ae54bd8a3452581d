/* Counts threads and descriptors of a process, its fork, and what it executes,
 * and asks whether somebody listens at its socket. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int count(const char *folder) {
  int entries = 0;
  DIR *open = opendir(folder);
  for (struct dirent *entry; (entry = readdir(open));)
    entries += entry->d_name[0] != '.';
  closedir(open);
  return entries;
}

/* That the file is there says nothing: a process that had our number and was
 * killed has left its own. */
static int is_listened_to(void) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  snprintf(name.sun_path, sizeof name.sun_path, "/tmp/linesman-%u/%d",
           geteuid(), getpid());
  int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  int refused =
      connect(connection, (const struct sockaddr *)&name, sizeof name);
  close(connection);
  return !refused;
}

static void report(const char *who) {
  int threads = count("/proc/self/task");
  printf("%s: %d thread%s, %s\n", who, threads, threads == 1 ? "" : "s",
         is_listened_to() ? "socket there" : "no socket");
  fflush(stdout);
}

/* Those above the standard ones, without the one that reads the folder; the
 * test's own runner may hand some down, so they are closed first. */
static void report_descriptors(const char *who) {
  printf("descriptors of the %s: %d\n", who, count("/proc/self/fd") - 1);
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    report("executed");
    report_descriptors("executed");
    return 0;
  }
  for (int i = 3; i < 256; ++i)
    close(i);
  report("host");
  report_descriptors("host");
  pid_t child = fork();
  if (child == 0) {
    report("child");
    exit(0); /* runs the destructors, which must leave the parent's file */
  }
  waitpid(child, NULL, 0);
  report("host after its child");
  execl("/proc/self/exe", argv[0], "again", (char *)NULL);
  return 1;
}
