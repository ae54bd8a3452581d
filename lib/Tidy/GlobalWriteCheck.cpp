// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One report a variable, at the first write: the others are the same cause.

#include "GlobalWriteCheck.h"
#include "Analysis/HotAccesses.h"
#include "Analysis/PlainName.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

GlobalWriteCheck::GlobalWriteCheck(StringRef Name, ClangTidyContext *Context,
                                   std::shared_ptr<UnitAnalyses> Analyses)
    : LinesmanCheck(Name, Context, std::move(Analyses)),
      InternalLinkage(Options.get("InternalLinkage", true)) {}

void GlobalWriteCheck::storeOptions(ClangTidyOptions::OptionMap &Map) {
  LinesmanCheck::storeOptions(Map);
  Options.store(Map, "InternalLinkage", InternalLinkage);
}

namespace {

class GlobalWrites {
public:
  GlobalWrites(const UnitAccesses &Accesses, const TypeKinds &Kinds,
               const CommonOptions &Common, bool InternalLinkage,
               const ASTContext &Unit)
      : Kinds(Kinds), Common(Common), InternalLinkage(InternalLinkage),
        Unit(Unit), Hot(Accesses, Kinds) {}

  using SiteMap =
      llvm::MapVector<const VarDecl *, SmallVector<const Access *, 4>>;

  SiteMap find() {
    SiteMap Sites;
    for (const Access &Each : Hot.accesses().all())
      if (Each.Object.Root && Each.writes() && isCostly(Each) &&
          isReportable(*Each.Object.Root))
        Sites[Each.Object.Root].push_back(&Each);
    return Sites;
  }

private:
  bool isReportable(const VarDecl &Var) const {
    if (Var.getTLSKind() != VarDecl::TLS_None || Common.isAccepted(Var) ||
        Unit.getSourceManager().isInSystemHeader(Var.getLocation()))
      return false;
    if (!InternalLinkage && !Var.isExternallyVisible())
      return false;
    return !Kinds.isSynchronization(Var.getType());
  }

  bool isCostly(const Access &Each) {
    const FieldDecl *Field = Each.Object.field();
    if (Field && (Kinds.isSynchronization(Field->getType()) ||
                  Common.isAccepted(*Field)))
      return false;
    for (const Element &Part : Each.Object.elements()) {
      // The elements of a per-thread array are thread-slot's.
      if (Kinds.isThreadIdentity(*Part.Index))
        return false;
      // Elements of whole lines: somebody gave each user of the array its own,
      // whatever the index is called (redis' io_threads_pending).
      if (!Part.Type.isNull() &&
          Unit.getTypeAlignInChars(Part.Type).getQuantity() >=
              Common.CacheLineSize)
        return false;
    }
    if (!isRepeated(Each))
      return false;
    return Hot.isHotWrite(Each);
  }

  bool isRepeated(const Access &Each) {
    bool IsAtomic = Hot.isAtomic(Each);
    AtomicOperation Operation = Hot.operationOf(Each);
    switch (Hot.kindOf(Each)) {
    case AccessKind::Update:
      // A lock taken by hand, a claimed flag: what redundant-store is for.
      if (Operation == AtomicOperation::CompareExchange ||
          Operation == AtomicOperation::TestAndSet ||
          Operation == AtomicOperation::Exchange)
        return Common.Strict;
      return IsAtomic || Common.Strict || isPlainCounter(Each);
    case AccessKind::Write:
      if (Common.Strict)
        return true;
      // A flag that is raised once is no traffic: a value that changes, on
      // every way through, or in a loop, is.
      return IsAtomic && (Each.Loop || !Each.IsConditional) &&
             !Hot.isReadBefore(Each) && !storesConstant(Each);
    default:
      return false;
    }
  }

  /// ++hits on a variable that is not locked and not atomic: threads would lose
  /// counts, which people accept for statistics, and pay for the line.
  bool isPlainCounter(const Access &Each) const {
    const VarDecl &Var = *Each.Object.Root;
    // A position or a nesting level is one thread's business: who counts for
    // statistics does not look at the result on the spot.
    if (!HotAccesses::isPlainCounting(Each) || isCursor(Each))
      return false;
    QualType Type = Var.getType();
    if (Type->isReferenceType() || Type->isIncompleteType())
      return false;
    return Unit.getTypeSizeInChars(Type).getQuantity() <=
           int64_t(HotAccesses::MaxPlainRecordLines * Common.CacheLineSize);
  }

  /// Looked at where it is advanced, or set back: an iteration's state.
  bool isCursor(const Access &Each) const {
    const UnitAccesses &Accesses = Hot.accesses();
    for (unsigned Index : Accesses.of(*Each.Object.Root)) {
      const Access &Other = Accesses.all()[Index];
      if (&Other == &Each || !Other.Object.isSameAs(Each.Object) ||
          !Other.Function)
        continue;
      if (Other.Kind == AccessKind::Write ||
          Other.Kind == AccessKind::Address ||
          Other.Kind == AccessKind::Mutate ||
          (Other.Function == Each.Function && Other.Kind == AccessKind::Read))
        return true;
    }
    return false;
  }

  static bool storesConstant(const Access &Each) {
    const Expr *Value = nullptr;
    const Expr *Site = Each.Site->IgnoreParens();
    if (const auto *Binary = dyn_cast<BinaryOperator>(Site))
      Value = Binary->getRHS();
    else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Site))
      Value = Operator->getNumArgs() == 2 ? Operator->getArg(1) : nullptr;
    else if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Site))
      Value = Member->getNumArgs() ? Member->getArg(0) : nullptr;
    else if (const auto *Atomic = dyn_cast<AtomicExpr>(Site))
      Value = Atomic->getNumSubExprs() > 2 ? Atomic->getVal1() : nullptr;
    return Value && !Value->isValueDependent() &&
           Value->isEvaluatable(Each.Object.Root->getASTContext(),
                                Expr::SE_NoSideEffects);
  }

  const TypeKinds &Kinds;
  const CommonOptions &Common;
  const bool InternalLinkage;
  const ASTContext &Unit;
  HotAccesses Hot;
};

/// The report goes to the write that runs most, as far as the source tells: in
/// the file at hand, in a loop or on every way through its function.
SmallVector<const Access *, 8> bestFirst(ArrayRef<const Access *> Sites,
                                         const ASTContext &Unit) {
  const SourceManager &Sources = Unit.getSourceManager();
  SmallVector<const Access *, 8> Ordered(Sites);
  auto Rank = [&](const Access *Each) {
    return 2 * Sources.isInMainFile(
                   Sources.getFileLoc(Each->Site->getBeginLoc())) +
           (Each->Loop || !Each->IsConditional);
  };
  auto Best = llvm::max_element(Ordered, [&](const Access *A, const Access *B) {
    return Rank(A) < Rank(B);
  });
  std::rotate(Ordered.begin(), Best, Best + 1);
  return Ordered;
}

} // namespace

void GlobalWriteCheck::checkUnit(ASTContext &Unit) {
  TypeKinds Kinds = typeKinds();
  GlobalWrites Writes(accesses(Unit), Kinds, common(), InternalLinkage, Unit);
  for (const auto &[Var, Sites] : Writes.find()) {
    SmallVector<const Access *, 8> Ordered = bestFirst(Sites, Unit);
    const Access &First = *Ordered.front();
    const FieldDecl *Field = First.Object.field();
    std::string Name = plainName(*Var);
    if (Field)
      Name += ("." + Field->getName()).str();
    bool IsUpdate = First.Kind != AccessKind::Write;
    diag(place(First),
         "'%0' has static storage, and '%1' %select{stores to|updates}2 "
         "it%select{|, in a loop}3: its cache line moves to the core that runs "
         "the call and away from all others; %select{test "
         "before storing, or |}2keep one copy per thread and %select{combine|"
         "add}2 them where it is read")
        << Name << plainName(*First.Function) << IsUpdate
        << (First.Loop != nullptr);
    noteSites(Ordered);
    diag(Var->getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
        << plainName(*Var);
  }
}

} // namespace linesman::tidy
