// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman-lock-neighbour where a function makes locks for whoever asks, each
// an object of its own from the allocator:
//
//     mutex_t *make() { mutex_t *m = malloc(sizeof(mutex_t)); ...; return m; }
//
// Locks that are made one after the other are neighbours in memory. Who takes
// them, and whether that is at the same time, is in other units.

#include "Analysis/Locks/LockUses.h"
#include "Analysis/Names/PlainName.h"
#include "LineReader.h"
#include "LockNeighbourCheck.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

namespace linesman::tidy {

class LockNeighbourCheck::MadeReader : LineReader {
public:
  MadeReader(LockNeighbourCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check) {}

  void read() {
    for (const UnitAccesses::CallCast &Made : Accesses.callCasts())
      if (Made.Function && check(*Made.Cast, *Made.Function))
        return;
  }

private:
  /// A lock, and perhaps a word that says who has it.
  const FieldDecl *onlyLockOf(const RecordDecl &Record) const {
    constexpr uint64_t MostOtherBytes = 16;
    const FieldDecl *Lock = nullptr;
    uint64_t OtherBytes = 0;
    for (const FieldDecl *Field : Record.fields()) {
      if (isPaddingField(*Field))
        return nullptr;
      if (!Lock && isLockField(*Field, Kinds))
        Lock = Field;
      else
        OtherBytes += Unit.getTypeSizeInChars(Field->getType()).getQuantity();
    }
    return OtherBytes <= MostOtherBytes ? Lock : nullptr;
  }

  bool check(const CastExpr &Cast, const FunctionDecl &Maker) {
    const QualType Type = Cast.getType()->getPointeeType();
    const QualType Given = Maker.getReturnType()->getPointeeType();
    if (Type.isNull() || Given.isNull())
      return false;
    const RecordDecl *Record = Type->getAsRecordDecl();
    Record = Record ? Record->getDefinition() : nullptr;
    if (!Record || !soundsLikeLock(plainName(*Record)) ||
        !hasKnownLayout(*Record, Unit) ||
        !Unit.hasSameUnqualifiedType(Given, Type) ||
        Check.common().isAccepted(*Record))
      return false;
    const auto *Call =
        dyn_cast<CallExpr>(Cast.getSubExpr()->IgnoreParenCasts());
    const FunctionDecl *Allocator = Call ? Call->getDirectCallee() : nullptr;
    const FieldDecl *Lock = Allocator ? onlyLockOf(*Record) : nullptr;
    const uint64_t Size = Unit.getTypeSizeInChars(Type).getQuantity();
    if (!Lock || !Allocator->getIdentifier() || Size >= Line ||
        uint64_t(Unit.getTypeAlignInChars(Type).getQuantity()) >= Line ||
        Allocator->getName().contains_insensitive("align") ||
        Check.analyses().Named.contains(Lock->getLocation()) ||
        Accesses.isNamedInBrokenCode(*Record))
      return false;
    Check.warn(Check.place(Cast), {.Subject = *Record, .Function = &Maker},
               "'%0' takes %1 bytes from '%2' for each lock of type '%3': the "
               "allocator puts locks that are made one after the other on one "
               "cache line of %4, so that threads that take different locks "
               "still write one line; if they are taken often, keep each lock "
               "in the object that it guards, or take whole lines that are "
               "aligned to one")
        << plainName(Maker) << unsigned(Size) << plainName(*Allocator)
        << plainName(*Record) << unsigned(Line);
    return true;
  }

  LockNeighbourCheck &Check;
};

void LockNeighbourCheck::checkRest(ASTContext &Unit) {
  MadeReader(*this, Unit).read();
}

} // namespace linesman::tidy
