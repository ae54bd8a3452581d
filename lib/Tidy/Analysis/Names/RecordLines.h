// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record's fields in cache lines. A record does not know where it will be
// placed: its type only promises an alignment, and each base address that the
// alignment allows cuts the fields into lines differently.
//
//     struct { long a, b, ... i; }        alignment 8, so eight possible bases
//     base 0     |a b c d e f g h|i       a and h share a line
//     base 8       a b c d e f g|h i      a and h do not
//
// So a pair of fields shares a line for some bases (Possible), all (Certain),
// or none (Never): more than a line apart, or kept apart by alignment.
//
// Alignment and padding inside a record split it into regions, and each region
// is judged: what keeps two of them apart says nothing about the fields of one.

#ifndef LINESMAN_TIDY_ANALYSIS_NAMES_RECORDLINES_H
#define LINESMAN_TIDY_ANALYSIS_NAMES_RECORDLINES_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace linesman::tidy {

enum class LineSharing : uint8_t { Never, Possible, Certain };

/// Bytes of a record that one field occupies. A bit-field occupies every byte
/// that it has a bit in.
struct FieldSpan {
  const clang::FieldDecl *Field = nullptr;
  uint64_t Offset = 0;
  uint64_t Size = 0;
};

/// No record that \p Type is, or is made of, has an error: its size and what is
/// where in it are known. True for whatever is no record.
bool hasKnownLayout(clang::QualType Type, const clang::ASTContext &Context);
bool hasKnownLayout(const clang::RecordDecl &Record,
                    const clang::ASTContext &Context);

class RecordLines {
public:
  /// Nothing when the record has no layout to speak of: incomplete, dependent,
  /// invalid, or a union (its fields are the same bytes, not neighbours).
  static std::optional<RecordLines> build(const clang::RecordDecl &Record,
                                          const clang::ASTContext &Context,
                                          uint64_t LineSize);

  /// Own fields, those of anonymous members, and those of non-virtual bases, by
  /// offset. Empty fields are left out: they occupy nothing.
  llvm::ArrayRef<FieldSpan> fields() const { return Fields; }
  /// Those of fields() that some base puts on one line with Word, and perhaps
  /// some between them: large records are asked about field by field.
  llvm::ArrayRef<FieldSpan> fieldsNear(const FieldSpan &Word) const;
  /// Nothing for a field of another record, or an empty one.
  std::optional<FieldSpan> find(const clang::FieldDecl &Field) const;

  /// In how many of the bases that the record's alignment allows do the two
  /// share a line? A record that is padded for lines is taken to start on one,
  /// as its author did; whether it does is isPaddedForLines()'s question.
  LineSharing sharing(const FieldSpan &A, const FieldSpan &B) const;
  /// The same as a fraction, 0 to 1.
  double sharingFraction(const FieldSpan &A, const FieldSpan &B) const;
  /// What the record's alignment alone promises, whatever its padding is for.
  double promisedFraction(const FieldSpan &A, const FieldSpan &B) const;

  /// Which of the record's regions a field is in, from 0. Without aligned
  /// fields and padding there is one.
  unsigned regionOf(const FieldSpan &Span) const;

  uint64_t size() const { return Size; }
  uint64_t alignment() const { return Alignment; }
  uint64_t lineSize() const { return LineSize; }
  /// Somebody placed the fields with lines in mind: one is aligned to a line,
  /// or an unused array keeps two of them apart. The record's own alignment
  /// says nothing about its fields, only that pairs are certain.
  bool isolatesDeliberately() const { return Isolates; }
  /// The same, of the record's own doing: a member with lines inside, such as a
  /// queue, says that its author thought of them, not who put it here.
  bool isolatesOwnFields() const { return IsolatesOwn; }
  /// Padding inside puts a later field at a multiple of the line, which means
  /// something only if the record starts at one.
  bool isPaddedForLines() const { return PadsForLines; }

private:
  RecordLines() = default;
  void addFields(const clang::RecordDecl &Record,
                 const clang::ASTContext &Context, uint64_t Base);
  double fraction(const FieldSpan &A, const FieldSpan &B, uint64_t Step) const;
  void noteAlignment(uint64_t Alignment, uint64_t Offset, bool IsOwn);
  void readIntent(const clang::ASTContext &Context);

  llvm::SmallVector<FieldSpan, 16> Fields;
  /// Where the field and all before it have ended; those of a union overlap.
  llvm::SmallVector<uint64_t, 16> Ends;
  uint64_t Size = 0;
  uint64_t Alignment = 1;
  uint64_t LineSize = 0;
  /// Offsets at which a region begins, unsorted.
  llvm::SmallVector<uint64_t, 4> RegionStarts;
  bool Isolates = false;
  bool IsolatesOwn = false;
  bool PadsForLines = false;
};

/// What the source defines: of an instance of a class template, the template.
/// Findings of its instances are one finding, there.
const clang::Decl &templatePattern(const clang::Decl &D);

/// True for a member that only takes up room: an unnamed bit-field, or an array
/// (also std::array, also inside a record of its own) that is named like
/// padding, itself or by its type.
bool isPaddingField(const clang::FieldDecl &Field);

} // namespace linesman::tidy

#endif
