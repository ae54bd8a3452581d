// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A report of any command as one type: what SARIF, GitLab, Markdown, baselines
// and gates work on. They know findings and no command.
//
//     layout ──┐                      ┌─▶ writeSarif
//     findings ┼─▶ schema 1 ─▶ Document ─▶ writeGitLab, writeMarkdown
//     watch ───┘   (JSON)             └─▶ compare (baselines)

#ifndef LINESMAN_REPORT_DOCUMENT_H
#define LINESMAN_REPORT_DOCUMENT_H

#include "linesman/Layout/Kinds.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace linesman::report {

/// A place in the source, as the report has it.
struct SourcePlace {
  std::string File;
  /// From 1; 0 where it is not known.
  uint32_t Line = 0;

  explicit operator bool() const { return !File.empty(); }
  friend bool operator==(const SourcePlace &, const SourcePlace &) = default;
};

/// Of "folder/file.cpp:30"; nothing of an instruction's address.
SourcePlace parsePlace(llvm::StringRef Text);

/// Code that touches an occupant.
struct FindingSite {
  std::string Function;
  SourcePlace At;
  /// "read", "write", "atomic"; empty where nobody says.
  std::string Access;
  double Weight = 0;
  /// The way on which the address came, for people; empty where the code names
  /// the object. And where it was handed on.
  std::string Through;
  SourcePlace HandedOn;
  bool IsMay = false, IsStartUp = false;
  struct Frame {
    std::string Function;
    SourcePlace At;
  };
  /// The calls that the site was inlined into, from the inside out.
  std::vector<Frame> InlinedInto;
};

/// A part of the line: an object, a field, or what is no object ("[hole]").
struct FindingOccupant {
  std::string Name;
  /// From the line's first byte; not known for findings of checks.
  std::optional<int64_t> Offset;
  uint64_t Size = 0;
  SourcePlace Defined;
  double Reads = 0, Writes = 0, Atomics = 0;
  std::vector<FindingSite> Sites;

  bool isObject() const { return !llvm::StringRef(Name).starts_with("["); }
  bool isUsed() const { return Reads > 0 || Writes > 0 || Atomics > 0; }
};

/// What a finding is about: one of three.
struct VariableSubject {
  /// Of the line, in the file that was linked.
  uint64_t Address = 0;
  std::string Section;
};
struct FieldSubject {
  std::string Type, Member, Partner;
  uint64_t Size = 0;
  SourcePlace Defined;
};
struct SourceSubject {
  std::string Check, Message;
};
using FindingSubject =
    std::variant<VariableSubject, FieldSubject, SourceSubject>;

/// What one list or report says of it.
struct FindingEvidence {
  std::string From;
  layout::Rung On = layout::Rung::Suspected;
  std::string Check, Message;
  double Score = 0;
  SourcePlace At;
  /// What it calls the finding.
  std::string Id;
};

/// What a run measured.
struct FindingCost {
  std::string Metric;
  double Before = 0, After = 0, Explains = 0, Posterior = 0, P = 0;
  int64_t Windows = 0;
  bool IsSimulated = false;
};

/// Who was seen at the line.
struct FindingObservation {
  std::string Verdict, Outcome;
  struct Access {
    int64_t Offset = 0;
    std::string Thread;
    int64_t Reads = 0, Writes = 0;
    std::vector<SourcePlace> Sites;
  };
  std::vector<Access> Accesses;
};

/// Against a baseline.
enum class FindingState : uint8_t { NotCompared, New, Worse, Better, Same };

struct Finding {
  std::string Id;
  layout::Rung On = layout::Rung::Suspected;
  /// A glossary's word; empty where nobody knows.
  std::string Kind;
  double Score = 0;
  FindingSubject About;
  /// One character a byte; empty where there is no line.
  std::string Marks;
  std::vector<FindingOccupant> Occupants;
  std::string RemedyKind, RemedyText, Remark;
  std::vector<FindingEvidence> Evidence;
  struct Note {
    std::string Message;
    SourcePlace At;
  };
  std::vector<Note> Notes;
  std::optional<FindingObservation> Seen;
  std::optional<FindingCost> Cost;
  /// A row of a baseline: Id is the key.
  bool IsAccepted = false;
  FindingState State = FindingState::NotCompared;
  /// What it was, where State says that it changed.
  double OldScore = 0;

  /// Whether a check is among those who say it.
  bool hasCheck() const;
  bool isRefuted() const { return Seen && Seen->Outcome == "refuted"; }
  /// The check, where it is about the source; else null.
  const SourceSubject *check() const {
    return std::get_if<SourceSubject>(&About);
  }
  const FieldSubject *field() const {
    return std::get_if<FieldSubject>(&About);
  }
};

/// What a comparison with a baseline came to.
struct Comparison {
  size_t New = 0, Worse = 0, Better = 0, Gone = 0;
  /// Identities (Finding::Id) of what is new or worse: what text shows.
  std::set<std::string, std::less<>> Unaccepted;
  double OldTotal = 0, Total = 0;
};

struct Document {
  std::string Command, Binary;
  uint64_t LineSize = 64;
  std::vector<std::string> Notes;
  std::vector<Finding> Findings;
  /// Findings that are not in it: --top, --filter.
  uint64_t Hidden = 0;
  /// Of all findings, also of those that are not in it: line transfers an
  /// operation, at most.
  double TotalScore = 0;
  std::optional<Comparison> Against;
};

/// The beginning of every JSON report.
void writeHead(llvm::StringRef Command, llvm::json::OStream &Json);
/// "total_score", and "against" where there is a baseline.
void writeTotal(double Total, const Comparison *Against,
                llvm::json::OStream &Json);
/// The same for people: "total score 12 (line transfers an operation, at
/// most)", and what changed.
std::string describeTotal(double Total, const Comparison *Against);

/// A report of any command. Fails where it is none of schema 1, or a finding
/// has no id or rung; what else is missing or of another type is left out.
llvm::Expected<Document> readReport(const llvm::json::Value &Root);
/// The same of its text.
llvm::Expected<Document> parseReport(llvm::StringRef Text);

/// One finding; fails without id or rung.
llvm::Expected<Finding> readFinding(const llvm::json::Object &From);

/// Where the cure goes: the definition for what layout cures, and the heaviest
/// write for what code cures; or any place that the finding has. Nothing where
/// it has none.
SourcePlace primaryPlace(const Finding &Of);

/// Every place that a finding names.
std::vector<SourcePlace> placesOf(const Finding &Of);

/// What stays the same when lines of the source or addresses change: the
/// identity, without folders, lines and offsets.
std::string stableKey(const Finding &Of);

/// The finding in a sentence.
std::string summarize(const Finding &Of);

/// Which source tree a report is about: no path of the machine stands in it.
class SourceRoot {
public:
  /// \p Root as the user gave it; empty: the repository that \p Current is in,
  /// or \p Current. "/" keeps paths as they are.
  SourceRoot(llvm::StringRef Root, llvm::StringRef Current);

  /// Below the root, "src/a.cpp". Of what is elsewhere the file's name only.
  std::string relative(llvm::StringRef Path) const;
  void apply(Document &To) const;
  void apply(Finding &To) const;
  /// The same of a JSON report's text, which has one key a line, as
  /// json::OStream writes it: a parsed value would lose the order of the keys.
  std::string apply(llvm::StringRef Json) const;

private:
  std::string Root;
  bool KeepsAll = false;
  std::string relativePlace(llvm::StringRef Text) const;
  std::string relativeEnd(llvm::StringRef Text) const;
  std::string relativeValue(llvm::StringRef Key, llvm::StringRef Text) const;
};

} // namespace linesman::report

#endif // LINESMAN_REPORT_DOCUMENT_H
