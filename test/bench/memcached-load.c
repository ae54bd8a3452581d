// Load for a memcached: THREADS connections that each send batches of 50
// requests (9 gets to 1 set of 32 bytes, 10,000 keys) and read the answers.
//   memcached-load PORT THREADS SECONDS
// Prints requests per second. Batches keep the kernel's share small: what is
// measured is the server's threads among themselves.
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { Batch = 50, Keys = 10000 };
static int Port;
static double Seconds;

static double now(void) {
  struct timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return T.tv_sec + T.tv_nsec * 1e-9;
}

static void *work(void *Seed) {
  unsigned Random = (unsigned)(size_t)Seed;
  struct sockaddr_in To = {.sin_family = AF_INET,
                           .sin_port = htons(Port),
                           .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int Socket = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(Socket, (struct sockaddr *)&To, sizeof To)) {
    perror("connect");
    exit(1);
  }
  static __thread char Out[Batch * 128], In[Batch * 256];
  size_t Done = 0;
  for (double End = now() + Seconds; now() < End; Done += Batch) {
    size_t Length = 0, Answers = 0;
    for (int I = 0; I != Batch; ++I) {
      unsigned Key = rand_r(&Random) % Keys;
      if (I % 10 == 0)
        Length +=
            sprintf(Out + Length, "set key%u 0 0 32\r\n%032u\r\n", Key, Key);
      else
        Length += sprintf(Out + Length, "get key%u\r\n", Key);
    }
    if (write(Socket, Out, Length) != (ssize_t)Length)
      exit(1);
    // Each answer has one line that begins with STORED or END.
    for (char Last = '\n'; Answers != Batch;) {
      ssize_t Got = read(Socket, In, sizeof In);
      if (Got <= 0)
        exit(1);
      for (ssize_t I = 0; I != Got; Last = In[I++])
        Answers += Last == '\n' && (In[I] == 'S' || In[I] == 'E');
    }
  }
  close(Socket);
  return (void *)Done;
}

int main(int Count, char **Words) {
  if (Count != 4)
    return 2;
  Port = atoi(Words[1]);
  int Threads = atoi(Words[2]);
  Seconds = atof(Words[3]);
  pthread_t Thread[64];
  size_t All = 0;
  for (int I = 0; I != Threads; ++I)
    pthread_create(&Thread[I], NULL, work, (void *)(size_t)(I + 1));
  for (int I = 0; I != Threads; ++I) {
    void *Done;
    pthread_join(Thread[I], &Done);
    All += (size_t)Done;
  }
  printf("%.0f\n", All / Seconds);
}
