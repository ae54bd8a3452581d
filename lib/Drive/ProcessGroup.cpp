// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run-queue waits from /proc.

#include "ProcessGroup.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <unistd.h>

using namespace llvm;

namespace linesman::drive {

/// A file of /proc; empty when it is gone.
static std::string readFile(const Twine &Path) {
  auto File = MemoryBuffer::getFileAsStream(Path);
  return File ? (*File)->getBuffer().str() : std::string();
}

/// Calls \p Use with the number of each process or thread in a folder.
template <typename Function>
static void forEachNumber(const Twine &Folder, Function Use) {
  std::error_code EC;
  for (sys::fs::directory_iterator It(Folder, EC), End; It != End && !EC;
       It.increment(EC)) {
    int Number;
    if (!sys::path::filename(It->path()).getAsInteger(10, Number))
      Use(Number);
  }
}

void ProcessGroup::findMembers() {
  Members.clear();
  forEachNumber("/proc", [this](int Process) {
    // "1 (name) S parent group ...", and a name can hold anything.
    std::string Text = readFile("/proc/" + Twine(Process) + "/stat");
    SmallVector<StringRef> Fields;
    StringRef(Text).rsplit(')').second.split(Fields, ' ', -1,
                                             /*KeepEmpty=*/false);
    int Number;
    if (Fields.size() > 2 && to_integer(Fields[2], Number) && Number == Group)
      Members.push_back(Process);
  });
}

void ProcessGroup::sample() {
  if (Samples == NextSearch) {
    findMembers();
    NextSearch = std::min(2 * Samples + 1, Samples + 25);
  }
  ++Samples;
  for (int Process : Members) {
    std::string Tasks = formatv("/proc/{0}/task", Process);
    forEachNumber(Tasks, [&](int Thread) {
      // "on a processor, waiting for one, how often": nanoseconds.
      std::string Text = readFile(Tasks + "/" + Twine(Thread) + "/schedstat");
      SmallVector<StringRef> Counters;
      StringRef(Text).split(Counters, ' ');
      unsigned long long Wait;
      if (Counters.size() > 1 && to_integer(Counters[1], Wait))
        Waits[Thread] = Wait;
    });
  }
}

double ProcessGroup::waitSeconds() const {
  double Sum = 0;
  for (const auto &[Thread, Wait] : Waits)
    Sum += double(Wait);
  return Sum * 1e-9;
}

double busySeconds() {
  // "cpu user nice system idle iowait irq softirq steal guest guest_nice"; a
  // guest's time is in user already.
  std::string Text = readFile("/proc/stat");
  SmallVector<StringRef> Words;
  StringRef(Text)
      .take_until([](char C) { return C == '\n'; })
      .split(Words, ' ', -1, /*KeepEmpty=*/false);
  constexpr unsigned Busy[] = {1, 2, 3, 6, 7, 8};
  double Ticks = 0;
  for (unsigned Column : Busy)
    if (unsigned long long Value;
        Column < Words.size() && to_integer(Words[Column], Value))
      Ticks += double(Value);
  return Ticks / double(::sysconf(_SC_CLK_TCK));
}

} // namespace linesman::drive
