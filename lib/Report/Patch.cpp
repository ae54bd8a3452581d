// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of whole lines to hunks of a unified diff.

#include "linesman/Report/Patch.h"
#include "linesman/Guard/Document.h"
#include "linesman/Report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace llvm;

namespace linesman::report {

/// Unchanged lines around a change, as diff and git have them.
static constexpr size_t Context = 3;

namespace {

SmallVector<StringRef> linesOf(StringRef Text) {
  SmallVector<StringRef> Lines;
  Text.split(Lines, '\n');
  return Lines;
}

/// From 0, and the one behind the last.
struct LineSpan {
  size_t Begin, End;
};

LineSpan spanOf(const FindingEdit &Edit) {
  size_t Begin = Edit.Place.Line - 1;
  return {Begin, Begin + StringRef(Edit.Before).count('\n') + 1};
}

bool isForSameLine(const FindingEdit &A, const FindingEdit &B) {
  LineSpan First = spanOf(A), Second = spanOf(B);
  return A.Place.File == B.Place.File && First.Begin < Second.End &&
         Second.Begin < First.End;
}

/// One file's part of the patch.
class FilePatch {
public:
  FilePatch(StringRef Text, std::vector<FindingEdit> Edits)
      : Lines(linesOf(Text)) {
    // What is behind the last end of a line is no line.
    if (Lines.back().empty())
      Lines.pop_back();
    else
      IsLastOpen = true;
    llvm::sort(Edits, [](const FindingEdit &A, const FindingEdit &B) {
      return A.Place.Line < B.Place.Line;
    });
    for (FindingEdit &Edit : Edits)
      if (FindingEdit *Last =
              this->Edits.empty() ? nullptr : &this->Edits.back();
          Last && spanOf(*Last).End == spanOf(Edit).Begin) {
        Last->Before += "\n" + Edit.Before;
        Last->After += "\n" + Edit.After;
      } else {
        this->Edits.push_back(std::move(Edit));
      }
  }

  /// An edit whose lines are not there; null where all are.
  const FindingEdit *mismatch() const {
    for (const FindingEdit &Edit : Edits) {
      auto [Begin, End] = spanOf(Edit);
      if (!Edit.Place.Line || End > Lines.size() ||
          join(ArrayRef(Lines).slice(Begin, End - Begin), "\n") != Edit.Before)
        return &Edit;
    }
    return nullptr;
  }

  void write(raw_ostream &OS) const {
    assert(std::adjacent_find(Edits.begin(), Edits.end(),
                              [](const FindingEdit &A, const FindingEdit &B) {
                                return spanOf(A).End >= spanOf(B).Begin;
                              }) == Edits.end() &&
           "in the order of the file, with lines between them");
    ArrayRef<FindingEdit> Rest = Edits;
    // Lines that the hunks before have added.
    int64_t Added = 0;
    while (!Rest.empty()) {
      size_t Count = 1;
      while (Count != Rest.size() &&
             spanOf(Rest[Count]).Begin <=
                 spanOf(Rest[Count - 1]).End + 2 * Context)
        ++Count;
      Added += writeHunk(Rest.take_front(Count), Added, OS);
      Rest = Rest.drop_front(Count);
    }
  }

private:
  SmallVector<StringRef> Lines;
  /// In the order of the file, none right behind another one.
  std::vector<FindingEdit> Edits;
  bool IsLastOpen = false;

  /// Returns how many lines more there are then.
  int64_t writeHunk(ArrayRef<FindingEdit> Some, int64_t Added,
                    raw_ostream &OS) const {
    size_t Begin = spanOf(Some.front()).Begin;
    Begin -= std::min(Begin, Context);
    size_t End = std::min(spanOf(Some.back()).End + Context, Lines.size());
    int64_t More = 0;
    for (const FindingEdit &Edit : Some)
      More += int64_t(StringRef(Edit.After).count('\n')) -
              int64_t(StringRef(Edit.Before).count('\n'));
    OS << formatv("@@ -{0},{1} +{2},{3} @@\n", Begin + 1, End - Begin,
                  int64_t(Begin) + 1 + Added, int64_t(End - Begin) + More);
    size_t Next = Begin;
    for (const FindingEdit &Edit : Some) {
      auto [First, Last] = spanOf(Edit);
      writeLines(' ', ArrayRef(Lines).slice(Next, First - Next), First, OS);
      writeLines('-', linesOf(Edit.Before), Last, OS);
      writeLines('+', linesOf(Edit.After), Last, OS);
      Next = Last;
    }
    writeLines(' ', ArrayRef(Lines).slice(Next, End - Next), End, OS);
    return More;
  }

  /// \p End is the line of the file behind them.
  void writeLines(char Mark, ArrayRef<StringRef> Some, size_t End,
                  raw_ostream &OS) const {
    for (StringRef Line : Some)
      OS << Mark << Line << '\n';
    if (!Some.empty() && IsLastOpen && End == Lines.size())
      OS << "\\ No newline at end of file\n";
  }
};

} // namespace

bool addFix(ArrayRef<FindingEdit> Fix, std::vector<FindingEdit> &Fixes) {
  std::vector<FindingEdit> More;
  for (const FindingEdit &Edit : Fix) {
    if (is_contained(Fixes, Edit))
      continue;
    if (any_of(Fixes, [&](const FindingEdit &Known) {
          return isForSameLine(Edit, Known);
        }))
      return false;
    More.push_back(Edit);
  }
  append_range(Fixes, More);
  return true;
}

void writeEdit(const FindingEdit &Edit, raw_ostream &OS) {
  for (StringRef Line : linesOf(Edit.Before))
    OS << '-' << Line << '\n';
  for (StringRef Line : linesOf(Edit.After))
    OS << '+' << Line << '\n';
}

Error writePatch(const Document &Report, const SourceRoot &Tree,
                 raw_ostream &OS) {
  std::vector<FindingEdit> All;
  for (const Finding &F : Report.Findings) {
    if (F.Fix.empty())
      continue;
    bool IsAdded = addFix(F.Fix, All);
    OS << F.Id << ": " << summarize(F)
       << (IsAdded ? "" : "; left out, as another fix changes the same line")
       << '\n';
  }
  std::map<std::string, std::vector<FindingEdit>> Files;
  for (FindingEdit &Edit : All)
    Files[Edit.Place.File].push_back(std::move(Edit));
  for (auto &[File, Edits] : Files) {
    std::string Path = Tree.whole(File);
    Expected<std::unique_ptr<MemoryBuffer>> Text = guard::readDocument(Path);
    if (!Text)
      return Text.takeError();
    FilePatch Patch((*Text)->getBuffer(), std::move(Edits));
    if (const FindingEdit *Other = Patch.mismatch())
      return createFileError(
          Path, createStringError("line " + Twine(Other->Place.Line) +
                                  " is not what the checks have seen; run "
                                  "them again"));
    std::string Shown = Tree.relative(Path);
    StringRef Name = StringRef(Shown).ltrim('/');
    OS << "\n--- a/" << Name << "\n+++ b/" << Name << '\n';
    Patch.write(OS);
  }
  return Error::success();
}

} // namespace linesman::report
