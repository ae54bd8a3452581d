// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SentinelWriteCheck.h"
#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Accesses/ObjectWrites.h"
#include "Analysis/Addresses/AccessPath.h"
#include "Analysis/Addresses/GuardFix.h"
#include "Analysis/Addresses/StaticReach.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/RecordLines.h"
#include "Analysis/Names/ReferenceCounts.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// A setter that calls a setter; deeper is nobody's idea of a store.
constexpr unsigned MaxSetterDepth = 4;

/// May a pointer to \p Pointee really point to an object of this type?
/// Addresses travel through void * and fields of any type.
bool isCompatible(QualType Pointee, QualType Object) {
  const auto *Target = Pointee->getAsRecordDecl();
  const auto *Owner = Object->getAsRecordDecl();
  if (!Target || !Owner)
    return false;
  if (Target->getCanonicalDecl() == Owner->getCanonicalDecl())
    return true;
  const auto *ToClass = dyn_cast<CXXRecordDecl>(Target);
  const auto *OfClass = dyn_cast<CXXRecordDecl>(Owner);
  if (!ToClass || !OfClass || !ToClass->hasDefinition() ||
      !OfClass->hasDefinition())
    return false;
  return OfClass->isDerivedFrom(ToClass) || ToClass->isDerivedFrom(OfClass);
}

QualType pointeeOf(const Expr &Base) {
  QualType Type = stripSameObject(&Base)->getType();
  // What a wrapper points to only its operator-> says; flow has the object.
  if (isPointerWrapper(Type))
    return QualType();
  return Type->isPointerType() ? Type->getPointeeType() : Type;
}

/// `p = q`, `++p`, `p.reset(q)`: the pointer itself is written, and what it
/// points to is not.
bool isWriteOfPointer(const WrittenPart &Part) {
  if (Part.IsPointedTo)
    return false;
  QualType Type = stripSameObject(Part.Base)->getType();
  return Type->isPointerType() || isPointerWrapper(Type);
}

/// Nothing but pointers to its own kind: the link of an intrusive list. The
/// head of one is part of the list, and its neighbours write it.
bool isLink(const RecordDecl &Record) {
  if (Record.field_empty() || Record.isUnion())
    return false;
  return llvm::all_of(Record.fields(), [&](const FieldDecl *Field) {
    QualType Pointee = Field->getType()->getPointeeType();
    return !Pointee.isNull() &&
           Pointee->getAsRecordDecl() == Record.getDefinition();
  });
}

QualType elementType(const VarDecl &Object) {
  return Object.getASTContext().getBaseElementType(Object.getType());
}

/// Nothing that could be written: a dummy behind an interface.
bool hasNoFields(const VarDecl &Object, uint64_t LineSize) {
  const auto *Class = elementType(Object)->getAsCXXRecordDecl();
  std::optional<RecordLines> Lines =
      Class ? RecordLines::build(*Class, Object.getASTContext(), LineSize)
            : std::nullopt;
  return Lines && Lines->fields().empty() && Class->getNumVBases() == 0;
}

/// What a virtual call runs when its object is \p Object: the type of a
/// variable is its object's type.
const CXXMethodDecl &methodFor(const VarDecl &Object,
                               const CXXMethodDecl &Called) {
  const auto *Class = elementType(Object)->getAsCXXRecordDecl();
  const CXXMethodDecl *Run =
      Called.isVirtual() && Class && Class->hasDefinition()
          ? Called.getCorrespondingMethodInClass(Class->getDefinition(), true)
          : nullptr;
  return Run ? *Run : Called;
}

/// Does calling the method store into its object (unless a test of this keeps
/// the object out)?
bool writesItself(const CXXMethodDecl &Called, const VarDecl &Object,
                  const TypeKinds &Kinds, AddressAnalyses &Addresses,
                  unsigned Depth) {
  const CXXMethodDecl &Method = methodFor(Object, Called);
  const FunctionDecl *Definition = nullptr;
  if (!Method.hasBody(Definition))
    // By convention such a method returns nothing: what returns something may
    // be an accessor that lacks a const.
    return Method.getReturnType()->isVoidType() && Method.getIdentifier();
  if (Depth == MaxSetterDepth)
    return false;
  for (const Stmt *Node : UnitCode::read(*Definition).Statements) {
    std::optional<ObjectWrite> Write = writeOf(*Node, Kinds);
    if (!Write || !isa<CXXThisExpr>(stripSameObject(Write->Part.Base)) ||
        isCountStep(*Write))
      continue;
    if (Write->Way == ObjectWrite::Call) {
      const auto *Call = dyn_cast<CXXMemberCallExpr>(Write->Site);
      if (!Call || !Call->getMethodDecl() ||
          !writesItself(*Call->getMethodDecl(), Object, Kinds, Addresses,
                        Depth + 1))
        continue;
    }
    if (!Addresses.isExcluded({Definition, Write->Site, AccessPath(), &Object}))
      return true;
  }
  return false;
}

StringRef describe(SentinelUse Use) {
  switch (Use) {
  case SentinelUse::Comparison:
    return "pointers are compared with it here";
  case SentinelUse::Default:
    return "pointers are set to it by default here";
  case SentinelUse::Replacement:
    return "it replaces a pointer that is given up here";
  case SentinelUse::Fallback:
    return "it stands in for a missing object here";
  }
  llvm_unreachable("all uses are listed");
}

std::string nameOf(const FunctionDecl &Function) {
  if (const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
      Method && Method->getParent()->isLambda())
    return "a lambda";
  return "'" + plainName(Function) + "'";
}

} // namespace

class SentinelWriteCheck::UnitReader {
public:
  UnitReader(SentinelWriteCheck &Check, ASTContext &Unit)
      : Check(Check), Unit(Unit), Addresses(Check.addresses(Unit)),
        Kinds(Check.typeKinds()) {}

  void read();

private:
  struct Candidate {
    const FunctionCode *Code = nullptr;
    ObjectWrite Write;
    const VarDecl *Object = nullptr;
  };

  void checkWrite(const FunctionCode &Code, const ObjectWrite &Write);
  bool isHazard(const Candidate &Found);
  bool isNeededWrite(const Candidate &Found);
  void report(const Candidate &Found);
  void noteFix(const Candidate &Found);

  SentinelWriteCheck &Check;
  ASTContext &Unit;
  AddressAnalyses &Addresses;
  const TypeKinds Kinds;
  llvm::DenseSet<std::pair<SourceLocation, const VarDecl *>> Reported;
};

void SentinelWriteCheck::checkUnit(ASTContext &Unit) {
  UnitReader(*this, Unit).read();
}

void SentinelWriteCheck::UnitReader::read() {
  for (const FunctionCode &Code : Addresses.Code.functions())
    for (const Stmt *Node : Code.Statements)
      if (std::optional<ObjectWrite> Write = writeOf(*Node, Kinds))
        checkWrite(Code, *Write);
}

void SentinelWriteCheck::UnitReader::checkWrite(const FunctionCode &Code,
                                                const ObjectWrite &Write) {
  const Expr *Base = Write.Part.Base;
  // By name, or in the object's own method: that is no pointer that could as
  // well point elsewhere, and a call of the method is looked at by its caller.
  if (!Base || isa<CXXThisExpr>(stripSameObject(Base)) ||
      certainStatic(*Base) || isWriteOfPointer(Write.Part))
    return;
  for (const VarDecl *Object : Addresses.Flow.objectsOf(*Base, Code.Function)) {
    Candidate Found{&Code, Write, Object};
    if (isHazard(Found))
      report(Found);
  }
}

bool SentinelWriteCheck::UnitReader::isHazard(const Candidate &Found) {
  const Expr &Base = *Found.Write.Part.Base;
  QualType Pointee = pointeeOf(Base);
  if (!Pointee.isNull() && !isCompatible(Pointee, elementType(*Found.Object)))
    return false;
  if (Check.common().isAccepted(*Found.Object))
    return false;
  // Filling in a default once is what start-up is for.
  if (const FunctionDecl *Writer = Found.Code->Function;
      !Check.common().Strict && Writer && Writer->getIdentifier() &&
      soundsLikeOnce(Writer->getName()))
    return false;
  for (const FieldDecl *Field : Found.Write.Part.Fields)
    // Locks are meant to be written, and to whom a count belongs another check
    // says.
    if (Check.common().isAccepted(*Field) ||
        Kinds.isSynchronization(Field->getType()))
      return false;
  if (isCountStep(Found.Write))
    return false;
  if (!Check.common().Strict &&
      (!Addresses.Sentinels.of(*Found.Object) || isNeededWrite(Found)))
    return false;
  if (Found.Write.Way == ObjectWrite::Call) {
    if (hasNoFields(*Found.Object, Check.common().CacheLineSize))
      return false;
    const auto *Call = dyn_cast<CXXMemberCallExpr>(Found.Write.Site);
    if (!Call || !Call->getMethodDecl() ||
        isReferenceCountingName(Call->getMethodDecl()->getNameAsString()))
      return false;
    // A call on a part (p->list.push_back()) is judged like one on the whole:
    // a test of this inside would be of the part.
    if (!writesItself(*Call->getMethodDecl(), *Found.Object, Kinds, Addresses,
                      0))
      return false;
  }
  std::optional<AccessPath> Place = pathOf(Base);
  // What has no name cannot have been tested by name.
  if (!Place)
    return Check.common().Strict;
  return !Addresses.isExcluded({Found.Code->Function, Found.Write.Site,
                                std::move(*Place), Found.Object});
}

bool SentinelWriteCheck::UnitReader::isNeededWrite(const Candidate &Found) {
  // A variable that only ever holds this address is its other name.
  if (std::optional<Slot> Base = slotOf(*Found.Write.Part.Base))
    if (const auto *Variable = dyn_cast<VarDecl>(Base->getPointer());
        Variable && Variable->hasLocalStorage() &&
        !isa<ParmVarDecl>(Variable) &&
        Addresses.Flow.holdsNothingElse(*Base, *Found.Object))
      return true;
  if (const RecordDecl *Record = elementType(*Found.Object)->getAsRecordDecl();
      Record && isLink(*Record))
    return true;
  // Code that reads the object's fields by the object's name wants their
  // values: the first heap, the default arena are compared with, too, and the
  // head of a list is part of the list.
  const UnitAccesses &All = Check.accesses(Unit);
  if (All.isNamedInBrokenCode(*Found.Object))
    return true;
  HotAccesses Hot(All, Kinds);
  for (unsigned Index : All.of(*Found.Object)) {
    const Access &Use = All.all()[Index];
    if (Use.Kind != AccessKind::Read || Use.Object.Path.empty())
      continue;
    const bool IsWritten =
        !Found.Write.Part.Fields.empty() &&
        Use.Object.Path.front() == Found.Write.Part.Fields.front();
    // Whether it is taken already is asked of the first of many, too, wherever.
    if (IsWritten || Use.IsInCondition || Hot.isOnOperationPath(Use))
      return true;
  }
  return false;
}

void SentinelWriteCheck::UnitReader::report(const Candidate &Found) {
  const VarDecl &Pattern = patternOf(*Found.Object);
  SourceLocation Location = Found.Write.Site->getExprLoc();
  // The same line of a template or macro is one cause.
  if (!Reported.insert({Unit.getSourceManager().getFileLoc(Location), &Pattern})
           .second)
    return;
  const std::string Name = plainName(Pattern);
  std::string Subject = "its object";
  if (!Found.Write.Part.Fields.empty())
    Subject = "'" + fieldName(*Found.Write.Part.Fields.back()) + "'";
  if (Found.Write.Way == ObjectWrite::Call)
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(Found.Write.Site))
      Subject += " in the call of '" + plainName(*Call->getMethodDecl()) + "'";
  Check.warn(
      Location,
      {.Subject = Pattern,
       .Function = Found.Code->Function,
       .Field = Found.Write.Part.Fields.empty()
                    ? nullptr
                    : Found.Write.Part.Fields.back()},
      "%0 writes %1 through a pointer that may be to the static '%2'; every "
      "core that runs this takes the cache line of '%2' away from all others: "
      "test for it first")
      << nameOf(*Found.Code->Function) << Subject << Name;

  // The first field beside the written one is the one to suffer.
  std::string Neighbour;
  if (!Found.Write.Part.Fields.empty())
    if (const RecordDecl *Record =
            elementType(*Found.Object)->getAsRecordDecl())
      if (std::optional<RecordLines> Lines =
              RecordLines::build(*Record, Unit, Check.common().CacheLineSize))
        if (std::optional<FieldSpan> Written =
                Lines->find(*Found.Write.Part.Fields.front()))
          for (const FieldSpan &Other : Lines->fields())
            if (Neighbour.empty() && Other.Field != Written->Field &&
                Lines->sharing(*Written, Other) != LineSharing::Never)
              Neighbour =
                  llvm::formatv("; '{0}' (offset {1}) shares its line with "
                                "'{2}' (offset {3}) "
                                "and with whatever the linker puts beside it",
                                fieldName(*Written->Field), Written->Offset,
                                fieldName(*Other.Field), Other.Offset);
  Check.diag(Pattern.getLocation(), "'%0' is one object for all threads%1",
             DiagnosticIDs::Note)
      << Name << Neighbour;
  if (const SentinelEvidence *Evidence = Addresses.Sentinels.of(*Found.Object))
    Check.diag(Evidence->Location, "%0", DiagnosticIDs::Note)
        << describe(Evidence->Use);
  auto Way = Addresses.Flow.wayTo(*Found.Write.Part.Base, Found.Code->Function,
                                  *Found.Object);
  if (!Way.empty())
    Check.diag(Way.front().Leaf->getExprLoc(), "its address is taken here",
               DiagnosticIDs::Note);
  noteFix(Found);
}

void SentinelWriteCheck::UnitReader::noteFix(const Candidate &Found) {
  GuardFix Fix = guardFixFor(*Found.Write.Site, *Found.Write.Part.Base,
                             patternOf(*Found.Object), *Found.Code->Function);
  if (Fix.Hints.empty())
    return;
  auto Note = Check.diag(Found.Write.Site->getExprLoc(), "test '%0' first",
                         DiagnosticIDs::Note);
  Note << Fix.Test;
  for (const FixItHint &Hint : Fix.Hints)
    Note << Hint;
}

} // namespace linesman::tidy
