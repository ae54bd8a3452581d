// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman-lock-neighbour where a lock's neighbours are the other locks of an
// array, from which something that no thread owns picks one:
//
//     locks[hash(key) % 64].lock()      shards[hash(key) % 64].insert(key)

#include "Analysis/Accesses/FieldRoles.h"
#include "Analysis/Locks/LockUses.h"
#include "Analysis/Names/PlainName.h"
#include "LineReader.h"
#include "LockNeighbourCheck.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;

namespace linesman::tidy {

class LockNeighbourCheck::ArrayReader : LineReader {
public:
  ArrayReader(LockNeighbourCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check), Roles(Hot, Kinds, Unit) {}

  void read() {
    for (const Access &Use : Accesses.all())
      if (Use.Object.Index &&
          (Use.writes() || Use.Kind == AccessKind::Address ||
           isa<CXXMemberCallExpr>(Use.Site->IgnoreParens())))
        checkElement(Use);
  }

private:
  /// hash % n, hash & mask, shard(key), a field that keeps such a value, a
  /// caller's choice: not a loop's counter, not a constant.
  bool isScattered(const Expr &Index, unsigned Depth = 0) const {
    constexpr unsigned MaxDepth = 3;
    const Expr *Inner = Index.IgnoreParenCasts();
    if (Depth == MaxDepth || Inner->isValueDependent())
      return false;
    if (const auto *Binary = dyn_cast<BinaryOperator>(Inner)) {
      // The class of a size: size / 16 - 1.
      if ((Binary->isAdditiveOp() || Binary->getOpcode() == BO_Div) &&
          Binary->getRHS()->isEvaluatable(Unit))
        return isScattered(*Binary->getLHS(), Depth);
      return Binary->getOpcode() == BO_Rem || Binary->getOpcode() == BO_And ||
             Binary->getOpcode() == BO_Shr;
    }
    if (isa<CallExpr>(Inner))
      return true;
    if (const auto *Member = dyn_cast<MemberExpr>(Inner)) {
      const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
      return Field && llvm::any_of(Accesses.of(*Field), [&](unsigned I) {
               const auto *Store =
                   dyn_cast<BinaryOperator>(Accesses.all()[I].Site);
               return Accesses.all()[I].Kind == AccessKind::Write && Store &&
                      Store->getOpcode() == BO_Assign &&
                      isScattered(*Store->getRHS(), Depth + 1);
             });
    }
    const auto *Ref = dyn_cast<DeclRefExpr>(Inner);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var || !Var->hasLocalStorage())
      return false;
    if (isa<ParmVarDecl>(Var))
      return true;
    return Var->hasInit() && isScattered(*Var->getInit(), Depth + 1);
  }

  /// What operations write at the end of one record is on the line where the
  /// next one has its lock.
  bool endsBeforeLock(const RecordDecl &Record, const FieldDecl &Lock) {
    std::optional<RecordLines> Lines = RecordLines::build(Record, Unit, Line);
    if (!Lines)
      return false;
    const uint64_t LastLine = Lines->size() - Lines->size() % Line;
    return llvm::any_of(Lines->fields(),
                        [&](const FieldSpan &Span) {
                          return Span.Field == &Lock && Span.Offset < Line;
                        }) &&
           llvm::any_of(Lines->fields(), [&](const FieldSpan &Span) {
             return Span.Offset >= LastLine && !isPaddingField(*Span.Field) &&
                    !Roles.of(*Span.Field).Writers.empty();
           });
  }

  /// The lock of a small record: shards[hash(key) % 64].lock; or of a larger
  /// one, of which only the ends meet.
  bool isLockOf(const Element &Part, const Access &Use) {
    const RecordDecl *Record = Part.Type->getAsRecordDecl();
    Record = Record ? Record->getDefinition() : nullptr;
    const FieldDecl *Field = Record ? lockTaken(*Record, Use) : nullptr;
    return Field && Field->getParent() == Record &&
           isLockField(*Field, Kinds) &&
           !Unit.getSourceManager().isInSystemHeader(Record->getLocation()) &&
           (uint64_t(Unit.getTypeSizeInChars(Part.Type).getQuantity()) <
                2 * Line ||
            endsBeforeLock(*Record, *Field));
  }

  const FieldDecl *lockTaken(const RecordDecl &Record, const Access &Use) {
    if (Use.Kind == AccessKind::Address)
      return lockOfGuardedValue(Record);
    const FieldDecl *Taken = lockTakenBy(Use, Record);
    return Taken ? Taken : Use.Object.field();
  }

  /// `class Guarded { std::mutex mutex; T value; public: Guard lock(); }`: code
  /// that is given an element by reference can only take its lock.
  const FieldDecl *lockOfGuardedValue(const RecordDecl &Record) const {
    const auto *Class = dyn_cast<CXXRecordDecl>(&Record);
    if (!Class)
      return nullptr;
    const FieldDecl *Lock = nullptr;
    for (const FieldDecl *Field : Class->fields()) {
      if (Field->getAccess() == AS_public)
        return nullptr;
      if (isLockField(*Field, Kinds))
        Lock = Field;
    }
    const bool HasAnotherWay =
        llvm::any_of(Class->methods(), [](const CXXMethodDecl *Method) {
          return Method->getAccess() == AS_public && !Method->isImplicit() &&
                 !isa<CXXConstructorDecl, CXXDestructorDecl>(Method) &&
                 !Method->isCopyAssignmentOperator() &&
                 !Method->isMoveAssignmentOperator() &&
                 !(Method->getIdentifier() &&
                   Method->getName().contains_insensitive("lock"));
        });
    return HasAnotherWay ? nullptr : Lock;
  }

  /// shards[hash(key) % 64].insert(key), whose body takes the shard's lock.
  const FieldDecl *lockTakenBy(const Access &Use, const RecordDecl &Record) {
    const auto *Call = dyn_cast<CXXMemberCallExpr>(Use.Site->IgnoreParens());
    const FunctionDecl *Method = Call ? Call->getMethodDecl() : nullptr;
    Method = Method ? Method->getDefinition() : nullptr;
    if (!Method ||
        (Use.Object.field() && Use.Object.field() != Use.Object.Array))
      return nullptr;
    for (unsigned Index : Accesses.in(*Method)) {
      const Access &Inner = Accesses.all()[Index];
      const FieldDecl *Field = Inner.Object.field();
      const AccessKind Kind = Hot.kindOf(Inner);
      if (Inner.Object.IsThis && Field && isLockField(*Field, Kinds) &&
          Field->getParent() == &Record &&
          (Kind == AccessKind::Update || Kind == AccessKind::Mutate))
        return Field;
    }
    return nullptr;
  }

  /// locks[hash(key) % 64], by itself or by its address
  void checkElement(const Access &Use) {
    const Element Part = Use.Object.elements().back();
    if (!Part.Array || Part.Type.isNull() || Part.Type->isIncompleteType() ||
        Part.Type->isDependentType() || Part.Type->isPointerType() ||
        Part.Array->getType()->isReferenceType() ||
        !(isLockType(Part.Type, Kinds) || isLockOf(Part, Use)) ||
        !isScattered(*Part.Index) || Check.common().isAccepted(*Part.Array) ||
        !Hot.isOnOperationPath(Use))
      return;
    uint64_t Stride =
        Unit.getTypeSizeInChars(Part.Type.getNonReferenceType()).getQuantity();
    uint64_t Count = 0;
    if (const ConstantArrayType *Array =
            Unit.getAsConstantArrayType(Part.Array->getType()))
      Count = Array->getSize().getLimitedValue();
    // A few locks are on a line or two whatever one does.
    if (Stride == 0 || Stride % Line == 0 || (Count != 0 && Count < 8))
      return;
    if (!ReportedArrays.insert(Part.Array->getLocation()).second)
      return;
    Check.analyses().ReportedWords.insert(Part.Array);
    const uint64_t Padding = Line - Stride % Line;
    const auto *Ref = dyn_cast<DeclRefExpr>(Part.Index->IgnoreParenCasts());
    const bool IsCallers = Ref && isa<ParmVarDecl>(Ref->getDecl());
    Check.warn(Check.place(Use),
               {.Subject = *Part.Array, .Function = Use.Function},
               "%select{a computed number|the caller}0 picks one of the locks "
               "in '%1' here, and they are %2 bytes apart: %select{the end of "
               "one and the start of the next|up to %5}3 share a cache line of "
               "%4, so threads that take different locks still write one line; "
               "%select{whole lines for each cost %6 bytes a lock|a line for "
               "each costs %6 bytes a lock, fewer locks of a line each cost "
               "nothing and collide more often}3")
        << IsCallers << plainName(*Part.Array) << unsigned(Stride)
        << (Stride < Line) << unsigned(Line)
        << unsigned((Line + Stride - 1) / Stride) << unsigned(Padding);
    Check.diag(Part.Array->getLocation(), "'%0' is declared here",
               DiagnosticIDs::Note)
        << plainName(*Part.Array);
  }

  LockNeighbourCheck &Check;
  FieldRoles Roles;
  llvm::SmallSet<SourceLocation, 4> ReportedArrays;
};

void LockNeighbourCheck::checkArrays(ASTContext &Unit) {
  ArrayReader(*this, Unit).read();
}

} // namespace linesman::tidy
