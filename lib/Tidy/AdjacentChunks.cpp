// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman-adjacent-writers where the two writers are at the two ends of a list
// of chunks, each of which has many cells and comes from the allocator:
//
//     struct chunk { T cells[256]; chunk *next; };
//     push(): last->next = malloc(sizeof(chunk));  last = last->next;
//     pop():  old = first;  first = first->next;  spare.exchange(old);
//
// What the allocator gives starts anywhere on a line: the last cells of one
// chunk and the first of another, filled and emptied by different threads, are
// on one.

#include "AdjacentWritersCheck.h"
#include "Analysis/Accesses/FieldRoles.h"
#include "Analysis/Names/PlainName.h"
#include "LineReader.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

class AdjacentWritersCheck::ChunkReader : LineReader {
public:
  ChunkReader(AdjacentWritersCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check), Roles(Hot, Kinds, Unit) {}

  void read() {
    for (const RecordDecl *Record : Accesses.records())
      if (isChunk(*Record) && !Check.common().isAccepted(*Record))
        checkChunk(*Record);
  }

private:
  static bool isPointerTo(QualType Type, const RecordDecl &Record) {
    const RecordDecl *Pointee = Type->isPointerType()
                                    ? Type->getPointeeType()->getAsRecordDecl()
                                    : nullptr;
    return Pointee && Pointee->getCanonicalDecl() == Record.getCanonicalDecl();
  }

  /// Many cells and a link to the next chunk, aligned to less than a line.
  bool isChunk(const RecordDecl &Record) const {
    bool HasCells = false, HasLink = false;
    if (Record.isDependentType() || !Record.isCompleteDefinition())
      return false;
    for (const FieldDecl *Field : Record.fields()) {
      const ConstantArrayType *Cells =
          Unit.getAsConstantArrayType(Field->getType());
      HasCells |= Cells && Cells->getSize().getLimitedValue() > 1 &&
                  !Cells->getElementType()->isCharType();
      HasLink |= isPointerTo(Field->getType(), Record);
    }
    if (!HasCells || !HasLink)
      return false;
    const std::optional<RecordLines> Lines =
        RecordLines::build(Record, Unit, Line);
    return Lines && Lines->alignment() < Line;
  }

  /// std::atomic<chunk *>, or a class of the project's own for one.
  bool isAtomicPointerTo(QualType Type, const RecordDecl &Record) const {
    if (const auto *Atomic = Type->getAs<AtomicType>())
      return isPointerTo(Atomic->getValueType(), Record);
    const auto *Class = dyn_cast_if_present<ClassTemplateSpecializationDecl>(
        Type->getAsCXXRecordDecl());
    if (!Class || !Class->getName().contains_insensitive("atomic") ||
        Class->getTemplateArgs().size() == 0 ||
        Class->getTemplateArgs()[0].getKind() != TemplateArgument::Type)
      return false;
    const QualType Held = Class->getTemplateArgs()[0].getAsType();
    const RecordDecl *Object = Held->getAsRecordDecl();
    return isPointerTo(Held, Record) ||
           (Object && Object->getCanonicalDecl() == Record.getCanonicalDecl());
  }

  /// Two ends, which different functions move, and between them a pointer that
  /// both exchange.
  bool hasTwoEnds(const RecordDecl &Owner, const RecordDecl &Chunk) {
    llvm::SmallVector<const FieldDecl *, 4> Ends;
    FunctionSet Exchangers;
    for (const FieldDecl *Field : Owner.fields())
      if (isPointerTo(Field->getType(), Chunk))
        Ends.push_back(Field);
      else if (isAtomicPointerTo(Field->getType(), Chunk))
        for (const FunctionDecl *Writer : Roles.of(*Field).Writers)
          Exchangers.insert(Writer);
    auto Moves = [&](const FieldDecl &End) {
      return !haveNoneInCommon(Roles.of(End).Writers, Exchangers);
    };
    for (size_t I = 0; I < Ends.size(); ++I)
      for (size_t J = I + 1; J < Ends.size(); ++J) {
        const FunctionSet OfOne = Roles.of(*Ends[I]).Writers;
        if (Moves(*Ends[I]) && Moves(*Ends[J]) &&
            haveNoneInCommon(OfOne, Roles.of(*Ends[J]).Writers))
          return true;
      }
    return false;
  }

  /// By an operation: the allocation itself, or null.
  const Expr *allocationOf(const RecordDecl &Chunk,
                           const FunctionDecl *&Function) {
    for (const UnitAccesses::CallCast &Cast : Accesses.callCasts()) {
      const auto *Call =
          dyn_cast<CallExpr>(Cast.Cast->getSubExpr()->IgnoreParenImpCasts());
      const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
      if (Callee && Callee->getIdentifier() && Cast.Function &&
          (Callee->getName() == "malloc" || Callee->getName() == "calloc") &&
          isPointerTo(Cast.Cast->getType(), Chunk) &&
          Hot.isOperation(Cast.Function)) {
        Function = Cast.Function;
        return Call;
      }
    }
    for (const UnitAccesses::CallSite &Site : Accesses.calls()) {
      const auto *New = dyn_cast<CXXNewExpr>(Site.Call);
      if (New && Site.Function && !New->isArray() &&
          New->getNumPlacementArgs() == 0 &&
          isPointerTo(New->getType(), Chunk) &&
          Hot.isOperation(Site.Function)) {
        Function = Site.Function;
        return New;
      }
    }
    return nullptr;
  }

  /// Somebody asks for aligned memory of this size.
  bool isAlignedElsewhere(const RecordDecl &Chunk) const {
    return llvm::any_of(
        Accesses.calls(), [&](const UnitAccesses::CallSite &Site) {
          const auto *Call = dyn_cast<CallExpr>(Site.Call);
          const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
          return Callee && Callee->getIdentifier() &&
                 Callee->getName().contains("align") &&
                 llvm::any_of(Call->arguments(), [&](const Expr *Argument) {
                   const auto *Size = dyn_cast<UnaryExprOrTypeTraitExpr>(
                       Argument->IgnoreParenImpCasts());
                   return Size && Size->getKind() == UETT_SizeOf &&
                          Size->getTypeOfArgument()->getAsRecordDecl() ==
                              &Chunk;
                 });
        });
  }

  void checkChunk(const RecordDecl &Chunk) {
    const FunctionDecl *Function = nullptr;
    const Expr *Allocation = allocationOf(Chunk, Function);
    if (!Allocation || isAlignedElsewhere(Chunk) ||
        llvm::none_of(Accesses.records(), [&](const RecordDecl *Owner) {
          return hasTwoEnds(*Owner, Chunk);
        }))
      return;
    const SourceLocation Place =
        Unit.getSourceManager().getFileLoc(Allocation->getExprLoc());
    if (!Reported.insert(Place).second)
      return;
    Check.warn(Place, {.Subject = Chunk, .Function = Function},
               "chunks of '%0' come from '%select{malloc|new}1' here, which "
               "aligns them to less than a line: one thread fills the cells "
               "of one chunk while another empties those of a second, and "
               "where one ends and the other begins they write the same line; "
               "allocate chunks at multiples of %2 bytes")
        << plainName(Chunk) << isa<CXXNewExpr>(Allocation) << unsigned(Line);
    Check.diag(templatePattern(Chunk).getLocation(), "'%0' is declared here",
               DiagnosticIDs::Note)
        << plainName(Chunk);
  }

  AdjacentWritersCheck &Check;
  FieldRoles Roles;
  llvm::SmallSet<SourceLocation, 4> Reported;
};

void AdjacentWritersCheck::checkChunks(ASTContext &Unit) {
  ChunkReader(*this, Unit).read();
}

} // namespace linesman::tidy
