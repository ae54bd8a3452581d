// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bases repeat after a line, so at most LineSize / Alignment of them have to be
// tried (64 for a record of characters): exhaustive, no formula to get wrong.

#include "Analysis/Names/RecordLines.h"
#include "Compat.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace linesman::tidy {

/// Neither the record nor what it is made of has an error, which would make the
/// layout code assert, or be wrong. \p Known has what has been looked at.
static bool hasLayout(const RecordDecl &Record, const ASTContext &Context,
                      llvm::SmallPtrSetImpl<const RecordDecl *> &Known) {
  if (Record.isInvalidDecl() || !Record.isCompleteDefinition() ||
      llvm::any_of(Record.fields(), [](const FieldDecl *Field) {
        return Field->isInvalidDecl();
      }))
    return false;
  // Of a unit without errors nothing else has one.
  if (!Context.getDiagnostics().hasUncompilableErrorOccurred() ||
      !Known.insert(&Record).second)
    return true;
  auto IsKnown = [&](QualType Type) {
    const RecordDecl *Part =
        Type->getBaseElementTypeUnsafe()->getAsRecordDecl();
    Part = Part ? Part->getDefinition() : nullptr;
    return !Part || hasLayout(*Part, Context, Known);
  };
  if (const auto *Class = dyn_cast<CXXRecordDecl>(&Record))
    for (const CXXBaseSpecifier &Base : Class->bases())
      if (!IsKnown(Base.getType()))
        return false;
  return llvm::all_of(Record.fields(), [&](const FieldDecl *Field) {
    return IsKnown(Field->getType());
  });
}

bool hasKnownLayout(const RecordDecl &Record, const ASTContext &Context) {
  llvm::SmallPtrSet<const RecordDecl *, 8> Known;
  const RecordDecl *Definition = Record.getDefinition();
  return !Definition || hasLayout(*Definition, Context, Known);
}

bool hasKnownLayout(QualType Type, const ASTContext &Context) {
  const RecordDecl *Record = Type.isNull() ? nullptr
                                           : Type.getNonReferenceType()
                                                 ->getBaseElementTypeUnsafe()
                                                 ->getAsRecordDecl();
  return !Record || hasKnownLayout(*Record, Context);
}

std::optional<RecordLines> RecordLines::build(const RecordDecl &Record,
                                              const ASTContext &Context,
                                              uint64_t LineSize) {
  const RecordDecl *Definition = Record.getDefinition();
  llvm::SmallPtrSet<const RecordDecl *, 8> Known;
  if (!Definition || Definition->isDependentContext() ||
      Definition->isUnion() || !hasLayout(*Definition, Context, Known) ||
      LineSize == 0)
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
  uint64_t End = 0;
  for (const FieldSpan &Span : Lines.Fields)
    Lines.Ends.push_back(End = std::max(End, Span.Offset + Span.Size));
  Lines.readIntent(Context);
  return Lines;
}

/// A class that keeps several members of its own apart.
static bool isAlignedInside(const FieldDecl &Field, const ASTContext &Context,
                            uint64_t LineSize) {
  const RecordDecl *Record = Field.getType()->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  if (!Record || Field.hasAttr<AlignedAttr>())
    return false;
  unsigned Members = 0;
  bool IsAligned = false;
  for (const FieldDecl *Part : Record->fields()) {
    Members += !isPaddingField(*Part);
    IsAligned |= uint64_t(Context.getDeclAlign(Part).getQuantity()) >= LineSize;
  }
  return IsAligned && Members > 1;
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
      noteAlignment(Context.getTypeAlignInChars(Field->getType()).getQuantity(),
                    Base + FirstBit / 8, /*IsOwn=*/true);
      addFields(*Field->getType()->getAsRecordDecl(), Context,
                Base + FirstBit / 8);
      continue;
    }
    uint64_t Bits = Field->isBitField() ? bitWidth(*Field, Context)
                                        : Context.getTypeSize(Field->getType());
    // An empty member that is aligned to a line begins a region as well.
    noteAlignment(Context.getDeclAlign(Field).getQuantity(),
                  Base + FirstBit / 8,
                  !isAlignedInside(*Field, Context, LineSize));
    if (Bits == 0 || Field->isZeroSize(Context))
      continue;
    uint64_t First = FirstBit / 8, Last = (FirstBit + Bits - 1) / 8;
    Fields.push_back({Field, Base + First, Last - First + 1});
  }
}

llvm::ArrayRef<FieldSpan> RecordLines::fieldsNear(const FieldSpan &Word) const {
  const uint64_t First = Word.Offset > LineSize ? Word.Offset - LineSize : 0;
  const uint64_t Last = Word.Offset + Word.Size + LineSize;
  const size_t Begin =
      llvm::partition_point(Ends, [&](uint64_t End) { return End <= First; }) -
      Ends.begin();
  llvm::ArrayRef<FieldSpan> Rest = fields().drop_front(Begin);
  return Rest.take_front(
      llvm::partition_point(
          Rest, [&](const FieldSpan &Span) { return Span.Offset < Last; }) -
      Rest.begin());
}

std::optional<FieldSpan> RecordLines::find(const FieldDecl &Field) const {
  for (const FieldSpan &Span : Fields)
    if (Span.Field == &Field)
      return Span;
  return std::nullopt;
}

double RecordLines::sharingFraction(const FieldSpan &A,
                                    const FieldSpan &B) const {
  return fraction(A, B,
                  PadsForLines ? LineSize : std::min(Alignment, LineSize));
}

double RecordLines::promisedFraction(const FieldSpan &A,
                                     const FieldSpan &B) const {
  return fraction(A, B, std::min(Alignment, LineSize));
}

/// Alternatives of a union inside: the same bytes, not neighbours. Bit-fields
/// of one unit are neighbours in it.
static bool areAlternatives(const FieldSpan &A, const FieldSpan &B) {
  return A.Field != B.Field &&
         !(A.Field->isBitField() && B.Field->isBitField()) &&
         A.Offset < B.Offset + B.Size && B.Offset < A.Offset + A.Size;
}

double RecordLines::fraction(const FieldSpan &A, const FieldSpan &B,
                             uint64_t Step) const {
  if (areAlternatives(A, B))
    return 0;
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

void RecordLines::noteAlignment(uint64_t Alignment, uint64_t Offset,
                                bool IsOwn) {
  if (Alignment < LineSize)
    return;
  Isolates = true;
  IsolatesOwn |= IsOwn;
  RegionStarts.push_back(Offset);
}

unsigned RecordLines::regionOf(const FieldSpan &Span) const {
  return llvm::count_if(RegionStarts, [&](uint64_t Start) {
    return Start != 0 && Start <= Span.Offset;
  });
}

void RecordLines::readIntent(const ASTContext &Context) {
  for (size_t I = 0; I != Fields.size(); ++I) {
    const FieldSpan &Span = Fields[I];
    if (!isPaddingField(*Span.Field))
      continue;
    // Padding of half a line or more was put there for a reason; less than
    // that is somebody's explicit alignment hole.
    Isolates |= Span.Size * 2 >= LineSize;
    IsolatesOwn |= Span.Size * 2 >= LineSize;
    // From here on a line: the next field that is not padding.
    size_t Next = I + 1;
    while (Next != Fields.size() && isPaddingField(*Fields[Next].Field))
      ++Next;
    if (Next == Fields.size())
      break;
    if (Span.Size * 2 >= LineSize)
      RegionStarts.push_back(Fields[Next].Offset);
    PadsForLines |= Span.Size >= Context.getTypeSize(Context.VoidPtrTy) / 8 &&
                    Fields[Next].Offset % LineSize == 0;
  }
}

const Decl &templatePattern(const Decl &D) {
  if (const auto *Class = dyn_cast<CXXRecordDecl>(&D))
    if (const CXXRecordDecl *Pattern = Class->getTemplateInstantiationPattern())
      return *Pattern;
  return D;
}

namespace {

bool soundsLikePadding(StringRef Name) {
  for (StringRef Word : {"pad", "unused", "reserved", "dummy", "filler",
                         "align", "cacheline", "cache_line", "spacer", "gap",
                         "sharing", "false_share", "falseshare", "separator"})
    if (Name.contains_insensitive(Word))
      return true;
  return false;
}

bool isArrayOfRoom(QualType Type) {
  if (Type->isArrayType())
    return true;
  const auto *Class = Type->getAsCXXRecordDecl();
  return Class && Class->getIdentifier() && Class->getName() == "array" &&
         Class->isInStdNamespace();
}

/// Nothing but arrays of plain numbers: struct CachePad { char bytes[64]; }.
bool isRecordOfRoom(QualType Type) {
  const RecordDecl *Record = Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  return Record && llvm::all_of(Record->fields(), [](const FieldDecl *Field) {
           return Field->getType()->isArrayType() &&
                  Field->getType()
                      ->getBaseElementTypeUnsafe()
                      ->isArithmeticType();
         });
}

} // namespace

bool isPaddingField(const FieldDecl &Field) {
  if (Field.isUnnamedBitField())
    return true;
  QualType Type = Field.getType();
  if (isArrayOfRoom(Type))
    return soundsLikePadding(Field.getName());
  if (!isRecordOfRoom(Type))
    return false;
  const IdentifierInfo *TypeName = Type->getAsRecordDecl()->getIdentifier();
  return soundsLikePadding(Field.getName()) ||
         (TypeName && soundsLikePadding(TypeName->getName()));
}

} // namespace linesman::tidy
