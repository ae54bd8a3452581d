// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The glossary's words for the values that every format prints.

#include "linesman/Report/Report.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

StringRef word(Rung Reached) {
  switch (Reached) {
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

StringRef word(Sign Meeting) {
  switch (Meeting) {
  case Sign::None:
    return "nothing";
  case Sign::OwnLines:
    return "own-lines";
  case Sign::Seldom:
    return "seldom";
  case Sign::MostlyRead:
    return "mostly-read";
  case Sign::Nameless:
    return "nameless";
  case Sign::Library:
    return "library";
  case Sign::Threads:
    return "threads";
  case Sign::StandIn:
    return "stand-in";
  case Sign::Lock:
    return "lock";
  case Sign::Atomic:
    return "atomic";
  case Sign::Facts:
    return "facts";
  }
  llvm_unreachable("unknown sign");
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

StringRef word(SectionKind Kind) {
  switch (Kind) {
  case SectionKind::Data:
    return "data";
  case SectionKind::Relro:
    return "relro";
  case SectionKind::Tls:
    return "tls";
  case SectionKind::PerCpu:
    return "percpu";
  case SectionKind::StartUp:
    return "startup";
  }
  llvm_unreachable("unknown section kind");
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

StringRef word(SubjectKind Kind) {
  switch (Kind) {
  case SubjectKind::Unknown:
    return "unknown";
  case SubjectKind::Variable:
    return "variable";
  case SubjectKind::Field:
    return "field";
  case SubjectKind::Type:
    return "type";
  case SubjectKind::Function:
    return "function";
  case SubjectKind::Macro:
    return "macro";
  }
  llvm_unreachable("unknown kind of subject");
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

StringRef word(RoleKind RunBy) {
  switch (RunBy) {
  case RoleKind::StartUp:
    return "start-up";
  case RoleKind::Concurrent:
    return "concurrent";
  case RoleKind::Thread:
    return "thread";
  case RoleKind::Main:
    return "main";
  case RoleKind::Unknown:
    return "unknown";
  case RoleKind::Outside:
    return "outside";
  }
  llvm_unreachable("unknown kind of role");
}

StringRef word(Instances Count) {
  switch (Count) {
  case Instances::One:
    return "one";
  case Instances::Many:
    return "many";
  }
  llvm_unreachable("unknown number of instances");
}

} // namespace linesman::report
