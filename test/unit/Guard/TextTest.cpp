// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that are made to hurt.

#include "linesman/Guard/Text.h"
#include "gtest/gtest.h"
#include <cstring>
#include <pthread.h>

using namespace linesman::guard;

namespace {

std::string repeat(llvm::StringRef Subject, unsigned Times) {
  std::string Result;
  while (Times--)
    Result += Subject;
  return Result;
}

TEST(Demangle, ReadsWhatCompilersWrite) {
  EXPECT_EQ(demangle("_ZN5store4NodeIiE8nil_rootE"),
            "store::Node<int>::nil_root");
  EXPECT_EQ(demangle("_RNvC6_123foo3bar"), "123foo::bar");
  EXPECT_EQ(demangle("_ZN8counters4HITS17h0123456789abcdefE"),
            "counters::HITS");
  EXPECT_EQ(demangle("_ZN8counters4HITS17h0123456789abcdefE.llvm.123"),
            "counters::HITS");
  EXPECT_EQ(demangle("_ZN8counters4HITS17h0123456789abcdegE"),
            "counters::HITS::h0123456789abcdeg");
  EXPECT_EQ(demangle("h0123456789abcdef"), "h0123456789abcdef");
  EXPECT_EQ(demangle("_D8demangle4testi"), "demangle.test");
  EXPECT_EQ(demangle("settings"), "settings");
  EXPECT_EQ(demangle("_ZN5store"), "_ZN5store");
}

/// On a stack of the usual size, of which half must be left: a thread of ours
/// has used some when it demangles.
std::string demangleOnHalfAStack(const std::string &Name) {
  struct Work {
    std::string Name, Result;
  } Job{Name, ""};
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  pthread_attr_setstacksize(&Attributes, 4 << 20);
  pthread_t Thread;
  EXPECT_EQ(pthread_create(
                &Thread, &Attributes,
                [](void *Data) -> void * {
                  auto &Job = *static_cast<Work *>(Data);
                  Job.Result = demangle(Job.Name);
                  return nullptr;
                },
                &Job),
            0);
  pthread_join(Thread, nullptr);
  pthread_attr_destroy(&Attributes);
  return Job.Result;
}

TEST(Demangle, SurvivesDeepNames) {
  std::string Long = "_Z1f" + repeat("1AI", 20000) + "i" + repeat("E", 20000);
  EXPECT_EQ(demangleOnHalfAStack(Long), Long);
  // The deepest that are parsed at all: each begins with what recurses.
  for (const char *Level :
       {"P",  "R",      "K",    "1AI", "I",     "N1A",   "X",   "F",
        "FP", "DpDv1_", "cv",   "UlP", "Z1fIP", "LZ1fI", "J",   "M",
        "DT", "Dtsr",   "Xsr",  "Xcv", "Xad",   "Xnx",   "Xpp", "XLDp",
        "T_", "S_I",    "u1AI", "Dk",  "U1AI",  "DO",    "Dx"}) {
    std::string Name = "_Z1f";
    while (Name.size() + strlen(Level) <= 8192)
      Name += Level;
    demangleOnHalfAStack(Name);
    Name = "_ZN1AI";
    while (Name.size() + strlen(Level) <= 8192)
      Name += Level;
    demangleOnHalfAStack(Name);
  }
}

TEST(Demangle, LeavesNamesThatDoubleWithEachLevel) {
  // f(A<A<...>, A<...>>): each argument is the whole of the one before, twice.
  std::string Name = "_Z1f1AIiiE";
  const char Digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (unsigned I = 0; I != 34; ++I) {
    std::string Last = I ? std::string("S") + Digits[I] + "_" : "S0_";
    Name += "S_I" + Last + Last + "E";
  }
  EXPECT_EQ(demangle(Name), Name);
  // Rust: a pair of the pair before.
  std::string Rust = "_RINvC1a1b", Before = "TllE";
  Rust += Before;
  for (unsigned I = 0; I != 40; ++I)
    Rust += "TB7_B7_E";
  Rust += "E";
  EXPECT_EQ(demangle(Rust), Rust);
}

TEST(Printable, EscapesWhatIsObeyed) {
  EXPECT_EQ(printable("store::log_level"), "store::log_level");
  EXPECT_EQ(printable("a\x1b[31mb\nc\td\x7f"), "a\\x1b[31mb\\nc\\td\\u007f");
  EXPECT_EQ(printable("gr\xc3\xb6\xc3\x9f"
                      "e \xe2\x82\xac \xf0\x9f\x98\x80"),
            "gr\xc3\xb6\xc3\x9f"
            "e \xe2\x82\xac \xf0\x9f\x98\x80");
  // A terminal of eight bits takes C1's 9b for ESC [.
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "drow\xe2\x81\xa9"),
            "\\u202edrow\\u2069");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");
  EXPECT_EQ(printable(llvm::StringRef("\0a", 2)), "\\x00a");
  EXPECT_EQ(demangle("_ZN1a5b\x1b[mcE"), "a::b\\x1b[mc");
}

TEST(Printable, AStreamKeepsLinesAndCharacters) {
  std::string Text;
  {
    llvm::raw_string_ostream Stream(Text);
    PrintableStream OS(Stream);
    OS.SetUnbuffered();
    OS << "a\tb\n" << '\xe2' << '\x82' << '\xac' << '\x1b' << "[m" << '\xe2';
  }
  EXPECT_EQ(Text, "a\tb\n\xe2\x82\xac\\x1b[m\\xe2");
}

TEST(QuoteForShell, OnlyWhatAShellWouldObey) {
  EXPECT_EQ(quoteForShell("--place=.bss=1"), "--place=.bss=1");
  EXPECT_EQ(quoteForShell(""), "''");
  EXPECT_EQ(quoteForShell("a b$c`d`"), "'a b$c`d`'");
  EXPECT_EQ(quoteForShell("it's"), "'it'\\''s'");
  EXPECT_EQ(quoteCommand(
                {std::string("sh"), std::string("-c"), std::string("echo *")}),
            "sh -c 'echo *'");
}

/// The sanitizers' build is the one that checks what comments claim.
TEST(Build, HasAssertionsWithSanitizers) {
#if __has_feature(address_sanitizer) && defined(NDEBUG)
  FAIL() << "assert() is compiled away";
#endif
}

} // namespace
