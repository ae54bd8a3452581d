// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finding of any command as one type, with everything that schema 1 has of
// it. A command describes what it found as such; formats, merging, baselines
// and gates know findings and no command.
//
//     checks             ──┐
//     variables, fields  ──┤              ┌─▶ writeFinding ─▶ JSON ─┐
//     watch, record      ──┼─▶ Finding ───┤                         │
//     bisect, hunt       ──┘      ▲       └─▶ text, SARIF, Markdown │
//                                 └────────────── readFinding ◀─────┘

#ifndef LINESMAN_REPORT_FINDING_H
#define LINESMAN_REPORT_FINDING_H

#include "linesman/Layout/Finding.h"
#include "linesman/Layout/Kinds.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace linesman::report {

/// A place in the source, as the report has it.
struct SourcePlace {
  /// Where nothing knows the source, the address of an instruction: "0x4010".
  std::string File;
  /// From 1; 0 where it is not known.
  uint32_t Line = 0;

  /// Whether it is in the source.
  explicit operator bool() const {
    return !File.empty() && !llvm::StringRef(File).starts_with("0x");
  }
  friend bool operator==(const SourcePlace &, const SourcePlace &) = default;
};

/// Of "folder/file.cpp:30".
SourcePlace parsePlace(llvm::StringRef Text);
/// The reverse: "folder/file.cpp:30", or without a line "folder/file.cpp".
std::string placeText(const SourcePlace &Place);

/// Code that touches an occupant.
struct FindingSite {
  std::string Function;
  SourcePlace Place;
  /// Of machine code.
  std::optional<uint64_t> Instruction;
  struct Frame {
    std::string Function;
    SourcePlace Place;
  };
  /// The calls that the site was inlined into, from the inside out.
  std::vector<Frame> InlinedInto;
  /// The way on which the address came, for people; empty where the code names
  /// the object. And where it was handed on.
  std::string Way;
  SourcePlace HandedOn;
  bool IsMay = false;
  /// "read", "write", "atomic"; empty where nobody says.
  std::string Access;
  /// Members of the object.
  std::vector<std::string> Touches;
  std::optional<double> Weight;
  /// "start-up", "concurrent"; empty where nobody says.
  std::string Role;
  /// Who runs it; nothing where threads are not known.
  std::optional<std::vector<std::string>> Roles;

  bool isStartUp() const { return Role == "start-up"; }
};

/// A member of an object on the line.
struct FindingMember {
  std::string Path;
  uint64_t Address = 0, Size = 0;
  /// Of a bit-field; without one, Bits is 0.
  std::optional<uint64_t> FirstBit;
  uint64_t Bits = 0;
  double Reads = 0, Writes = 0, Atomics = 0;
};

/// An array that is touched.
struct FindingArray {
  std::string Path;
  uint64_t Elements = 0, Stride = 0;
  /// Elements a line.
  double PerLine = 0;
};

/// The object that an occupant is a part of.
struct FindingObject {
  uint64_t Address = 0, Size = 0;
  std::string File;
  /// "anonymous", "startup-file", "copy-relocation"; empty for others.
  std::string Origin;
  std::vector<std::string> Aliases;
};

/// A part of the line: an object, a field, or what is no object ("[hole]").
struct FindingOccupant : layout::AccessWeights {
  /// The linker's name; empty where the report is of no binary.
  std::string Symbol;
  std::string Name;
  /// Its first byte: of variables its address, of fields where it is in the
  /// object. Neither is known for findings of checks.
  std::optional<uint64_t> Address;
  std::optional<int64_t> Offset;
  std::string Member;
  uint64_t Size = 0;
  std::optional<FindingObject> Object;
  SourcePlace Defined;
  /// Whether the weights are known.
  bool HasWeights = false;
  /// Roles; nothing where threads are not known.
  std::optional<std::vector<std::string>> WrittenBy, ReadBy;
  /// Nothing without debug information.
  std::optional<std::vector<FindingMember>> Members;
  std::vector<FindingArray> Arrays;
  std::vector<FindingSite> Sites;
  /// In a list of lines: its sites are those of the occupant at this address,
  /// on an earlier line of the same object, and are not repeated.
  std::optional<uint64_t> SitesAs;
  /// Sites that are not in the report.
  uint64_t MoreSites = 0;

  bool isObject() const { return !llvm::StringRef(Name).starts_with("["); }
  bool isUsed() const { return Reads > 0 || Writes > 0 || Atomics > 0; }
};

/// Where the line is: at an address of the file that was linked, or in each
/// object of a type.
struct FindingLine {
  std::optional<uint64_t> Address;
  std::string Section;
  std::optional<uint64_t> Page;
  /// From the object's first byte; the line may begin before it.
  std::optional<int64_t> Offset;
};

/// A page that was moved.
struct FindingPage {
  std::string Module;
  uint64_t Address = 0, Size = 0;
};

/// What a finding is about: one of three.
struct VariableSubject {
  std::optional<FindingLine> Line;
  /// Lines that are one finding with this one.
  uint64_t LikeLines = 0;
  /// What says that threads meet; the lock that costs most is behind.
  std::string MeetBy, BehindLock;
  /// Of bisect.
  std::optional<FindingPage> Page;
};
struct FieldSubject {
  std::string Member;
  std::string Type;
  uint64_t Size = 0, Alignment = 0;
  SourcePlace Defined;
  bool IsSynchronised = false, IsArray = false;
  /// The group of members that it is in (layout::FieldHazard).
  std::string Group;
  bool BreaksGroup = false;
  /// The field that it costs most with, and at how many of the object's phases
  /// the two are on one line.
  uint64_t Phases = 0;
  std::string Partner;
  uint64_t SharedPhases = 0;
  std::optional<FindingLine> Line;
};
/// The source has the shape of a hazard, and nothing else is known.
struct SourceSubject {};
using FindingSubject =
    std::variant<VariableSubject, FieldSubject, SourceSubject>;

/// What a check says. A finding of something else has it as well, where a check
/// names the same thing.
struct FindingSuspicion {
  std::string Check, Message;
  /// "variable", "field", ...; empty where the identity is the source.
  std::string Subject;
  /// Of a variable, the field that is accessed; and the neighbour that is
  /// meant.
  std::string Field, Neighbour;
};

/// How a score comes about.
struct FindingScore {
  double SameBytes = 0, OtherObjects = 0, SameObject = 0;
};

struct FindingRemedy {
  std::string Kind, Text;
  /// To be moved.
  std::vector<std::string> Symbols;
};

/// Whole lines of a file and what they become, without the last line's end.
struct FindingEdit {
  /// The first line.
  SourcePlace Place;
  std::string Before, After;
  friend bool operator==(const FindingEdit &, const FindingEdit &) = default;
};

/// What one list or report says of it.
struct FindingEvidence {
  std::string Source;
  layout::Rung Reached = layout::Rung::Suspected;
  /// From 1.
  uint64_t Rank = 0;
  /// What it calls the finding.
  std::string Id;
  std::string Kind;
  std::optional<double> Score;
  std::string Check, Message;
  SourcePlace Place;
};

/// What a run measured.
struct FindingCost {
  std::string Metric;
  double Before = 0, After = 0;
  std::optional<double> Local, Alone, Explains, Posterior;
  double P = 1;
  uint64_t Windows = 0;
  bool IsSimulated = false;
  /// Of the metric after to before, with a 95 % interval.
  struct Interval {
    double Median = 0, Low = 0, High = 0;
  };
  std::optional<Interval> Ratio;
};

/// What a thread did to a word.
struct ObservedAccess {
  int64_t Thread = 0;
  std::string ThreadName;
  uint64_t Reads = 0, Writes = 0;
  /// The counts are lower bounds.
  bool IsCeiling = false;
  std::vector<SourcePlace> Sites;
};

struct ObservedWord {
  int64_t Offset = 0;
  uint64_t Size = 0;
  /// Else some bytes of these.
  bool IsExact = false;
  std::string Label;
  std::vector<ObservedAccess> Accesses;
};

/// How surely an access would have been seen.
struct ObservedAbsence {
  /// "store" or "access".
  std::string Absent;
  double EveryMs = 0, Missed = 0, Significance = 0, UnmetMs = 0;
  struct Thread {
    int64_t Number = 0;
    std::string Name, Part;
    double RanMs = 0, ArmedMs = 0;
    uint64_t Windows = 0;
    double Missed = 0;
  };
  std::vector<Thread> Threads;
  std::optional<double> RarestEveryMs;
  std::optional<int64_t> WeakestThread;
};

/// What a shared line is expected to cost before it is moved.
struct FindingPrice {
  struct Range {
    double Low = 0;
    /// Nothing where there is no bound.
    std::optional<double> High;
  };
  /// A second; and of the time for which the threads run.
  Range Transfers, Share;
  double TransferNs = 0;
  uint64_t Threads = 0;
};

/// Who was seen at the line.
struct FindingObservation {
  std::vector<ObservedWord> Words;
  std::string Verdict, Outcome;
  std::optional<ObservedAbsence> Absence;
  std::string Advice;
  /// Threads that came to the code of a type's member, where each had objects
  /// of its own, and the one that was watched is a single thread's; else 0.
  uint64_t ThreadsApart = 0;
  std::optional<FindingPrice> Price;
  /// Of a shared line, why it has none.
  std::string Unpriced;

  bool hasAccesses() const;
};

/// The heap block that a line is in.
struct FindingAllocation {
  uint64_t Size = 0, Freed = 0;
  std::vector<std::string> Stack;
};

/// A program of a scan that has it.
struct FindingFile {
  /// Empty where it is in none.
  std::string Package;
  std::string Path;
};

/// Against a baseline.
enum class FindingState : uint8_t { NotCompared, New, Worse, Better, Same };

struct Finding {
  std::string Id;
  layout::Rung Reached = layout::Rung::Suspected;
  /// A glossary's word; empty where nobody knows.
  std::string Kind;
  /// Nothing where it was only watched.
  std::optional<double> Score;
  std::optional<FindingScore> Parts;
  std::optional<FindingSuspicion> Suspicion;
  FindingSubject About = VariableSubject();
  /// One character a byte; empty where there is no line.
  std::string Marks;
  std::vector<FindingOccupant> Occupants;
  std::optional<FindingRemedy> Remedy;
  /// What checks would change in the source; no two of the same line.
  std::vector<FindingEdit> Fix;
  struct Note {
    std::string Message;
    SourcePlace Place;
  };
  std::vector<Note> Notes;
  std::optional<FindingObservation> Seen;
  std::optional<FindingCost> Cost;
  std::optional<FindingAllocation> Allocation;
  std::vector<FindingEvidence> Evidence;
  /// Of a scan: the highest score comes first.
  std::vector<FindingFile> Files;
  std::string Remark;
  /// What facts say against it.
  std::string Contradicted;
  /// Keys that this version does not know: a report goes on as it came.
  llvm::json::Object Unknown;

  /// A row of a baseline: Id is the key.
  bool IsAccepted = false;
  /// Of such a row: in how many source files checks named it.
  unsigned AcceptedFiles = 1;
  /// Of such a row: the file that defines it, without folders.
  std::string AcceptedSource;
  /// Of such a row: identities of who else is touched on the lines.
  std::vector<std::string> AcceptedMates;
  FindingState State = FindingState::NotCompared;
  /// What it was, where State says that it changed.
  double OldScore = 0;

  double score() const { return Score.value_or(0); }
  /// Whether a check is among those who say it.
  bool hasCheck() const;
  bool isRefuted() const { return Seen && Seen->Outcome == "refuted"; }
  /// The check, where it is about the source; else null.
  const FindingSuspicion *check() const {
    return std::holds_alternative<SourceSubject>(About) && Suspicion
               ? &*Suspicion
               : nullptr;
  }
  const VariableSubject *variable() const {
    return std::get_if<VariableSubject>(&About);
  }
  const FieldSubject *field() const {
    return std::get_if<FieldSubject>(&About);
  }
  /// The line, where one is known; else null.
  const FindingLine *line() const;
  /// From the line's first byte to that of \p Occupant, one of Occupants;
  /// nothing for findings of checks.
  std::optional<int64_t> offsetOf(const FindingOccupant &Occupant) const;
  /// "kind: text", or "" without a remedy's text.
  std::string remedyText() const;
};

/// One finding of schema 1; fails without id or rung. What has another type
/// than it should have is not there.
llvm::Expected<Finding> readFinding(const llvm::json::Object &Source);
/// The reverse, with the keys in the order of docs/design.md.
void writeFinding(const Finding &Written, llvm::json::OStream &Json);
/// The same as a value, which has no order of keys.
llvm::json::Object toJson(const Finding &Written);
llvm::json::Object toJson(const FindingObservation &Seen);
/// One of Finding::Occupants.
void writeOccupant(const FindingOccupant &Written, llvm::json::OStream &Json);
/// The keys of FindingLine.
void writeLine(const FindingLine &Written, llvm::json::OStream &Json);

} // namespace linesman::report

#endif // LINESMAN_REPORT_FINDING_H
