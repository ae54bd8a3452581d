// RUN: %check_tidy %s linesman-global-write %t
// What a signal runs is rare, however its handler is called, and so is what a
// failure counts.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

volatile sig_atomic_t children, alarms, hangups, ends, asks, calls;
static int parse_nerrs;
static void onChild(int Number) { children++; }
static void onAlarm(int Number, siginfo_t *Info, void *More) { alarms++; }
static void onHangup(int Number) { hangups++; }
static void onEnd(void) { ends++; }

// A callback that is put into another record is anybody's, and so is what is
// called besides.
struct operations {
  void (*handler)(int);
};
static void onAsk(int Number) { asks++; }
// CHECK-MESSAGES: :[[@LINE-1]]:33: warning: 'asks' has static storage
static void onCall(int Number) { calls++; }
// CHECK-MESSAGES: :[[@LINE-1]]:34: warning: 'calls' has static storage

void set_up(struct operations *Given) {
  struct sigaction Action = {0};
  struct sigaction Other = {.sa_handler = onHangup};
  Action.sa_handler = onChild;
  sigaction(SIGCHLD, &Action, NULL);
  Action.sa_sigaction = onAlarm;
  sigaction(SIGALRM, &Action, NULL);
  sigaction(SIGHUP, &Other, NULL);
  signal(SIGTERM, onCall);
  atexit(onEnd);
  Given->handler = onAsk;
}
void serve(int Input) {
  if (Input < 0)
    parse_nerrs++;
  onCall(Input);
}
