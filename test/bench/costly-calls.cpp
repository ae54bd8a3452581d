// How long the library functions of facts::CostlyCalls take, as far as anybody
// may call them: costly-calls [FOLDER]. Prints the median of 301 calls of each,
// in microseconds; files are made in FOLDER (/tmp). The clock itself is the
// first line, and getppid, which is no such function, the second.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <grp.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <string>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace llvm;

namespace {

using Step = function_ref<void()>;

void nothing() {}

void measure(StringRef Name, Step Call, Step After = nothing,
             Step Before = nothing) {
  constexpr unsigned Rounds = 301;
  std::vector<double> Times;
  for (unsigned I = 0; I != Rounds; ++I) {
    Before();
    const auto Start = std::chrono::steady_clock::now();
    Call();
    const std::chrono::duration<double, std::micro> Taken =
        std::chrono::steady_clock::now() - Start;
    After();
    Times.push_back(Taken.count());
  }
  auto Middle = Times.begin() + Times.size() / 2;
  std::nth_element(Times.begin(), Middle, Times.end());
  outs() << left_justify(Name, 16) << format("%9.2f\n", *Middle);
}

void measureSockets() {
  sockaddr_in Any = {};
  Any.sin_family = AF_INET;
  Any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto *Address = reinterpret_cast<sockaddr *>(&Any);
  int Socket = -1, Ends[2];
  auto Open = [&] { Socket = socket(AF_INET, SOCK_STREAM, 0); };
  auto Close = [&] { close(Socket); };
  measure("socket", Open, Close);
  measure("bind", [&] { bind(Socket, Address, sizeof(Any)); }, Close, Open);
  const int Listener = socket(AF_INET, SOCK_STREAM, 0);
  bind(Listener, Address, sizeof(Any));
  listen(Listener, SOMAXCONN);
  socklen_t Size = sizeof(Any);
  getsockname(Listener, Address, &Size);
  measure(
      "connect", [&] { connect(Socket, Address, sizeof(Any)); },
      [&] {
        close(accept(Listener, nullptr, nullptr));
        Close();
      },
      Open);
  close(Listener);
  auto CloseBoth = [&] {
    close(Ends[0]);
    close(Ends[1]);
  };
  measure(
      "socketpair", [&] { socketpair(AF_UNIX, SOCK_STREAM, 0, Ends); },
      CloseBoth);
  measure(
      "pipe",
      [&] {
        if (pipe(Ends) != 0)
          Ends[0] = Ends[1] = -1;
      },
      CloseBoth);
}

void measureMemory() {
  constexpr size_t Page = 4096, More = 65536;
  void *Mapped = nullptr;
  auto Map = [&] {
    Mapped = mmap(nullptr, Page, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  };
  auto Touch = [&] {
    Map();
    *static_cast<volatile char *>(Mapped) = 1;
  };
  measure("mmap", Map, [&] { munmap(Mapped, Page); });
  measure("munmap", [&] { munmap(Mapped, Page); }, nothing, Touch);
  measure(
      "mremap", [&] { Mapped = mremap(Mapped, Page, More, MREMAP_MAYMOVE); },
      [&] { munmap(Mapped, More); }, Touch);
  int Segment = -1;
  auto Get = [&] { Segment = shmget(IPC_PRIVATE, Page, 0600); };
  auto Remove = [&] { shmctl(Segment, IPC_RMID, nullptr); };
  measure("shmget", Get, Remove);
  Get();
  measure(
      "shmat", [&] { Mapped = shmat(Segment, nullptr, 0); },
      [&] { shmdt(Mapped); });
  Remove();
}

void measureFiles(const std::string &Folder) {
  const std::string A = Folder + "/costly-calls.a", B = A + "b";
  auto Make = [&] { close(open(A.c_str(), O_CREAT | O_RDWR, 0600)); };
  FILE *Stream = nullptr;
  measure(
      "fopen", [&] { Stream = fopen(A.c_str(), "w"); },
      [&] { fclose(Stream); });
  const int File = open(A.c_str(), O_RDWR);
  auto Cut = [&](off_t Size) {
    if (ftruncate(File, Size) != 0)
      std::perror("ftruncate");
  };
  measure("ftruncate", [&] { Cut(4096); }, [&] { Cut(0); });
  measure("fsync", [&] { fsync(File); }, nothing, [&] { Cut(4096), Cut(1); });
  close(File);
  measure(
      "rename", [&] { rename(A.c_str(), B.c_str()); },
      [&] { unlink(B.c_str()); }, Make);
  measure("unlink", [&] { unlink(A.c_str()); }, nothing, Make);
  measure("remove", [&] { std::remove(A.c_str()); }, nothing, Make);
  char Path[PATH_MAX];
  measure("realpath", [&] { static_cast<void>(realpath("/tmp", Path)); });
  DIR *Open = nullptr;
  measure(
      "opendir", [&] { Open = opendir(Folder.c_str()); },
      [&] { closedir(Open); });
  measure("mkdir", [&] { mkdir(B.c_str(), 0700); }, [&] { rmdir(B.c_str()); });
}

void measureNames() {
  measure("getpwnam", [] { getpwnam("daemon"); });
  measure("getgrnam", [] { getgrnam("daemon"); });
  measure("getservbyname", [] { getservbyname("http", "tcp"); });
  regex_t Pattern;
  measure(
      "regcomp", [&] { regcomp(&Pattern, "([a-z]+)=([^,]*)", REG_EXTENDED); },
      [&] { regfree(&Pattern); });
  measure("if_nametoindex", [] { if_nametoindex("lo"); });
  addrinfo *Found = nullptr;
  measure(
      "getaddrinfo", [&] { getaddrinfo("127.0.0.1", "80", nullptr, &Found); },
      [&] { freeaddrinfo(Found); });
  void *Library = nullptr;
  measure(
      "dlopen", [&] { Library = dlopen("libanl.so.1", RTLD_NOW); },
      [&] { dlclose(Library); });
}

void measureThreads() {
  measure("usleep", [] { usleep(1); });
  pthread_t Thread;
  measure(
      "pthread_create",
      [&] {
        pthread_create(
            &Thread, nullptr, [](void *Given) { return Given; }, nullptr);
      },
      [&] { pthread_join(Thread, nullptr); });
  pid_t Child = 0;
  measure(
      "waitpid", [&] { waitpid(Child, nullptr, 0); }, nothing,
      [&] {
        Child = fork();
        if (Child == 0)
          _exit(0);
        usleep(1000);
      });
}

} // namespace

int main(int Count, char **Words) {
  measure("(the clock)", nothing);
  measure("getppid", [] { getppid(); });
  measureSockets();
  measureMemory();
  measureFiles(Count > 1 ? Words[1] : "/tmp");
  measureNames();
  measureThreads();
  return 0;
}
