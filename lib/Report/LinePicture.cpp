// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws a line: who has each byte, and what is done to it.

#include "LinePicture.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

char occupantLetter(size_t N) {
  if (N < 26)
    return char('A' + N);
  return N < 52 ? char('a' + N - 26) : '#';
}

std::string occupantLetters(const Image &Image,
                            ArrayRef<LineOccupant> Occupants) {
  std::string Letters;
  size_t Next = 0;
  for (const LineOccupant &Place : Occupants) {
    switch (Image.occupants()[Place.Occupant].Kind) {
    case OccupantKind::Hole:
    case OccupantKind::Padding:
      Letters += '-';
      break;
    case OccupantKind::NoSymbol:
      Letters += '?';
      break;
    case OccupantKind::Linker:
    case OccupantKind::Object:
      Letters += occupantLetter(Next++);
      break;
    }
  }
  return Letters;
}

namespace {

/// What is done to a byte, the strongest last.
enum class Mark : uint8_t { None, Somewhere, Read, Write, Atomic };
constexpr char MarkLetters[] = {'.', '~', 'r', 'w', 'a'};

Mark markOf(const ObjectAccess &Access) {
  if (!Access.offset())
    return Mark::Somewhere;
  switch (Access.Kind) {
  case facts::AccessKind::Read:
    return Mark::Read;
  case facts::AccessKind::Write:
    return Mark::Write;
  case facts::AccessKind::Atomic:
    return Mark::Atomic;
  }
  llvm_unreachable("unknown access kind");
}

std::vector<Mark> findMarks(const LayoutReport &Report, AddressRange Line,
                            ArrayRef<LineOccupant> Occupants) {
  std::vector<Mark> Marks(Line.size(), Mark::None);
  for (const LineOccupant &Place : Occupants) {
    if (!Place.Object)
      continue;
    const Symbol &Object = Report.Image.symbols()[Place.Object->Symbol];
    for (const ObjectAccess &A : Place.Object->Accesses) {
      if (!Report.Accesses.isConcurrent(A))
        continue;
      AddressRange Bytes = Place.Range;
      if (A.offset()) {
        LinkAddress Begin = Object.Address + *A.offset();
        Bytes = intersect({Begin, Begin + std::max<uint64_t>(A.Size, 1)},
                          Place.Range);
      }
      for (LinkAddress B = Bytes.Begin; B < Bytes.End; B = B + 1) {
        Mark &Found = Marks[B - Line.Begin];
        Found = std::max(Found, markOf(A));
      }
    }
  }
  return Marks;
}

std::string rowLabel(const LinkedScene &, LinkAddress Row, AddressRange) {
  return formatv("0x{0:x-}", Row.Value);
}

/// An object has no address: the offset in it, for the line's first byte
/// negative where the object begins later.
std::string rowLabel(const ObjectScene &, LinkAddress Row,
                     AddressRange Section) {
  int64_t Offset = int64_t(Row.Value) - int64_t(Section.Begin.Value);
  return (Offset < 0 ? "" : "+") + std::to_string(Offset);
}

} // namespace

std::string accessMarks(const LayoutReport &Report, LineIndex Line,
                        ArrayRef<LineOccupant> Occupants) {
  std::string Letters;
  for (Mark M : findMarks(Report, Report.Lines.range(Line), Occupants))
    Letters += MarkLetters[size_t(M)];
  return Letters;
}

void writeLinePicture(const LayoutReport &Report, LineIndex Line,
                      ArrayRef<LineOccupant> Occupants, raw_ostream &OS) {
  AddressRange Range = Report.Lines.range(Line);
  std::string Owners(Range.size(), ' '); // bytes of no writable section
  std::string Letters = occupantLetters(Report.Image, Occupants);
  for (size_t I = 0; I != Occupants.size(); ++I)
    std::fill_n(Owners.begin() + (Occupants[I].Range.Begin - Range.Begin),
                Occupants[I].Range.size(), Letters[I]);
  std::string Accesses = accessMarks(Report, Line, Occupants);

  AddressRange Section =
      Report.Image.sectionOf(Occupants.front().Occupant).Range;
  for (size_t Row = 0; Row < Range.size(); Row += RowBytes) {
    std::string Label = std::visit(
        [&](const auto &Scene) {
          return rowLabel(Scene, Range.Begin + Row, Section);
        },
        Report.Scene);
    OS << formatv("   {0,-12} ", Label)
       << StringRef(Owners).substr(Row, RowBytes).rtrim() << '\n';
    OS.indent(16) << StringRef(Accesses).substr(Row, RowBytes) << '\n';
  }
}

} // namespace linesman::report
