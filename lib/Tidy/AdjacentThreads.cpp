// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman-adjacent-writers where the unit starts its threads: who runs what is
// known then, and plain words count as well (EntryPairs).

#include "AdjacentWritersCheck.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Locks/LockUses.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Threads/EntryPairs.h"
#include "LineReader.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

class AdjacentWritersCheck::ThreadReader : LineReader {
public:
  ThreadReader(AdjacentWritersCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check), Threads(Hot) {}

  void read() {
    if (!Threads.haveTwo())
      return;
    for (const RecordDecl *Record : Accesses.records())
      if (!Check.common().isAccepted(*Record))
        checkRecord(*Record);
    const VarDecl *Last = nullptr;
    for (const VarDecl *Var : Accesses.statics()) {
      if (!isDefinedHere(*Var))
        continue;
      if (Last && isWord(*Last) && isWord(*Var) &&
          Last->hasInit() == Var->hasInit())
        checkPair(*Last, *Var);
      Last = Var;
    }
  }

private:
  /// Two threads that the unit itself starts, each at a word of its own.
  void checkRecord(const RecordDecl &Record) {
    std::optional<RecordLines> Lines = RecordLines::build(Record, Unit, Line);
    if (!Lines)
      return;
    auto IsWord = [&](const FieldDecl &Field) {
      return !Field.isBitField() && !isPaddingField(Field) &&
             !isLockField(Field, Kinds) &&
             !Kinds.isSynchronization(Field.getType()) &&
             !Check.common().isAccepted(Field) &&
             !Check.analyses().ReportedWords.contains(&Field);
    };
    for (const FieldSpan &A : Lines->fields())
      for (const FieldSpan &B : Lines->fieldsNear(A)) {
        const double Fraction = Lines->sharingFraction(A, B);
        if (A.Field == B.Field || Fraction < 0.5 || !IsWord(*A.Field) ||
            !IsWord(*B.Field))
          continue;
        const EntryPairs::Pair Found = Threads.find(*A.Field, *B.Field);
        if (Found.Write &&
            Reported.insert(templatePattern(Record).getLocation()).second)
          return report(A, B, Found, Fraction);
      }
  }

  void report(const FieldSpan &A, const FieldSpan &B,
              const EntryPairs::Pair &Found, double Fraction) {
    for (const auto &[Span, Entry] :
         {std::pair(&A, Found.Write), std::pair(&B, Found.Other)}) {
      Check.analyses().ReportedWords.insert(Span->Field);
      if (Entry->Object.Root)
        Check.analyses().ReportedParts.insert(
            {Entry->Object.Root, Span->Field});
    }
    Check.warn(
        Check.place(*Found.Write),
        {.Subject = *A.Field,
         .Function = Found.Write->Function,
         .Neighbour = B.Field},
        "one thread that this file starts writes '%0' (offset %1) here, in a "
        "loop, and another %select{reads|writes}2 '%3' (offset %4) in one; "
        "they %select{may be|are}5 on one cache line, which each write takes "
        "from the other thread; keep them a line apart")
        << fieldName(*A.Field) << unsigned(A.Offset) << Found.Other->writes()
        << fieldName(*B.Field) << unsigned(B.Offset) << (Fraction == 1);
    Check.diag(Check.place(*Found.Other), "the other thread is at '%0' here",
               DiagnosticIDs::Note)
        << fieldName(*B.Field);
    Check.noteAlignment(A.Offset < B.Offset ? B : A, Unit);
  }

  /// One after the other in the object file, as a rule.
  bool isDefinedHere(const VarDecl &Var) const {
    const SourceManager &Sources = Unit.getSourceManager();
    return Var.isThisDeclarationADefinition() && !Var.isStaticLocal() &&
           !isPerThread(Var) && !Var.getType().isConstQualified() &&
           !Var.getType()->isIncompleteType() &&
           Sources.isInMainFile(Sources.getExpansionLoc(Var.getLocation()));
  }

  bool isWord(const VarDecl &Var) const {
    return Unit.getTypeSizeInChars(Var.getType()).getQuantity() * 4 <=
               int64_t(Line) &&
           !Var.getType()->isArrayType() &&
           uint64_t(Unit.getDeclAlign(&Var).getQuantity()) < Line &&
           !isLockType(Var.getType(), Kinds) &&
           !Kinds.isSynchronization(Var.getType()) &&
           !Check.common().isAccepted(Var) &&
           !Check.analyses().ReportedWords.contains(&Var);
  }

  void checkPair(const VarDecl &A, const VarDecl &B) {
    EntryPairs::Pair Found = Threads.find(A, B);
    const bool IsFirstWritten = Found.Write;
    if (!IsFirstWritten)
      Found = Threads.find(B, A);
    if (!Found.Write || !Reported.insert(B.getLocation()).second)
      return;
    const VarDecl &Written = IsFirstWritten ? A : B,
                  &Other = IsFirstWritten ? B : A;
    // What linesman-global-write would say: each has one writer.
    Check.analyses().ReportedParts.insert({&Written, nullptr});
    if (Found.Other->writes())
      Check.analyses().ReportedParts.insert({&Other, nullptr});
    Check.warn(Check.place(*Found.Write),
               {.Subject = Written,
                .Function = Found.Write->Function,
                .Neighbour = &Other},
               "one thread that this file starts writes '%0' here, in a loop, "
               "and another %select{reads|writes}1 '%2' in one; they are "
               "defined one after the other, so that they are on one cache "
               "line as a rule, which each write takes from the other thread; "
               "align both to %3")
        << plainName(Written) << Found.Other->writes() << plainName(Other)
        << unsigned(Line);
    Check.diag(Check.place(*Found.Other), "the other thread is at '%0' here",
               DiagnosticIDs::Note)
        << plainName(Other);
  }

  AdjacentWritersCheck &Check;
  EntryPairs Threads;
  llvm::SmallSet<SourceLocation, 8> Reported;
};

void AdjacentWritersCheck::checkThreads(ASTContext &Unit) {
  ThreadReader(*this, Unit).read();
}

void AdjacentWritersCheck::noteAlignment(const FieldSpan &Later,
                                         const ASTContext &Unit) {
  const SourceLocation Start = Later.Field->getBeginLoc();
  const LangOptions &Language = Unit.getLangOpts();
  DiagnosticBuilder Note =
      diag(Later.Field->getLocation(),
           "aligning '%0' to a line of its own separates them; the record "
           "grows, and its ABI changes",
           DiagnosticIDs::Note);
  Note << fieldName(*Later.Field);
  if (!Start.isMacroID() && (Language.CPlusPlus11 || Language.C11))
    Note << FixItHint::CreateInsertion(
        Start, (Language.CPlusPlus11 ? "alignas(" : "_Alignas(") +
                   std::to_string(common().CacheLineSize) + ") ");
}

} // namespace linesman::tidy
