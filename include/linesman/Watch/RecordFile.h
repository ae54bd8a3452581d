// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the record runtime (lib/Record) wrote, as matrices: the same verdict,
// the same names and the same picture as for a watched line.

#ifndef LINESMAN_WATCH_RECORDFILE_H
#define LINESMAN_WATCH_RECORDFILE_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Ids.h"
#include "linesman/Process/Modules.h"
#include "linesman/Watch/Session.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace linesman::watch {

/// A heap block.
struct HeapBlock {
  process::RunAddress Begin;
  uint64_t Size = 0;
  /// Calls that allocated it, the innermost first.
  std::vector<process::RunAddress> Stack;
};

struct RecordedLine {
  LineResult Line;
  std::optional<HeapBlock> Block;
  /// How many blocks of this place in the code were freed with such a line; 0
  /// for a line that was in use at the end.
  uint64_t Freed = 0;
  /// How often its threads can have met at most: of each pair, the smaller of
  /// the one's writes and the other's accesses. It ranks.
  uint64_t Meetings = 0;
};

/// Two lines that share nothing today and would if they were one.
struct Prediction {
  enum class Cause : uint8_t {
    /// Lines of 128 bytes (or a prefetcher that takes pairs of lines).
    LongerLines,
    /// The same objects, moved by a few words.
    Placement
  };
  Cause Reason = Cause::LongerLines;
  /// Indices into Record::Lines, neighbours in memory.
  size_t First = 0, Second = 0;
  /// With Placement: the smallest move that does it, in bytes.
  unsigned Shift = 0;
};

/// What the runtime had to leave out.
struct LostCount {
  std::string Subject;
  uint64_t Count = 0;
};

struct Record {
  /// Most meetings first, then by address.
  std::vector<RecordedLine> Lines;
  std::vector<Prediction> Predictions;
  std::vector<LostCount> Lost;
  process::ModuleMap Modules;
  std::map<process::ThreadId, std::string> ThreadNames;
};

/// Parses a record; \p Program is the path of the recorded program. Fails on a
/// file that is none or that is cut off.
llvm::Expected<Record> parseRecord(llvm::StringRef Text,
                                   llvm::StringRef Program);

} // namespace linesman::watch

#endif // LINESMAN_WATCH_RECORDFILE_H
