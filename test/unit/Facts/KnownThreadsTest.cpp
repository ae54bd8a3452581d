// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Facts/KnownThreads.h"
#include "gtest/gtest.h"

using namespace linesman;

namespace {

TEST(KnownThreads, SleepByAnyName) {
  for (const char *Name :
       {"sleep", "usleep", "clock_nanosleep", "g_usleep", "DS_Sleep",
        "SDL_Delay", "thread_sleep_for", "_ZN7QThread6msleepEm",
        "_ZNSt11this_thread9sleep_forIlSt5ratioILl1ELl1000EEEEvv"})
    EXPECT_TRUE(facts::waitsForTime(Name)) << Name;
}

TEST(KnownThreads, NamesAboutSleepDoNotSleep) {
  for (const char *Name :
       {"", "set_sleep", "getSleep", "is_asleep", "might_sleep", "can_sleep",
        "sleep_list_next", "sleeper", "_ZN4Node8setSleepEm"})
    EXPECT_FALSE(facts::waitsForTime(Name)) << Name;
}

} // namespace
