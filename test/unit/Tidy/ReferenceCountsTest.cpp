// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of counts and of functions that count.

#include "Analysis/Names/ReferenceCounts.h"
#include "gtest/gtest.h"

namespace linesman::tidy {
namespace {

TEST(ReferenceCounts, NamesOfCounts) {
  for (const char *Name : {"refs", "ref_count", "m_refCount", "_M_refcount",
                           "refcnt", "use_count", "rc", "nrefs", "ref_"})
    EXPECT_TRUE(isReferenceCountName(Name)) << Name;
  for (const char *Name : {"refresh", "length", "count", "hits", "arc_length",
                           "prefix", "uses", "back_reference"})
    EXPECT_FALSE(isReferenceCountName(Name)) << Name;
}

TEST(ReferenceCounts, NamesOfFunctions) {
  for (const char *Name : {"ref", "AddRef", "unref", "deref", "obj_incref",
                           "intrusive_ptr_add_ref", "intrusive_ptr_release",
                           "Release", "retain", "g_object_ref", "incRef"})
    EXPECT_TRUE(isReferenceCountingName(Name)) << Name;
  for (const char *Name :
       {"refresh", "release", "reference", "reset", "get", "prefer"})
    EXPECT_FALSE(isReferenceCountingName(Name)) << Name;
}

} // namespace
} // namespace linesman::tidy
