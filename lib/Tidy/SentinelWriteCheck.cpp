// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SentinelWriteCheck.h"

using namespace clang;

namespace linesman::tidy {

void SentinelWriteCheck::checkUnit(ASTContext &) {}

} // namespace linesman::tidy
