// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bases repeat after a line, so at most LineSize / Alignment of them have to be
// tried (64 for a record of characters): exhaustive, no formula to get wrong.

#include "Analysis/RecordLines.h"
#include "Compat.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace linesman::tidy {

std::optional<RecordLines> RecordLines::build(const RecordDecl &Record,
                                              const ASTContext &Context,
                                              uint64_t LineSize) {
  const RecordDecl *Definition = Record.getDefinition();
  if (!Definition || Definition->isInvalidDecl() ||
      Definition->isDependentContext() || Definition->isUnion() ||
      !Definition->isCompleteDefinition() || LineSize == 0)
    return std::nullopt;
  // A field of invalid type makes the layout code assert.
  for (const FieldDecl *Field : Definition->fields())
    if (Field->isInvalidDecl())
      return std::nullopt;

  RecordLines Lines;
  Lines.LineSize = LineSize;
  const ASTRecordLayout &Layout = Context.getASTRecordLayout(Definition);
  Lines.Size = Layout.getSize().getQuantity();
  Lines.Alignment = Layout.getAlignment().getQuantity();
  Lines.addFields(*Definition, Context, 0);
  llvm::sort(Lines.Fields, [](const FieldSpan &A, const FieldSpan &B) {
    return std::tie(A.Offset, A.Size) < std::tie(B.Offset, B.Size);
  });
  return Lines;
}

void RecordLines::addFields(const RecordDecl &Record, const ASTContext &Context,
                            uint64_t Base) {
  const ASTRecordLayout &Layout = Context.getASTRecordLayout(&Record);
  if (const auto *Class = dyn_cast<CXXRecordDecl>(&Record))
    for (const CXXBaseSpecifier &Specifier : Class->bases())
      // A virtual base is placed by the most derived class, not by this one.
      if (const CXXRecordDecl *Parent =
              Specifier.getType()->getAsCXXRecordDecl();
          Parent && !Specifier.isVirtual())
        addFields(*Parent->getDefinition(), Context,
                  Base + Layout.getBaseClassOffset(Parent).getQuantity());

  for (const FieldDecl *Field : Record.fields()) {
    uint64_t FirstBit = Layout.getFieldOffset(Field->getFieldIndex());
    if (Field->isAnonymousStructOrUnion()) {
      addFields(*Field->getType()->getAsRecordDecl(), Context,
                Base + FirstBit / 8);
      continue;
    }
    uint64_t Bits = Field->isBitField() ? bitWidth(*Field, Context)
                                        : Context.getTypeSize(Field->getType());
    if (Bits == 0 || Field->isZeroSize(Context))
      continue;
    uint64_t First = FirstBit / 8, Last = (FirstBit + Bits - 1) / 8;
    Fields.push_back({Field, Base + First, Last - First + 1});
  }
}

std::optional<FieldSpan> RecordLines::find(const FieldDecl &Field) const {
  for (const FieldSpan &Span : Fields)
    if (Span.Field == &Field)
      return Span;
  return std::nullopt;
}

double RecordLines::sharingFraction(const FieldSpan &A,
                                    const FieldSpan &B) const {
  uint64_t Step = std::min(Alignment, LineSize);
  unsigned Bases = 0, Shared = 0;
  for (uint64_t Base = 0; Base < LineSize; Base += Step) {
    uint64_t FirstA = (Base + A.Offset) / LineSize;
    uint64_t LastA = (Base + A.Offset + A.Size - 1) / LineSize;
    uint64_t FirstB = (Base + B.Offset) / LineSize;
    uint64_t LastB = (Base + B.Offset + B.Size - 1) / LineSize;
    ++Bases;
    Shared += FirstA <= LastB && FirstB <= LastA;
  }
  return double(Shared) / Bases;
}

LineSharing RecordLines::sharing(const FieldSpan &A, const FieldSpan &B) const {
  double Fraction = sharingFraction(A, B);
  return Fraction == 0   ? LineSharing::Never
         : Fraction == 1 ? LineSharing::Certain
                         : LineSharing::Possible;
}

bool RecordLines::isolatesDeliberately() const {
  for (const FieldSpan &Span : Fields) {
    // By its own attribute or by its type's.
    if (uint64_t(Span.Field->getASTContext()
                     .getDeclAlign(Span.Field)
                     .getQuantity()) >= LineSize)
      return true;
    // Padding of half a line or more was put there for a reason; less than
    // that is somebody's explicit alignment hole.
    if (Span.Size * 2 >= LineSize && isPaddingField(*Span.Field))
      return true;
  }
  return false;
}

bool isPaddingField(const FieldDecl &Field) {
  if (Field.isUnnamedBitField())
    return true;
  if (!Field.getType()->isArrayType())
    return false;
  StringRef Name = Field.getName();
  for (StringRef Word : {"pad", "unused", "reserved", "dummy", "filler",
                         "align", "cacheline", "cache_line", "spacer", "gap"})
    if (Name.contains_insensitive(Word))
      return true;
  return false;
}

} // namespace linesman::tidy
