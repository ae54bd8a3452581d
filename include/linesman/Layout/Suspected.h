// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finding on the first rung: the source has the shape of a hazard. It has no
// address yet; later rungs find it again by its identity.

#ifndef LINESMAN_LAYOUT_SUSPECTED_H
#define LINESMAN_LAYOUT_SUSPECTED_H

#include "linesman/Layout/Kinds.h"
#include <string>
#include <vector>

namespace linesman::layout {

enum class SubjectKind : uint8_t {
  Unknown,
  Variable,
  Field,
  Type,
  Function,
  Macro
};

/// Whole lines of a file and what they become, without the last line's end.
struct SourceEdit {
  /// "file.cpp:30", the first line.
  std::string Source;
  std::string Before, After;
};

struct SuspectedFinding {
  /// "store::Node::nil_root" for an object, "Cache::hits" for a field of a
  /// type: the pattern's name, without template arguments.
  std::string Id;
  /// What Id names; unknown where Id is the source.
  SubjectKind Subject = SubjectKind::Unknown;
  /// Of a variable, the field that is accessed ("Node::back"); or empty.
  std::string Field;
  /// The neighbour on its line that the check means; or empty.
  std::string Neighbour;
  /// The clang-tidy check that reported it.
  std::string Check;
  std::string Message;
  /// "file.cpp:30": where the object is accessed.
  std::string Source;
  /// Who accesses it there; empty where the report does not say.
  std::string Function;
  SharingKind Kind = SharingKind::True;
  RemedyKind Cure = RemedyKind::Guard;
  struct Note {
    std::string Message;
    std::string Source;
  };
  std::vector<Note> Notes;
  /// What the check would change; none where it knows no cure, or where the
  /// source was not there to read.
  std::vector<SourceEdit> Fix;
};

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_SUSPECTED_H
