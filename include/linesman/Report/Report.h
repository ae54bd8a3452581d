// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout report: a pure function of the analysis and a stream, one file a
// format. Deterministic: no times, no pointers.

#ifndef LINESMAN_REPORT_REPORT_H
#define LINESMAN_REPORT_REPORT_H

#include "linesman/Layout/Finding.h"
#include "linesman/Layout/Frame.h"
#include "linesman/Layout/Members.h"
#include "linesman/Layout/Suspected.h"
#include "linesman/Layout/Types.h"
#include "linesman/Report/Document.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <variant>

namespace linesman::report {

/// How wide text is where no terminal says otherwise.
constexpr size_t PlainColumns = 100;

/// Which lines a report lists beside the findings.
enum class LineList : uint8_t {
  None,
  /// The first ones, as many as findings would be shown.
  First,
  All,
};

/// Where the lines of a report are: at addresses of a linked file,
struct LinkedScene {
  /// Those that are no findings for that.
  layout::GuessedLines Guessed;
};

/// or in objects of types, which have none. The image and the accesses of the
/// report are this scene's.
struct ObjectScene {
  const layout::TypeScene *Types;
};

/// Formats visit the scene, and what each finding is about.
struct LayoutReport {
  /// As the user gave it.
  llvm::StringRef BinaryPath;
  const layout::Image &Image;
  const layout::AccessTable &Accesses;
  const layout::LineMap &Lines;
  const layout::PageMap &Pages;
  /// Ranked, and only those to be shown.
  llvm::ArrayRef<layout::LineFinding> Findings;
  /// Findings that --top or --filter left out.
  uint64_t Hidden = 0;
  /// What the reader of the report must know: missing facts, missing symbols,
  /// what was dropped. Sentences.
  llvm::ArrayRef<std::string> Notes;
  /// The one of them that puts all of the report in question: text says it
  /// before the findings. Empty mostly.
  llvm::StringRef Doubt = {};
  /// Why no gate can judge it, in a sentence; empty where one can.
  std::string Blind = {};
  /// That a finding of this report can stand on at most.
  layout::Rung Reach = layout::Rung::Located;
  std::variant<LinkedScene, ObjectScene> Scene = LinkedScene();
  /// Of all findings, also of those that are hidden.
  double TotalScore = 0;
  /// Findings that a baseline has, which text leaves out.
  uint64_t Accepted = 0;
  /// With a baseline; else null.
  const Comparison *Changes = nullptr;
  LineList List = LineList::None;
  /// Of text; at least 80.
  size_t Columns = PlainColumns;
  /// How many lines LineList::First shows.
  uint64_t FirstLines = 0;
  /// Finds the frames of an instruction, the innermost first. Asked for what is
  /// printed only; may be empty.
  std::function<std::vector<layout::Frame>(layout::LinkAddress)> FindFrames =
      nullptr;
  /// What else tells a function without a name from others: a string that it
  /// loads. Asked for what is printed only; may be empty.
  std::function<std::string(layout::LinkAddress Function)> DescribeFunction =
      nullptr;
  /// The function that the call at an instruction of a function calls; may be
  /// empty, and returns "" for what is no call.
  std::function<std::string(layout::LinkAddress Function,
                            layout::LinkAddress Instruction)>
      FindCallee = nullptr;
  /// Of objects on the lines of the findings; null where nobody asks for
  /// members.
  const layout::ObjectTypes *ObjectTypes = nullptr;
};

/// For a terminal Columns wide.
void writeText(const LayoutReport &Report, llvm::raw_ostream &OS);

/// Schema 1 (docs/design.md).
void writeJson(const LayoutReport &Report, llvm::raw_ostream &OS);

/// One self-contained page that needs no network. \p Json is what writeJson
/// wrote of \p Report. Fails where LLVM cannot compress.
llvm::Error writeHtml(const LayoutReport &Report, llvm::StringRef Json,
                      llvm::raw_ostream &OS);

/// \p Json as a script element of a page may have it: the element ends where
/// "</script" stands, also inside a string, and JSON has another way to write
/// the character.
void writeInScript(llvm::StringRef Json, llvm::raw_ostream &OS);

/// The findings of \p Report, in its order.
std::vector<Finding> describeFindings(const LayoutReport &Report);

/// Findings of checks as such.
std::vector<Finding>
describeFindings(llvm::ArrayRef<layout::SuspectedFinding> Suspected);

/// The words of the glossary.
llvm::StringRef word(layout::Rung Reached);
llvm::StringRef word(layout::Sign Meeting);
llvm::StringRef word(layout::SharingKind Kind);
llvm::StringRef word(layout::SectionKind Kind);
llvm::StringRef word(layout::RemedyKind Kind);
llvm::StringRef word(layout::SubjectKind Kind);
llvm::StringRef word(facts::AccessKind Kind);
llvm::StringRef word(layout::RoleKind RunBy);
llvm::StringRef word(layout::Instances Count);
/// "worker", "main", or "unknown callers".
std::string roleName(const layout::Role &Running);

} // namespace linesman::report

#endif // LINESMAN_REPORT_REPORT_H
