// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By a table of their options, from the manuals of coreutils, util-linux and
// numactl. What is not in it ends the search: a wrong word taken for the
// program would be worse than none.

#include "linesman/Process/Launchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace linesman::process {

namespace {

struct Launcher {
  StringLiteral Name;
  /// Letters of options without and with a value, as getopt has them.
  StringLiteral Flags, Valued;
  /// Long options without and with a value, between blanks.
  StringLiteral LongFlags, LongValued;
  /// Words between the options and the command.
  unsigned Operands;
};

constexpr Launcher Table[] = {
    {"env", "iv", "u", " ignore-environment debug ", " unset ", 0},
    {"nice", "0123456789", "n", "", " adjustment ", 0},
    {"nohup", "", "", "", "", 0},
    {"stdbuf", "", "ioe", "", " input output error ", 0},
    {"ionice", "t", "cn", " ignore ", " class classdata ", 0},
    {"taskset", "ac", "", " all-tasks cpu-list ", "", 1},
    {"chrt", "abdfioRrvm", "TPD",
     " all-tasks batch deadline fifo idle other reset-on-fork rr verbose ",
     " sched-runtime sched-period sched-deadline ", 1},
    {"setarch", "vRFZLXBIST3", "",
     " verbose addr-no-randomize fdpic-funcptrs mmap-page-zero "
     "addr-compat-layout read-implies-exec 32bit short-inode whole-seconds "
     "sticky-timeouts 3gb 4gb ",
     "", 0},
    {"numactl", "lab", "iwNmCpP", " localalloc all balancing ",
     " interleave weighted-interleave cpunodebind membind physcpubind "
     "preferred preferred-many ",
     0},
};

bool lists(StringRef Words, StringRef Name) {
  return Words.contains((" " + Name + " ").str());
}

/// How many words an option takes, the value with it; 0 where it is not known.
size_t wordsOf(const Launcher &Is, StringRef Option) {
  if (Option.consume_front("--")) {
    auto [Name, Value] = Option.split('=');
    bool HasValue = Name.size() != Option.size();
    if (lists(Is.LongValued, Name))
      return HasValue ? 1 : 2;
    return lists(Is.LongFlags, Name) && !HasValue ? 1 : 0;
  }
  for (size_t I = 1; I != Option.size(); ++I) {
    if (Is.Valued.contains(Option[I]))
      return I + 1 == Option.size() ? 2 : 1;
    if (!Is.Flags.contains(Option[I]))
      return 0;
  }
  return 1;
}

bool isArchitecture(StringRef Word) {
  constexpr StringRef Names[] = {"linux64", "linux32", "x86_64", "i386",
                                 "i486",    "i586",    "i686",   "aarch64",
                                 "arm64",   "uname26"};
  return is_contained(Names, Word);
}

/// What \p Is starts; empty where that is not known.
ArrayRef<std::string> commandOf(const Launcher &Is,
                                ArrayRef<std::string> Words) {
  Words = Words.drop_front();
  if (Is.Name == "setarch" && !Words.empty() && isArchitecture(Words.front()))
    Words = Words.drop_front();
  while (!Words.empty() && Words.front().size() > 1 &&
         Words.front().front() == '-') {
    if (Words.front() == "--") {
      Words = Words.drop_front();
      break;
    }
    size_t Taken = wordsOf(Is, Words.front());
    if (Taken == 0 || Taken > Words.size())
      return {};
    Words = Words.drop_front(Taken);
  }
  // Another PATH would find another program.
  if (Is.Name == "env")
    while (!Words.empty() && StringRef(Words.front()).contains('=')) {
      if (StringRef(Words.front()).starts_with("PATH="))
        return {};
      Words = Words.drop_front();
    }
  return Words.size() > Is.Operands ? Words.drop_front(Is.Operands)
                                    : ArrayRef<std::string>();
}

} // namespace

LaunchedCommand skipLaunchers(ArrayRef<std::string> Command) {
  LaunchedCommand Result{{}, Command};
  while (!Result.Words.empty()) {
    StringRef Name = sys::path::filename(Result.Words.front());
    auto Is = find_if(Table, [&](const Launcher &L) { return L.Name == Name; });
    if (Is == std::end(Table))
      break;
    ArrayRef<std::string> Started = commandOf(*Is, Result.Words);
    if (Started.empty())
      break;
    Result.Launchers.push_back(Result.Words.front());
    Result.Words = Started;
  }
  return Result;
}

bool isInterpreter(StringRef Path) {
  // "python3.13"
  StringRef Name = sys::path::filename(Path).rtrim("0123456789.-");
  constexpr StringRef Names[] = {
      "sh",     "bash", "dash",    "ash",    "zsh",       "ksh",
      "mksh",   "fish", "perl",    "ruby",   "php",       "node",
      "python", "lua",  "busybox", "toybox", "make",      "time",
      "xargs",  "sudo", "doas",    "setsid", "coreutils", "timeout"};
  return is_contained(Names, Name) ||
         any_of(Table, [&](const Launcher &L) { return L.Name == Name; });
}

} // namespace linesman::process
