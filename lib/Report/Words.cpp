// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The glossary's words for the values that every format prints.

#include "linesman/Report/Report.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

StringRef word(Rung At) {
  switch (At) {
  case Rung::Suspected:
    return "suspected";
  case Rung::Located:
    return "located";
  case Rung::Observed:
    return "observed";
  case Rung::Costed:
    return "costed";
  }
  llvm_unreachable("unknown rung");
}

StringRef word(SharingKind Kind) {
  switch (Kind) {
  case SharingKind::True:
    return "true-sharing";
  case SharingKind::False:
    return "false-sharing";
  case SharingKind::Mixed:
    return "mixed";
  }
  llvm_unreachable("unknown sharing kind");
}

StringRef word(RemedyKind Kind) {
  switch (Kind) {
  case RemedyKind::Isolate:
    return "isolate";
  case RemedyKind::Group:
    return "group";
  case RemedyKind::Guard:
    return "guard";
  case RemedyKind::PerThread:
    return "per-thread";
  case RemedyKind::AlignAs:
    return "alignas";
  }
  llvm_unreachable("unknown remedy kind");
}

StringRef word(facts::AccessKind Kind) {
  switch (Kind) {
  case facts::AccessKind::Read:
    return "read";
  case facts::AccessKind::Write:
    return "write";
  case facts::AccessKind::Atomic:
    return "atomic";
  }
  llvm_unreachable("unknown access kind");
}

StringRef word(Role RunBy) {
  switch (RunBy) {
  case Role::StartUp:
    return "start-up";
  case Role::Concurrent:
    return "concurrent";
  }
  llvm_unreachable("unknown role");
}

} // namespace linesman::report
