// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finding: an object, the bytes it occupies, and what it shares a cache line
// with. It stands on a rung and never claims one that it has not climbed.

#ifndef LINESMAN_LAYOUT_FINDING_H
#define LINESMAN_LAYOUT_FINDING_H

#include "linesman/Layout/Accesses.h"
#include "linesman/Layout/Kinds.h"
#include "linesman/Layout/LineMap.h"
#include <variant>

namespace linesman::layout {

/// The begin of a remedy for the same bytes, for who says something else in
/// front of it.
inline constexpr llvm::StringLiteral PaddingIsVain = "padding will not help, ";

struct Remedy {
  RemedyKind Kind = RemedyKind::Isolate;
  /// One or two sentences for the reader.
  std::string Text;
  /// The symbols to move, for Isolate and Group: indices into
  /// Image::symbols().
  std::vector<uint32_t> Symbols;
};

/// How many ownership transfers of the line its accesses can force, at most,
/// in units of their weights. It ranks; it is not a cost.
struct Score {
  /// Between accesses of the same bytes.
  double True = 0;
  /// Between different objects of the line.
  double Between = 0;
  /// Between different bytes of one object.
  double Within = 0;

  double falseSharing() const { return Between + Within; }
  double total() const { return True + Between + Within; }
};

/// The part of a score that two objects of a line force between them.
struct ObjectPair {
  /// Indices into Image::symbols(), the smaller first.
  uint32_t A = 0, B = 0;
  double Transfers = 0;
  /// Whether both are written, by one role: who writes one takes the line
  /// anyway, so that keeping them together costs less than two lines.
  enum class Writers : uint8_t { Apart, Together } WrittenBy = Writers::Apart;
};

/// How often memory is accessed, by kind.
struct AccessWeights {
  double Reads = 0, Writes = 0, Atomics = 0;
  /// The part of each that may as well be to another object.
  double PerhapsReads = 0, PerhapsWrites = 0, PerhapsAtomics = 0;

  void add(facts::AccessKind Kind, double Weight, double Perhaps);
  AccessWeights &operator+=(const AccessWeights &Others);
};

/// An occupant as one line sees it. Its weights are of the accesses that can
/// fall on this line and run concurrently.
struct LineOccupant : AccessWeights {
  OccupantIndex Occupant = 0;
  /// Its bytes on this line.
  AddressRange Range;
  /// Null without facts.
  const AccessedObject *Object = nullptr;
};

/// What says that threads meet on a line, the best of it.
enum class Sign : uint8_t {
  /// Nothing, and only machine code tells of it: it is rather one thread's
  /// line, or written once.
  None,
  /// Nothing, and the elements of an array have lines of their own: which one a
  /// thread uses is not known, and rather each has one.
  OwnLines,
  /// One of those below, and the line is used too seldom for a program of so
  /// many functions.
  Seldom,
  /// The same, and the line is read more often than written, mostly by plain
  /// stores: rather a setting, a table or a message.
  MostlyRead,
  /// One of those below, on an object without a name in a Rust program: rather
  /// its standard library's or a crate's.
  Nameless,
  /// The same, on an object of Rust's standard library, or of code in another
  /// language that the Rust program has in it.
  Library,
  /// Known threads run the code on both sides.
  Threads,
  /// Many functions take it in the place of another object.
  StandIn,
  /// Both sides are made while a lock is held.
  Lock,
  /// An atomic operation, or a lock itself.
  Atomic,
  /// A compiler's facts, which know more than this.
  Facts,
};

/// That threads meet is a guess: `--guesses` lists such lines.
inline bool isGuess(Sign Meeting) {
  return Meeting == Sign::None || Meeting == Sign::OwnLines ||
         Meeting == Sign::Seldom || Meeting == Sign::MostlyRead ||
         Meeting == Sign::Nameless || Meeting == Sign::Library;
}

/// What a finding is about: a line at an address of a linked file,
struct VariableHazard {
  /// What says that threads meet here.
  Sign Meeting = Sign::Facts;
  /// Most of the score is between those who hold this lock: the line changes
  /// its owner at most once each time that it is taken. 0 for none.
  uint64_t BehindLock = 0;
};

/// or a written field, in objects at every address that they can have.
struct FieldHazard {
  /// An index into TypeScene::Types.
  uint32_t Type = 0;
  std::string Member;
  /// The field that it costs most with; empty where there is none.
  std::string Partner;
  /// At how many of the object's phases the two are on one line.
  uint64_t Shared = 0, Phases = 1;
  /// The group that the member is in, and whether it is written though the
  /// group's name says that what is in there is read.
  std::string Group;
  bool BreaksGroup = false;
  /// Its atomics or locks say that threads share such objects.
  bool IsSynchronised = false;
  bool IsArray = false;
};

/// A line with a hazard.
struct LineFinding {
  /// The symbol (index into Image::symbols()) whose writes force the most
  /// transfers; with its offset in the line's first byte, where one object has
  /// several findings, it is the finding's identity.
  uint32_t Head = 0;
  std::string Id;
  Rung Reached = Rung::Located;
  SharingKind Kind = SharingKind::True;
  Score Points;
  /// Of a field, the line where it costs most.
  LineIndex Line;
  /// Lines that are one finding with this one, the best of them: the inner
  /// lines of a large array, or bytes close by, without a symbol, that the same
  /// functions read and write.
  uint64_t Lines = 1;
  std::vector<LineOccupant> Occupants;
  /// What Score::Between consists of, by A and B.
  std::vector<ObjectPair> Pairs;
  Remedy Cure;
  std::variant<VariableHazard, FieldHazard> About;

  /// What it is ranked by, among those of its kind. Of a field, only true
  /// sharing that has no other cost counts as such.
  double score() const {
    if (std::holds_alternative<VariableHazard>(About))
      return Points.total();
    return Kind == SharingKind::True ? Points.True : Points.falseSharing();
  }
};

/// Whether an access with its object at \p Object can touch \p Range.
bool canTouch(const ObjectAccess &Access, const Symbol &Object,
              AddressRange Range);

/// A line with a hazard, ranked and not yet described. A large binary has a
/// hundred thousand of them, and a report shows ten.
struct RankedLine {
  LineIndex Line;
  /// As in LineFinding.
  uint64_t Lines = 1;
  uint32_t Head = 0;
  Sign Meeting = Sign::Facts;
  Score Points;
  uint64_t BehindLock = 0;
};

/// Every line on which concurrent accesses can force an ownership transfer,
/// highest score first; ties by address. Where a compiler tells of some lines,
/// those that only machine code touches come behind them; those without a sign
/// of threads come last.
std::vector<RankedLine> rankHazards(const Image &Program, const LineMap &Lines,
                                    const AccessTable &Table);

/// Lines of which it is a guess that threads meet there.
struct GuessedLines {
  uint64_t WithoutSign = 0, OwnLines = 0, Seldom = 0, MostlyRead = 0;
  uint64_t Nameless = 0, Library = 0;

  uint64_t total() const {
    return WithoutSign + OwnLines + Seldom + MostlyRead + Nameless + Library;
  }
};

/// Drops them, and says how many they were.
GuessedLines dropGuesses(std::vector<RankedLine> &Ranked);

/// Turns ranked lines into findings.
std::vector<LineFinding> describeHazards(const Image &Program,
                                         const LineMap &Lines,
                                         const AccessTable &Table,
                                         llvm::ArrayRef<RankedLine> Ranked);

/// What becomes of lines without a sign of threads. A report for people leaves
/// them out; who goes on to watch or to measure wants them, behind all others.
enum class Guesses : uint8_t { LeftOut, Listed };

/// Both.
std::vector<LineFinding> findHazards(const Image &Program, const LineMap &Lines,
                                     const AccessTable &Table,
                                     Guesses Kept = Guesses::LeftOut);

/// The occupants of one line with what touches them there.
std::vector<LineOccupant> lineOccupants(const Image &Program,
                                        const LineMap &Lines,
                                        const AccessTable &Table,
                                        LineIndex Line);

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_FINDING_H
