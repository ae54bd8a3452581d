// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a session says about one line, with names in place of numbers: the model
// of the report. Text:
//
//     nil_root: mixed sharing (confirmed)
//     line 0x404080 of prog, 64 bytes, 3 threads
//
//       word        0           24
//                   nil_root    log_level
//       shard-1     W≥120       R≥130
//       shard-2     W≥110       R≥130
//
//       0  W  unlink(Node*) tree.cpp:30 < shard() tree.cpp:70

#ifndef LINESMAN_WATCH_OBSERVATION_H
#define LINESMAN_WATCH_OBSERVATION_H

#include "linesman/Process/Ids.h"
#include "linesman/Watch/Session.h"
#include "linesman/Watch/SiteNames.h"
#include "linesman/Watch/Symbols.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <optional>

namespace linesman::watch {

/// An instruction with its name.
struct NamedSite {
  SiteName Name;
  AccessKind Kind;
  uint64_t Count = 0;
};

struct NamedAccess {
  process::ThreadId Thread;
  std::string ThreadName;
  uint64_t Reads = 0;
  uint64_t Writes = 0;
  bool Ceiling = false;
  std::vector<NamedSite> Sites;
};

struct NamedField {
  ByteRange Bytes;
  /// As in Field.
  bool IsExact = true;
  /// "nil_root+8", or "" where no symbol is.
  std::string Label;
  std::vector<NamedAccess> Accesses;
};

struct Observation {
  /// What the user asked for.
  std::string Subject;
  /// Of the line: link-time where it is in a module, otherwise run-time.
  uint64_t Address = 0;
  /// The module, or "" for heap, stack and other memory.
  std::string Binary;
  unsigned LineSize = layout::LineSize().Bytes;
  std::vector<NamedField> Fields;
  Verdict Says = Verdict::NotSeen;
  /// Other processes may have the memory as well.
  bool IsShared = false;
  /// What the verdict makes of a finding.
  Outcome Means = Outcome::NotSeen;
  /// Of a watch, not of a record: the probabilities that it stands on.
  std::optional<Certainty> Absent;
  std::map<process::ThreadId, std::string> ThreadNames;
  /// What helps where nothing certain can be said; "" elsewhere.
  std::string Advice;
};

/// Names everything in \p Line, a line of \p Session.
Observation describe(llvm::StringRef Subject, const LineResult &Line,
                     const SessionResult &Session, ProcessSymbols &Symbols,
                     SiteNames &Sites);

/// The picture of one line.
void writeText(const Observation &O, llvm::raw_ostream &OS);

} // namespace linesman::watch

#endif // LINESMAN_WATCH_OBSERVATION_H
