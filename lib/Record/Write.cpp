// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the record file (RecordFormat.h) with write(2) alone, so that it can
// be written from a signal handler and after everything else is gone.
//
// Lines that two threads touch and one writes are all written, and so are those
// that would be shared if lines were longer or began elsewhere. Of the quiet
// rest only the first MaxQuiet are, and the others are counted.

#include "Record.h"
#include <fcntl.h>
#include <initializer_list>
#include <signal.h>
#include <string.h>
#include <unistd.h>

namespace linesman::record {

namespace {

class Output {
public:
  explicit Output(int File) : File(File) {}
  ~Output() { flush(); }
  Output(const Output &) = delete;
  Output &operator=(const Output &) = delete;

  Output &text(const char *Text) {
    while (*Text)
      put(*Text++);
    return *this;
  }
  Output &number(uint64_t Value) {
    char Digits[17];
    unsigned Count = 0;
    do
      Digits[Count++] = "0123456789abcdef"[Value % 16];
    while (Value /= 16);
    put(' ');
    while (Count)
      put(Digits[--Count]);
    return *this;
  }
  void end() { put('\n'); }
  void put(char C) {
    if (Used == sizeof(Buffer))
      flush();
    Buffer[Used++] = C;
  }

private:
  void flush() {
    for (size_t Done = 0; Done < Used;) {
      ssize_t Count = write(File, Buffer + Done, Used - Done);
      if (Count <= 0)
        break;
      Done += static_cast<size_t>(Count);
    }
    Used = 0;
  }
  int File;
  size_t Used = 0;
  char Buffer[1 << 14];
};

template <class Visit> void forEachUse(const LineRecord &Line, Visit Call) {
  for (unsigned Slot = 0; Slot != 2; ++Slot)
    if (Line.Owner[Slot])
      Call(Line.Owner[Slot], Line.Inline[Slot], Line.Atomics[Slot]);
  for (uint32_t I = Line.Chain; I; I = S.Spills[I].Next)
    Call(S.Spills[I].Owner, S.Spills[I].Bytes, S.Spills[I].Atomics);
}

/// Two threads are on the lines, and one writes.
bool conflict(const LineRecord *A, const LineRecord *B) {
  uint16_t First = 0;
  bool Several = false, Written = false;
  for (const LineRecord *Line : {A, B})
    if (Line)
      forEachUse(*Line, [&](uint16_t Owner, const Use &U, uint8_t) {
        if (!(U.ReadBytes | U.WrittenBytes))
          return;
        Several |= First != 0 && First != Owner;
        First = Owner;
        Written |= U.WrittenBytes != 0;
      });
  return Several && Written;
}

void writeUses(Output &Out, const LineRecord &Line) {
  forEachUse(Line, [&](uint16_t Owner, const Use &U, uint8_t Atomics) {
    if (!(U.ReadBytes | U.WrittenBytes))
      return;
    Out.text("use").number(Owner).number(U.ReadBytes).number(U.WrittenBytes);
    Out.number(Atomics).number(U.ReadSite).number(U.WriteSite).end();
  });
}

constexpr uint64_t MaxQuiet = 1 << 16;

void writeLines(Output &Out) {
  uint64_t Quiet = 0;
  for (uint32_t Number = 0; Number != S.LeafCount; ++Number) {
    uint64_t Root = S.LeafRoots[Number];
    LineRecord *Leaf = S.Roots[Root];
    for (uint64_t I = 0; I != LinesPerLeaf; ++I) {
      uint64_t Address = (Root << LeafShift) + I * LineSize;
      LineRecord *Line = Leaf + I;
      if (!Line->Owner[0])
        continue;
      if (!conflict(Line, nullptr) &&
          !conflict(Line, lineIfThere(Address - LineSize)) &&
          !conflict(Line, lineIfThere(Address + LineSize)) &&
          ++Quiet > MaxQuiet)
        continue;
      Out.text("line").number(Address).number(Line->Shared).end();
      writeUses(Out, *Line);
    }
  }
  if (Quiet > MaxQuiet)
    Out.text("lost quiet").number(Quiet - MaxQuiet).end();
  for (uint32_t I = 0; I != MaxRetired; ++I) {
    const Retired &R = S.RetiredLines[I];
    if (R.Times == 0)
      continue;
    Out.text("retired").number(R.Address).number(R.Times);
    Out.number(R.Freed.Begin).number(R.Freed.Size).number(R.Freed.Stack).end();
    writeUses(Out, R.Line);
  }
}

void writeTables(Output &Out) {
  for (uint32_t I = 1; I <= S.ThreadCount && I <= MaxThreads; ++I) {
    Out.text("thread").number(I).number(uint64_t(S.Names[I].KernelId));
    Out.put(' ');
    Out.text(S.Names[I].Name).end();
  }
  for (uint32_t I = 0; I != MaxSites; ++I)
    if (S.Sites[I])
      Out.text("site").number(I).number(S.Sites[I]).end();
  for (uint32_t I = 0; I != MaxStacks; ++I) {
    if (S.Stacks[I].Depth == 0)
      continue;
    Out.text("stack").number(I);
    for (uint32_t Frame = 0; Frame != S.Stacks[I].Depth; ++Frame)
      Out.number(S.Stacks[I].Frames[Frame]);
    Out.end();
  }
  for (uint32_t I = 0; I != MaxBlocks; ++I)
    if (const Block &B = S.Blocks[I]; B.Size)
      Out.text("block").number(B.Begin).number(B.Size).number(B.Stack).end();
  for (uint32_t I = 0; I != MaxDetails; ++I)
    if (const Detail &D = S.Details[I]; D.Used)
      Out.text("detail")
          .number(D.Granule * GranuleSize)
          .number(D.Thread)
          .number(D.Access)
          .number(D.Site)
          .number(D.Count)
          .end();
}

void writeLost(Output &Out) {
  struct {
    const char *Kind;
    uint64_t Count;
  } Counts[] = {{"memory", S.Lost.Memory}, {"threads", S.Lost.Threads},
                {"sites", S.Lost.Sites},   {"stacks", S.Lost.Stacks},
                {"spills", S.Lost.Spills}, {"details", S.Lost.Details},
                {"blocks", S.Lost.Blocks}, {"retired", S.Lost.Retired}};
  for (const auto &C : Counts)
    if (C.Count) {
      Out.text("lost ").text(C.Kind).number(C.Count).end();
    }
}

void writeMaps(Output &Out) {
  int Maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  char Buffer[4096];
  bool LineStart = true;
  for (ssize_t Count; Maps >= 0 && (Count = read(Maps, Buffer, 4096)) > 0;)
    for (ssize_t I = 0; I != Count; ++I) {
      if (LineStart)
        Out.text("map ");
      LineStart = Buffer[I] == '\n';
      Out.put(Buffer[I]);
    }
  if (Maps >= 0)
    close(Maps);
}

} // namespace

constexpr int EndSignals[] = {SIGTERM, SIGINT, SIGHUP};

/// Two signals, or a signal and exit, can come together on two threads: the
/// first writes.
enum Progress : int { NotBegun, Begun, Done };
static int Written = NotBegun;

/// While the record is written: a handler of the program's would end it before
/// it is complete. It is at its end anyway.
class SignalsOff {
public:
  SignalsOff() {
    for (int Signal : EndSignals)
      signal(Signal, SIG_IGN);
    sigset_t All;
    sigfillset(&All);
    sigprocmask(SIG_BLOCK, &All, &Before);
  }
  ~SignalsOff() { sigprocmask(SIG_SETMASK, &Before, nullptr); }
  SignalsOff(const SignalsOff &) = delete;
  SignalsOff &operator=(const SignalsOff &) = delete;

private:
  sigset_t Before;
};

bool writeRecord() {
  // A forked child must not write over its parent's record.
  if (!S.Ready || !S.File || getpid() != S.Process)
    return true;
  int Was = NotBegun;
  if (!__atomic_compare_exchange_n(&Written, &Was, Begun, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return Was == Done;
  SignalsOff Off;
  // What runs from here on is not the program.
  S.Live = 0;
  int File = open(S.File, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (File >= 0) {
    Output Out(File);
    Out.text(FirstLine).end();
    writeTables(Out);
    writeLines(Out);
    writeLost(Out);
    writeMaps(Out);
    Out.text("end\n");
  }
  if (File >= 0)
    close(File);
  __atomic_store_n(&Written, Done, __ATOMIC_RELEASE);
  return true;
}

static void onSignal(int Signal) {
  // Whoever is writing ends the process.
  if (!writeRecord())
    return;
  signal(Signal, SIG_DFL);
  raise(Signal);
}

__attribute__((constructor)) static void start() {
  initialize();
  // Programs that run until they are told to stop: if they have no handler of
  // their own, ours writes what there is.
  for (int Signal : EndSignals) {
    struct sigaction Old;
    if (sigaction(Signal, nullptr, &Old) == 0 && Old.sa_handler == SIG_DFL) {
      struct sigaction New = {};
      New.sa_handler = onSignal;
      sigaction(Signal, &New, nullptr);
    }
  }
}

__attribute__((destructor)) static void finish() {
  constexpr unsigned NapMicroseconds = 1000;
  while (!writeRecord())
    usleep(NapMicroseconds);
}

} // namespace linesman::record
