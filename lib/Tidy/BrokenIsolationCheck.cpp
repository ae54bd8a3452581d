// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The intent is written in the source, and the geometry says that it failed: no
// guess about what is hot is needed beyond "an atomic or a lock is in it".

#include "BrokenIsolationCheck.h"
#include "Analysis/Accesses/Companions.h"
#include "Analysis/Accesses/FieldRoles.h"
#include "Analysis/Containers/LineAllocations.h"
#include "Analysis/Locks/LockUses.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/RecordLines.h"
#include "LineReader.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

namespace {

uint64_t explicitAlignment(const Decl &D, const ASTContext &Unit) {
  uint64_t Bytes = 0;
  for (const auto *Aligned : D.specific_attrs<AlignedAttr>())
    if (!Aligned->isAlignmentDependent())
      Bytes = std::max<uint64_t>(
          Bytes, Aligned->getAlignment(const_cast<ASTContext &>(Unit)) / 8);
  return Bytes;
}

/// std::array and built-in arrays of more than one element.
QualType elementOf(QualType Type, const ASTContext &Unit) {
  if (const ConstantArrayType *Array = Unit.getAsConstantArrayType(Type))
    return Array->getSize().ugt(1) ? Array->getElementType() : QualType();
  const auto *Special = dyn_cast_if_present<ClassTemplateSpecializationDecl>(
      Type->getAsCXXRecordDecl());
  if (Special && Special->getName() == "array" && Special->isInStdNamespace() &&
      Special->getTemplateArgs().size() == 2 &&
      Special->getTemplateArgs()[1].getAsIntegral().ugt(1))
    return Special->getTemplateArgs()[0].getAsType();
  return QualType();
}

bool namesConstructiveSize(const Stmt *S) {
  if (!S)
    return false;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
    return Ref->getDecl()->getIdentifier() &&
           Ref->getDecl()->getName() ==
               "hardware_constructive_interference_size";
  return llvm::any_of(S->children(), namesConstructiveSize);
}

bool soundsLikeLineSize(StringRef Name) {
  std::string Plain;
  for (char C : Name)
    if (C != '_')
      Plain += llvm::toLower(C);
  StringRef Word = Plain;
  return Word.contains("cacheline") || Word.contains("destructiveinterference");
}

/// CACHE_LINE / sizeof(float): how many fit on a line, and no size.
bool countsElements(const Expr &Value) {
  const auto *Quotient = dyn_cast<BinaryOperator>(Value.IgnoreParenCasts());
  if (!Quotient || Quotient->getOpcode() != BO_Div)
    return false;
  const auto *Size = dyn_cast<UnaryExprOrTypeTraitExpr>(
      Quotient->getRHS()->IgnoreParenCasts());
  return Size && Size->getKind() == UETT_SizeOf;
}

} // namespace

class BrokenIsolationCheck::UnitReader : LineReader {
public:
  UnitReader(BrokenIsolationCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check), Roles(Hot, Kinds, Unit),
        Allocations(Accesses, Unit, Line) {}

  void read() {
    for (const VarDecl *Var : Accesses.statics()) {
      checkArray(*Var);
      checkConstructive(*Var);
      checkConstant(*Var);
    }
    for (const RecordDecl *Record : Accesses.records()) {
      checkConstructive(*Record);
      for (const FieldDecl *Field : Record->fields()) {
        checkArray(*Field);
        checkConstructive(*Field);
      }
      if (!Check.common().isAccepted(*Record)) {
        checkCrowdedField(*Record);
        checkPadding(*Record);
        checkRegions(*Record);
      }
    }
    for (const LineAllocations::Allocation &Allocated :
         Allocations.findTooWeak())
      reportAllocation(Allocated);
    checkMacros();
  }

private:
  bool report(const Decl &Cause) {
    return Reported.insert(templatePattern(Cause).getLocation()).second;
  }

  /// Atomics and locks are written by several threads, or they would not be.
  bool holdsShared(QualType Type, unsigned Depth = 0) const {
    constexpr unsigned MaxDepth = 3;
    if (Kinds.isAtomic(Type) || Kinds.isSynchronization(Type))
      return true;
    const RecordDecl *Record =
        Type->getBaseElementTypeUnsafe()->getAsRecordDecl();
    if (!Record || !Record->getDefinition() || Depth == MaxDepth)
      return false;
    return llvm::any_of(Record->getDefinition()->fields(),
                        [&](const FieldDecl *Field) {
                          return holdsShared(Field->getType(), Depth + 1);
                        });
  }

  bool isIndexedByThread(const ValueDecl &Array) const {
    auto Uses = isa<VarDecl>(Array) ? Accesses.of(cast<VarDecl>(Array))
                                    : Accesses.of(cast<FieldDecl>(Array));
    return llvm::any_of(Uses, [&](unsigned Index) {
      return llvm::any_of(
          Accesses.all()[Index].Object.elements(), [&](const Element &Part) {
            return Part.Array == &Array && Kinds.isThreadIdentity(*Part.Index);
          });
    });
  }

  /// struct { long index; char pad[16]; } ends[2], which operations write:
  /// whoever padded the elements and aligned the array wanted a line for each.
  bool isPadded(QualType Element) {
    const RecordDecl *Record = Element->getAsRecordDecl();
    Record = Record ? Record->getDefinition() : nullptr;
    if (!Record)
      return false;
    bool HasPadding = false, IsWritten = false;
    for (const FieldDecl *Field : Record->fields())
      if (!isPaddingField(*Field))
        IsWritten |= !Roles.of(*Field).HotWriters.empty();
      else
        HasPadding |=
            uint64_t(Unit.getTypeSizeInChars(Field->getType()).getQuantity()) *
                4 >=
            Line;
    return HasPadding && IsWritten;
  }

  /// alignas(64) long head; alignas(64) std::atomic<long> slots[256]: where
  /// each part of a record begins a line, an array does so as well, for its
  /// neighbour's sake.
  bool beginsPart(const DeclaratorDecl &Array) const {
    const auto *Field = dyn_cast<FieldDecl>(&Array);
    return Field &&
           llvm::any_of(
               Field->getParent()->fields(), [&](const FieldDecl *Other) {
                 return Other->getFieldIndex() < Field->getFieldIndex() &&
                        explicitAlignment(*Other, Unit) >= Line;
               });
  }

  /// alignas(64) std::atomic<long> slots[8];
  void checkArray(const DeclaratorDecl &Array) {
    if (explicitAlignment(Array, Unit) < Line ||
        Array.getType()->isDependentType())
      return;
    QualType Element = elementOf(Array.getType(), Unit);
    if (Element.isNull() || Element->isIncompleteType())
      return;
    uint64_t Stride = Unit.getTypeSizeInChars(Element).getQuantity();
    if (Stride == 0 || Stride % Line == 0 ||
        ((!holdsShared(Element) || beginsPart(Array)) &&
         !isIndexedByThread(Array) && !isPadded(Element)) ||
        Check.common().isAccepted(Array) || !report(Array))
      return;
    Check.warn(Array.getLocation(), {Array},
               "the alignment of '%0' is the array's, not its elements': they "
               "are %1 bytes apart, so up to %2 of them share a cache line; "
               "align the element type instead")
        << plainName(Array) << unsigned(Stride)
        << unsigned((Line + Stride - 1) / Stride);
    // An element for each of those that write them is the copy that a message
    // on the elements' writes would ask for.
    Check.analyses().ReportedParts.insert({Array.getCanonicalDecl(), nullptr});
  }

  /// alignas(64) std::atomic<long> head; std::atomic<long> tail;
  void checkCrowdedField(const RecordDecl &Record) {
    std::optional<RecordLines> Lines = RecordLines::build(Record, Unit, Line);
    if (!Lines || Lines->alignment() < Line)
      return;
    for (const FieldSpan &Aligned : Lines->fields()) {
      if (explicitAlignment(*Aligned.Field, Unit) < Line ||
          !isSharedWord(*Aligned.Field) || opensGroup(Aligned, *Lines) ||
          Check.common().isAccepted(*Aligned.Field))
        continue;
      for (const FieldSpan &Next : Lines->fields()) {
        if (Next.Offset < Aligned.Offset + Aligned.Size ||
            Lines->sharing(Aligned, Next) != LineSharing::Certain ||
            !isSharedWord(*Next.Field) ||
            areCompanions(*Aligned.Field, *Next.Field, Accesses, Kinds) ||
            // What follows a lock is what it guards.
            (isLock(*Aligned.Field) && !isLock(*Next.Field)) ||
            alignsRecord(Aligned, Next, *Lines) ||
            Check.common().isAccepted(*Next.Field) || !report(Record))
          continue;
        reportCrowded(Aligned, Next);
        return;
      }
    }
  }

  bool isSharedWord(const FieldDecl &Field) const {
    return !isPaddingField(Field) && holdsShared(Field.getType());
  }

  bool isLock(const FieldDecl &Field) const {
    return isLockField(Field, Kinds) || Kinds.isLock(Field.getType());
  }

  /// Two shared words and more behind it: somebody gathered them there, and the
  /// alignment keeps the group away from what comes before.
  bool opensGroup(const FieldSpan &Aligned, const RecordLines &Lines) const {
    constexpr unsigned FewestFollowers = 2;
    return llvm::count_if(Lines.fields(), [&](const FieldSpan &Next) {
             return Next.Offset >= Aligned.Offset + Aligned.Size &&
                    Lines.sharing(Aligned, Next) == LineSharing::Certain &&
                    isSharedWord(*Next.Field);
           }) >= FewestFollowers;
  }

  /// A lock or what is waited for in a record that is aligned by its first
  /// field: nobody has said that the two are to be apart.
  bool alignsRecord(const FieldSpan &Aligned, const FieldSpan &Next,
                    const RecordLines &Lines) const {
    return Aligned.Offset == 0 &&
           (isLockField(*Next.Field, Kinds) ||
            Kinds.isSynchronization(Next.Field->getType())) &&
           llvm::none_of(Lines.fields(), [&](const FieldSpan &Other) {
             return Other.Field != Aligned.Field &&
                    (isPaddingField(*Other.Field) ||
                     explicitAlignment(*Other.Field, Unit) >= Line);
           });
  }

  void reportCrowded(const FieldSpan &Aligned, const FieldSpan &Next) {
    Check.warn(Next.Field->getLocation(),
               {.Subject = *Next.Field, .Neighbour = Aligned.Field},
               "'%0' (offset %1) is on the cache line that the alignment of "
               "'%2' (offset %3) was meant to reserve: alignment keeps away "
               "what comes before, not what follows; align '%0' as well")
        << fieldName(*Next.Field) << unsigned(Next.Offset)
        << fieldName(*Aligned.Field) << unsigned(Aligned.Offset);
    DiagnosticBuilder Note =
        Check.diag(Next.Field->getLocation(),
                   "aligned, '%0' starts the next line; the record grows, and "
                   "its ABI changes",
                   DiagnosticIDs::Note);
    Note << fieldName(*Next.Field);
    offerAlignment(Note, Next.Field->getBeginLoc());
  }

  void offerAlignment(DiagnosticBuilder &Note, SourceLocation Start) {
    const LangOptions &Language = Unit.getLangOpts();
    if (Start.isMacroID() || !(Language.CPlusPlus11 || Language.C11))
      return;
    Note << FixItHint::CreateInsertion(
        Start, (Language.CPlusPlus11 ? "alignas(" : "_Alignas(") +
                   std::to_string(Line) + ") ");
  }

  /// struct { std::atomic<long> value; char pad[56]; };
  void checkPadding(const RecordDecl &Record) {
    std::optional<RecordLines> Lines = RecordLines::build(Record, Unit, Line);
    if (!Lines || Lines->fields().size() < 2 || Lines->size() % Line != 0 ||
        Lines->alignment() >= Line)
      return;
    const FieldSpan &Last = Lines->fields().back();
    const FieldSpan &First = Lines->fields().front();
    // Padding on both sides needs no alignment; and a quarter of a line or more
    // was somebody's computation, a few bytes are a hole made visible.
    if (!isPaddingField(*Last.Field) || isPaddingField(*First.Field) ||
        Last.Size * 4 < Line)
      return;
    if (llvm::none_of(
            Lines->fields(),
            [&](const FieldSpan &Span) { return isSharedWord(*Span.Field); }) ||
        isAlignedWhereUsed(Record) || Allocations.isAllocatedAligned(Record) ||
        !report(Record))
      return;
    SourceLocation Place = templatePattern(Record).getLocation();
    Check.warn(Place, {Record},
               "'%0' is padded to %1 bytes but aligned to %2: unless its "
               "address happens to be a multiple of %3, it shares its first "
               "cache line with whatever lies before it; align it to %3")
        << plainName(Record) << unsigned(Lines->size())
        << unsigned(Lines->alignment()) << unsigned(Line);
    DiagnosticBuilder Note = Check.diag(
        Last.Field->getLocation(),
        "with the alignment, this padding is not needed", DiagnosticIDs::Note);
    if (Unit.getLangOpts().CPlusPlus11 && Record.getIdentifier() &&
        !Place.isMacroID())
      offerAlignment(Note, Place);
  }

  /// The type is not, but all members and variables of it in this unit are, by
  /// themselves or as part of what is.
  bool isAlignedWhereUsed(const RecordDecl &Record) {
    bool IsUsed = false, IsAligned = true;
    auto Look = [&](const ValueDecl &Object, bool IsAlignedByPlace) {
      const RecordDecl *Own = Object.getType()->getAsRecordDecl();
      if (!Own || Own->getCanonicalDecl() != Record.getCanonicalDecl())
        return;
      IsUsed = true;
      IsAligned &= IsAlignedByPlace ||
                   Unit.getDeclAlign(&Object).getQuantity() % Line == 0;
    };
    for (const RecordDecl *Outer : Accesses.records()) {
      if (llvm::none_of(Outer->fields(), [&](const FieldDecl *Field) {
            return Field->getType()->isRecordType();
          }))
        continue;
      std::optional<RecordLines> Lines = RecordLines::build(*Outer, Unit, Line);
      for (const FieldDecl *Field : Outer->fields()) {
        std::optional<FieldSpan> Span =
            Lines ? Lines->find(*Field) : std::nullopt;
        Look(*Field, Span && Lines->alignment() % Line == 0 &&
                         Span->Offset % Line == 0);
      }
    }
    for (const VarDecl *Var : Accesses.statics())
      Look(*Var, false);
    return IsUsed && IsAligned;
  }

  /// By its type, or because operations write it atomically.
  bool isSharedField(const FieldDecl &Field) {
    if (isPaddingField(Field))
      return false;
    const Role &Own = Roles.of(Field);
    return holdsShared(Field.getType()) ||
           (!Own.HotWriters.empty() && Own.WritesAreAtomic);
  }

  bool isAccessed(const FieldDecl &Field) {
    const Role &Own = Roles.of(Field);
    return !Own.Readers.empty() || !Own.Writers.empty();
  }

  /// Padding between members: is it enough, and does the record keep its own
  /// side of the bargain?
  void checkRegions(const RecordDecl &Record) {
    std::optional<RecordLines> Lines = RecordLines::build(Record, Unit, Line);
    if (!Lines)
      return;
    llvm::ArrayRef<FieldSpan> Fields = Lines->fields();
    for (size_t I = 0; I + 1 < Fields.size(); ++I) {
      const FieldSpan &Pad = Fields[I + 1];
      // A quarter of a line or more was somebody's computation.
      if (!isPaddingField(*Pad.Field) || isPaddingField(*Fields[I].Field))
        continue;
      size_t After = I + 2;
      uint64_t Room = Pad.Size;
      while (After < Fields.size() && isPaddingField(*Fields[After].Field))
        Room += Fields[After++].Size;
      if (After >= Fields.size() || Room * 4 < Line)
        continue;
      if (Fields[After].Offset % Line == 0
              ? checkBase(Record, *Lines, Pad, I, After)
              : checkRoom(Record, *Lines, Pad, Room, I, After))
        return;
    }
  }

  /// long tail; char pad[56]; long head;    in a record that is aligned to 8
  bool checkBase(const RecordDecl &Record, const RecordLines &Lines,
                 const FieldSpan &Pad, size_t Before, size_t After) {
    if (Lines.alignment() >= Line)
      return false;
    llvm::ArrayRef<FieldSpan> Fields = Lines.fields();
    const FieldSpan *Left = nullptr, *Right = nullptr;
    for (size_t I = 0; I <= Before && !Right; ++I)
      for (size_t J = After; J != Fields.size() && !Right; ++J) {
        if (Lines.promisedFraction(Fields[I], Fields[J]) == 0 ||
            isPaddingField(*Fields[I].Field) ||
            isPaddingField(*Fields[J].Field))
          continue;
        bool LeftIsShared = isSharedField(*Fields[I].Field);
        bool RightIsShared = isSharedField(*Fields[J].Field);
        if ((LeftIsShared && (RightIsShared || isAccessed(*Fields[J].Field))) ||
            (RightIsShared && isAccessed(*Fields[I].Field))) {
          Left = &Fields[I];
          Right = &Fields[J];
        }
      }
    if (!Right || Allocations.isAllocatedAligned(Record) ||
        isAlignedWhereUsed(Record) || !report(Record))
      return false;
    SourceLocation Place = templatePattern(Record).getLocation();
    Check.warn(Place, {.Subject = *Right->Field, .Neighbour = Left->Field},
               "the padding in '%0' puts '%1' at offset %2, the start of a "
               "line, but '%0' is only aligned to %3: unless its address "
               "happens to be a multiple of %4, '%1' and '%5' (offset %6) can "
               "share a cache line; align the type to %4")
        << plainName(Record) << fieldName(*Right->Field)
        << unsigned(Right->Offset) << unsigned(Lines.alignment())
        << unsigned(Line) << fieldName(*Left->Field) << unsigned(Left->Offset);
    for (const LineAllocations::Malloc &Allocated :
         Allocations.mallocsOf(Record))
      Check.diag(Allocated.Place, "'%0' promises an alignment of %1",
                 DiagnosticIDs::Note)
          << Allocated.Name << unsigned(Allocations.naturalAlignment());
    DiagnosticBuilder Note = Check.diag(
        Pad.Field->getLocation(),
        "with the alignment, this padding does what it was written for",
        DiagnosticIDs::Note);
    if (Unit.getLangOpts().CPlusPlus11 && Record.getIdentifier() &&
        !Place.isMacroID())
      offerAlignment(Note, Place);
    return true;
  }

  /// long head; char pad[32]; long tail;
  bool checkRoom(const RecordDecl &Record, const RecordLines &Lines,
                 const FieldSpan &Pad, uint64_t Room, size_t Before,
                 size_t After) {
    const FieldSpan &Left = Lines.fields()[Before];
    const FieldSpan &Right = Lines.fields()[After];
    if (Lines.sharingFraction(Left, Right) < 0.25 ||
        !isSharedField(*Left.Field) || !isSharedField(*Right.Field) ||
        areWrittenTogether(*Left.Field, *Right.Field, Accesses) ||
        Check.common().isAccepted(*Left.Field) ||
        Check.common().isAccepted(*Right.Field) || !report(Record))
      return false;
    Check.warn(Pad.Field->getLocation(),
               {.Subject = *Right.Field, .Neighbour = Left.Field},
               "%0 bytes of padding do not keep '%1' (offset %2) and '%3' "
               "(offset %4) on different cache lines of %5 bytes; align '%3' "
               "instead")
        << unsigned(Room) << fieldName(*Left.Field) << unsigned(Left.Offset)
        << fieldName(*Right.Field) << unsigned(Right.Offset) << unsigned(Line);
    return true;
  }

  /// #define CACHE_LINE 32
  void checkMacros() {
    if (!Check.Macros)
      return;
    const SourceManager &Sources = Unit.getSourceManager();
    for (const auto &[Name, State] : Check.Macros->macros()) {
      if (!soundsLikeLineSize(Name->getName()))
        continue;
      const MacroInfo *Info = Check.Macros->getMacroInfo(Name);
      if (!Info || Info->isFunctionLike() || Info->getNumTokens() != 1 ||
          Sources.isInSystemHeader(Info->getDefinitionLoc()) ||
          Info->isBuiltinMacro())
        continue;
      const Token &Only = Info->getReplacementToken(0);
      if (!Only.is(tok::numeric_constant) || !Only.getLiteralData())
        continue;
      uint64_t Bytes = 0;
      StringRef Digits(Only.getLiteralData(), Only.getLength());
      Digits = Digits.rtrim("uUlL");
      if (Digits.getAsInteger(0, Bytes) || !isShortLine(Bytes) ||
          !Reported.insert(Info->getDefinitionLoc()).second)
        continue;
      reportConstant(Info->getDefinitionLoc(), "macro", Name->getName(), Bytes);
    }
  }

  /// 6 is a shift, 0 and 1 are switches.
  bool isShortLine(uint64_t Bytes) const {
    return Bytes >= 8 && Bytes < Line && llvm::isPowerOf2_64(Bytes);
  }

  void reportConstant(SourceLocation Place, StringRef Kind, StringRef Name,
                      uint64_t Bytes) {
    Check.warnOf(
        Kind, Name, Place,
        "'%0' is %1, but a cache line has %2 bytes: what is aligned or "
        "padded with it still shares lines")
        << Name << unsigned(Bytes) << unsigned(Line);
  }

  /// alignas(std::hardware_constructive_interference_size)
  void checkConstructive(const Decl &D) {
    for (const auto *Aligned : D.specific_attrs<AlignedAttr>())
      if (Aligned->isAlignmentExpr() &&
          namesConstructiveSize(Aligned->getAlignmentExpr()) && report(D) &&
          isa<NamedDecl>(D))
        Check.warn(Unit.getSourceManager().getFileLoc(Aligned->getLocation()),
                   {cast<NamedDecl>(D)},
                   "hardware_constructive_interference_size is how much fits "
                   "on one cache line together; to keep objects apart, align "
                   "to hardware_destructive_interference_size");
  }

  /// constexpr size_t kCacheLineSize = 32;
  void checkConstant(const VarDecl &Var) {
    if (!Var.getIdentifier() || !soundsLikeLineSize(Var.getName()) ||
        !Var.getType()->isIntegralOrEnumerationType() ||
        !Var.getType().isConstQualified() || !Var.hasInit() ||
        Var.getInit()->isValueDependent() || Check.common().isAccepted(Var) ||
        countsElements(*Var.getInit()))
      return;
    Expr::EvalResult Value;
    if (!Var.getInit()->EvaluateAsInt(Value, Unit, Expr::SE_NoSideEffects))
      return;
    uint64_t Bytes = Value.Val.getInt().getLimitedValue();
    if (isShortLine(Bytes) && report(Var))
      reportConstant(Var.getLocation(), "variable", plainName(Var), Bytes);
  }

  void reportAllocation(const LineAllocations::Allocation &Allocated) {
    if (Check.common().isAccepted(*Allocated.Type) ||
        !Reported.insert(Allocated.Place).second)
      return;
    if (!Allocated.AligningSibling.empty())
      return reportBesideAligning(Allocated);
    const LangOptions &Language = Unit.getLangOpts();
    const unsigned Remedy = Language.CPlusPlus17    ? 2
                            : Allocated.IsByLibrary ? 3
                            : Language.CPlusPlus    ? 1
                                                    : 0;
    Check.warn(
        Allocated.Place, {*Allocated.Type},
        "'%0' is aligned to %1 bytes, but '%2' promises only %3: the "
        "object may start in the middle of a cache line, which it then "
        "shares; %select{use aligned_alloc|use posix_memalign|use "
        "new, which respects the alignment since C++17|compile as C++17, "
        "where it respects the alignment}4")
        << plainName(*Allocated.Type) << unsigned(Allocated.Alignment)
        << Allocated.Allocator << unsigned(Allocations.naturalAlignment())
        << Remedy;
    noteType(*Allocated.Type);
  }

  void reportBesideAligning(const LineAllocations::Allocation &Allocated) {
    Check.warn(Allocated.Place, {*Allocated.Type},
               "'%0' is aligned to %1 bytes, and '%2' is not told so, unlike "
               "'%3' beside it: the object may start in the middle of a cache "
               "line, which it then shares; use '%3'")
        << plainName(*Allocated.Type) << unsigned(Allocated.Alignment)
        << Allocated.Allocator << Allocated.AligningSibling;
    noteType(*Allocated.Type);
  }

  void noteType(const RecordDecl &Type) {
    Check.diag(Type.getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
        << plainName(Type);
  }

  BrokenIsolationCheck &Check;
  FieldRoles Roles;
  const LineAllocations Allocations;
  llvm::SmallSet<SourceLocation, 8> Reported;
};

void BrokenIsolationCheck::registerPPCallbacks(const SourceManager &Sources,
                                               Preprocessor *PP,
                                               Preprocessor *Expander) {
  LinesmanCheck::registerPPCallbacks(Sources, PP, Expander);
  Macros = Expander;
}

void BrokenIsolationCheck::checkUnit(ASTContext &Unit) {
  UnitReader(*this, Unit).read();
}

} // namespace linesman::tidy
