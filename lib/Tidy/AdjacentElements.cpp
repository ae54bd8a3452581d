// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman-adjacent-writers where the two words are elements of one array:
//
//     heads[size_class]              taken by whoever wants that size
//     counts[kind].fetch_add(1)      for whatever happens, to whatever thread
//     cells[next.fetch_add(1) % n]   one after the other, by different threads

#include "AdjacentWritersCheck.h"
#include "Analysis/Accesses/FieldRoles.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/LocalValues.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Containers/RingEnds.h"
#include "Analysis/Names/PlainName.h"
#include "LineReader.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

namespace {

/// Of an array or a std::array, as far as the type tells; otherwise 0.
uint64_t countOf(const ValueDecl &Array, const ASTContext &Unit) {
  QualType Type = Array.getType().getNonReferenceType();
  if (const ConstantArrayType *Plain = Unit.getAsConstantArrayType(Type))
    return Plain->getSize().getLimitedValue();
  const auto *Class = dyn_cast_if_present<ClassTemplateSpecializationDecl>(
      Type->getAsCXXRecordDecl());
  if (!Class || Class->getName() != "array" ||
      Class->getTemplateArgs().size() != 2 ||
      Class->getTemplateArgs()[1].getKind() != TemplateArgument::Integral)
    return 0;
  return Class->getTemplateArgs()[1].getAsIntegral().getLimitedValue();
}

} // namespace

class AdjacentWritersCheck::ElementReader : LineReader {
public:
  ElementReader(AdjacentWritersCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check) {}

  void read() {
    for (const Access &Use : Accesses.all())
      if (Use.Object.Index && Use.writes()) {
        checkElement(Use);
        checkCount(Use);
        checkCell(Use);
      }
  }

private:
  /// heads[class]: neither a loop's counter nor a ring's position.
  static bool isChosen(const Expr &Index, const FunctionDecl &Function,
                       bool IsLocal = false) {
    const Expr *Inner = Index.IgnoreParenCasts();
    if (isa<CallExpr>(Inner))
      return true;
    const auto *Ref = dyn_cast<DeclRefExpr>(Inner);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var || !Var->hasLocalStorage())
      return false;
    if (isa<ParmVarDecl>(Var))
      return assignmentsOf(*Var, Function).empty();
    const auto Values = valuesOf(*Var, Function);
    return !IsLocal && Values.size() == 1 &&
           isChosen(*Values[0], Function, /*IsLocal=*/true);
  }

  /// Words of a small array that threads take from each other, one of which
  /// the caller chooses: lists by size, slots by class.
  void checkElement(const Access &Use) {
    constexpr uint64_t FewestWords = 8, MostWords = 256;
    const Element Part = Use.Object.elements().back();
    const FieldDecl *Field = Use.Object.field();
    if (!Use.Function || !Part.Array || Part.Type.isNull() ||
        (Field && Field != Part.Array))
      return;
    const uint64_t Count = countOf(*Part.Array, Unit);
    if (Count < FewestWords || Count > MostWords ||
        Check.common().isAccepted(*Part.Array) || !isTakenFromOthers(Use) ||
        !isChosen(*Part.Index, *Use.Function) || !Hot.isHotWrite(Use))
      return;
    const uint64_t Stride =
        Unit.getTypeSizeInChars(Part.Type.getNonReferenceType()).getQuantity();
    if (Stride == 0 || Stride * 2 > Line ||
        !Reported.insert(Part.Array->getLocation()).second)
      return;
    Check.warn(Check.place(Use),
               {.Subject = *Part.Array, .Function = Use.Function},
               "'%0' picks one of the words in '%1' and takes it from other "
               "threads here, and they are %2 bytes apart: up to %3 share a "
               "cache line of %4, so threads that take different words still "
               "write one line; a line for each costs %5 bytes a word")
        << plainName(*Use.Function) << plainName(*Part.Array)
        << unsigned(Stride) << unsigned(Line / Stride) << unsigned(Line)
        << unsigned(Line - Stride);
    Check.diag(Part.Array->getLocation(), "'%0' is declared here",
               DiagnosticIDs::Note)
        << plainName(*Part.Array);
  }

  /// Compared in a loop and exchanged for something else: a list's head. A bit
  /// of a map is no word of its own.
  bool isTakenFromOthers(const Access &Use) const {
    if (Hot.operationOf(Use) != AtomicOperation::CompareExchange || !Use.Loop ||
        keepsExtreme(Use))
      return false;
    auto Operands = atomicOperands(*Use.Site);
    return Operands.size() > 1 && !isOfBits(*Operands[1], *Use.Function);
  }

  static bool isOfBits(const Expr &Value, const FunctionDecl &Function,
                       unsigned Depth = 0) {
    constexpr unsigned MaxDepth = 2;
    const Expr *Inner = Value.IgnoreParenImpCasts();
    if (const auto *Binary = dyn_cast<BinaryOperator>(Inner))
      return Binary->isBitwiseOp() || Binary->isShiftOp();
    if (const auto *Unary = dyn_cast<UnaryOperator>(Inner))
      return Unary->getOpcode() == UO_Not;
    const auto *Ref = dyn_cast<DeclRefExpr>(Inner);
    const auto *Local = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return Local && Local->hasLocalStorage() && !isa<ParmVarDecl>(Local) &&
           Depth != MaxDepth &&
           llvm::any_of(valuesOf(*Local, Function), [&](const Expr *Part) {
             return isOfBits(*Part, Function, Depth + 1);
           });
  }

  /// counts[kind]++ of an object that its users share: one copy of all the
  /// counts, several of them on a line.
  void checkCount(const Access &Use) {
    constexpr uint64_t FewestCounts = 3;
    const Element Part = Use.Object.elements().back();
    const auto *Array = dyn_cast_if_present<FieldDecl>(Part.Array);
    if (!Array || !Use.Function || Part.Type.isNull() ||
        Part.Type->isDependentType() || Use.Object.Root || Use.IsResultUsed ||
        !Use.Object.OuterElements.empty() ||
        countOf(*Array, Unit) < FewestCounts ||
        Check.common().isAccepted(*Array) || Reported.contains(place(*Array)))
      return;
    const auto *Owner = dyn_cast_if_present<ParmVarDecl>(Use.Object.Base);
    const uint64_t Stride =
        Unit.getTypeSizeInChars(Part.Type.getNonReferenceType()).getQuantity();
    if ((!Use.Object.IsThis && !Owner) || Stride == 0 || Stride * 2 > Line ||
        !(Hot.operationOf(Use) == AtomicOperation::FetchModify ||
          Hot.callsAtomicUpdate(Use)) ||
        !namesKind(*Part.Index, *Use.Function) || !Hot.isHotWrite(Use) ||
        mayBeOneThreads(*Array))
      return;
    Reported.insert(place(*Array));
    Check.analyses().ReportedWords.insert(Array);
    Check.warn(Check.place(Use), {.Subject = *Array, .Function = Use.Function},
               "'%0' counts one of several kinds in '%1', %2 bytes apart: up "
               "to %3 counts are on a cache line of %4, and threads that count "
               "different kinds still write one line; keep a copy of '%1' per "
               "thread and add them where they are read")
        << plainName(*Use.Function) << plainName(*Array) << unsigned(Stride)
        << unsigned(Line / Stride) << unsigned(Line);
    Check.diag(Array->getLocation(), "'%0' is declared here",
               DiagnosticIDs::Note)
        << plainName(*Array);
  }

  /// A value of an enumeration that the function does not know, or a number for
  /// which its callers have different constants.
  bool namesKind(const Expr &Index, const FunctionDecl &Function) const {
    const Expr *Inner = Index.IgnoreParenCasts();
    if (Inner->isValueDependent() || Inner->isEvaluatable(Unit))
      return false;
    if (Inner->getType()->isEnumeralType())
      return true;
    const auto *Ref = dyn_cast<DeclRefExpr>(Inner);
    const auto *Parameter =
        Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
    if (!Parameter ||
        Parameter->getFunctionScopeIndex() >= Function.getNumParams())
      return false;
    llvm::SmallSet<uint64_t, 4> Values;
    for (const CodePlace &Caller : Accesses.callersOf(Function)) {
      const auto *Call = dyn_cast_if_present<CallExpr>(Caller.Site);
      const unsigned Position = Parameter->getFunctionScopeIndex();
      Expr::EvalResult Value;
      if (!Call || Position >= Call->getNumArgs() ||
          Call->getArg(Position)->isValueDependent() ||
          !Call->getArg(Position)->EvaluateAsInt(Value, Unit))
        return false;
      Values.insert(Value.Val.getInt().getLimitedValue());
    }
    return Values.size() > 1;
  }

  /// Its record is aligned to lines, a thread's own, or one of several in an
  /// array: copies that somebody keeps apart already.
  bool mayBeOneThreads(const FieldDecl &Array) const {
    const RecordDecl *Record = Array.getParent();
    const std::optional<RecordLines> Lines =
        RecordLines::build(*Record, Unit, Line);
    if (!Lines || Lines->alignment() >= Line)
      return true;
    auto IsOfRecord = [&](QualType Type) {
      Type = Type.getNonReferenceType();
      if (Type->isPointerType())
        Type = Type->getPointeeType();
      return Type->getAsRecordDecl() == Record;
    };
    return llvm::any_of(Accesses.statics(),
                        [&](const VarDecl *Var) {
                          return isPerThread(*Var) &&
                                 IsOfRecord(Var->getType());
                        }) ||
           llvm::any_of(Accesses.all(), [&](const Access &Use) {
             return llvm::any_of(
                 Use.Object.elements(), [&](const Element &Part) {
                   return Part.Array != &Array && !Part.Type.isNull() &&
                          IsOfRecord(Part.Type);
                 });
           });
  }

  /// cells[position & mask].state.store(...), where threads take the positions
  /// one after the other: neighbours are different threads'.
  void checkCell(const Access &Use) {
    const Element Part = Use.Object.elements().back();
    const auto *Array = dyn_cast_if_present<FieldDecl>(Part.Array);
    if (!Array || !Use.Function || Part.Type.isNull() || !Hot.isAtomic(Use) ||
        Part.Type->isIncompleteType() || Part.Type->isDependentType() ||
        Check.common().isAccepted(*Array) || !Hot.isHotWrite(Use) ||
        !isWrittenByTwo(Part, Use))
      return;
    const uint64_t Stride =
        Unit.getTypeSizeInChars(Part.Type.getNonReferenceType()).getQuantity();
    if (Stride == 0 || Stride * 2 > Line || Reported.contains(place(*Array)))
      return;
    if (!Ends)
      Ends.emplace(Accesses);
    for (const FieldDecl *Position : Ends->positionsIn(*Array))
      if (isTaken(*Position)) {
        Reported.insert(place(*Array));
        return reportCell(Use, Part, *Position, Stride);
      }
  }

  static SourceLocation place(const FieldDecl &Array) {
    return Array.getLocation();
  }

  /// By those who fill the cells and those who empty them.
  bool isWrittenByTwo(const Element &Part, const Access &Use) {
    FunctionSet Writers;
    const FieldDecl *Field = Use.Object.field();
    if (!Field)
      return false;
    for (unsigned Index : Accesses.of(*Field)) {
      const Access &Other = Accesses.all()[Index];
      if (Other.Object.Array == Part.Array && Hot.isAtomic(Other) &&
          Hot.isHotWrite(Other))
        Writers.insert(Other.Function->getCanonicalDecl());
    }
    return Writers.size() > 1;
  }

  /// By many at once: at = next.fetch_add(1), or a compare-exchange in a loop.
  bool isTaken(const FieldDecl &Position) const {
    return llvm::any_of(Accesses.of(Position), [&](unsigned Index) {
      const Access &Use = Accesses.all()[Index];
      if (Use.Object.field() != &Position || !Hot.isHotWrite(Use))
        return false;
      const AtomicOperation Operation = Hot.operationOf(Use);
      return Operation == AtomicOperation::FetchModify
                 ? Use.IsResultUsed
                 : Operation == AtomicOperation::CompareExchange && Use.Loop;
    });
  }

  void reportCell(const Access &Use, const Element &Part,
                  const FieldDecl &Position, uint64_t Stride) {
    Check.warn(Check.place(Use),
               {.Subject = *Part.Array, .Function = Use.Function},
               "threads take the cells of '%0' one after the other, by '%1', "
               "and write them, here in '%2'; cells are %3 bytes apart, so up "
               "to %4 share a cache line of %5: who has one cell waits for "
               "those who have its neighbours; pad each to a line, for %6 "
               "bytes a cell, or let neighbouring positions pick cells that "
               "are a line apart")
        << plainName(*Part.Array) << fieldName(Position)
        << plainName(*Use.Function) << unsigned(Stride)
        << unsigned(Line / Stride) << unsigned(Line) << unsigned(Line - Stride);
    Check.diag(Part.Array->getLocation(), "'%0' is declared here",
               DiagnosticIDs::Note)
        << plainName(*Part.Array);
  }

  AdjacentWritersCheck &Check;
  /// Made for the first array that may be a ring's.
  std::optional<RingEnds> Ends;
  llvm::SmallSet<SourceLocation, 8> Reported;
};

void AdjacentWritersCheck::checkElements(ASTContext &Unit) {
  ElementReader(*this, Unit).read();
}

} // namespace linesman::tidy
