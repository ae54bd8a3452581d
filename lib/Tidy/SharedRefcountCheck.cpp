// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedRefcountCheck.h"
#include "Analysis/Addresses/AccessPath.h"
#include "Analysis/Addresses/StandIns.h"
#include "Analysis/Addresses/StaticReach.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/ReferenceCounts.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// More places say nothing new.
constexpr size_t MaxCopyNotes = 4;

const FieldDecl *countField(const ObjectWrite &Write) {
  for (const FieldDecl *Field : llvm::reverse(Write.Part.Fields))
    if (Field->getIdentifier() && isReferenceCountName(Field->getName()))
      return Field;
  return Write.Part.Fields.empty() ? nullptr : Write.Part.Fields.back();
}

} // namespace

class SharedRefcountCheck::UnitReader {
public:
  UnitReader(SharedRefcountCheck &Check, ASTContext &Unit)
      : Check(Check), Unit(Unit), Addresses(Check.addresses(Unit)),
        Kinds(Check.typeKinds()), StandIn(Addresses.Code, Addresses.Flow) {}

  void read();
  llvm::ArrayRef<FunctionCode> functions() const {
    return Addresses.Code.functions();
  }

private:
  /// One place that counts, or calls what counts.
  struct CountSite {
    const FunctionDecl *Function = nullptr;
    const Expr *Site = nullptr;
    /// Null when only the name of a function tells.
    const FieldDecl *Count = nullptr;
    SourceLocation StepLocation;
    /// The pointer that the address came through; null for the name itself.
    const Expr *Pointer = nullptr;
  };
  struct Step {
    bool Happens = false;
    const FieldDecl *Count = nullptr;
    SourceLocation Location;
  };

  void checkStatement(const FunctionCode &Code, const Stmt &Statement);
  void checkCall(const FunctionCode &Code, const CallExpr &Call);
  Step stepOf(const FunctionDecl &Callee, const ValueDecl *Parameter,
              const VarDecl &Object);
  /// For every static object that the expression may name or point to, unless
  /// a test keeps it out.
  void
  forEachObject(const FunctionCode &Code, const Expr &Base, const Expr &Site,
                llvm::function_ref<void(const VarDecl &, bool IsByName)> Visit);
  /// How the address of the object with this pattern comes to the site.
  void noteWay(const CountSite &Site, const VarDecl &Pattern);
  void reportCauses();
  /// The first of \p Sites counts all of \p Objects, the others some of them.
  void report(llvm::ArrayRef<const VarDecl *> Objects,
              llvm::ArrayRef<CountSite> Sites);
  void sortBySource(llvm::MutableArrayRef<CountSite> Sites) const;

  SharedRefcountCheck &Check;
  ASTContext &Unit;
  AddressAnalyses &Addresses;
  const TypeKinds Kinds;
  const StandIns StandIn;
  /// By the pattern of the object: all instantiations are one cause.
  llvm::MapVector<const VarDecl *, llvm::SmallVector<CountSite, 4>> Found;
  llvm::DenseMap<std::pair<const Decl *, const VarDecl *>, Step> Steps;
};

void SharedRefcountCheck::checkUnit(ASTContext &Unit) {
  UnitReader Reader(*this, Unit);
  Reader.read();
  checkPointers(Unit, Reader.functions());
}

void SharedRefcountCheck::UnitReader::read() {
  for (const FunctionCode &Code : functions())
    // Before there are threads.
    if (!Code.Function->isMain())
      for (const Stmt *Node : Code.Statements)
        checkStatement(Code, *Node);
  reportCauses();
}

/// One diagnostic for each place that is the first to count something: an
/// inline function that counts whatever it is given is one cause.
void SharedRefcountCheck::UnitReader::reportCauses() {
  llvm::MapVector<const Expr *, llvm::SmallVector<const VarDecl *, 4>> Causes;
  for (auto &[Object, Sites] : Found) {
    sortBySource(Sites);
    Causes[Sites.front().Site].push_back(Object);
  }
  for (auto &[Site, Objects] : Causes) {
    llvm::sort(Objects, [&](const VarDecl *A, const VarDecl *B) {
      return Unit.getSourceManager().isBeforeInTranslationUnit(
          A->getLocation(), B->getLocation());
    });
    llvm::SmallVector<CountSite, 4> Sites;
    for (const VarDecl *Object : Objects)
      llvm::append_range(Sites, Found[Object]);
    sortBySource(Sites);
    report(Objects, Sites);
  }
}

void SharedRefcountCheck::UnitReader::forEachObject(
    const FunctionCode &Code, const Expr &Base, const Expr &Site,
    llvm::function_ref<void(const VarDecl &, bool)> Visit) {
  auto IsAccepted = [&](const VarDecl &Object) {
    return Check.common().isAccepted(patternOf(Object));
  };
  if (const VarDecl *Named = certainStatic(Base)) {
    if (!IsAccepted(*Named))
      Visit(*Named, /*IsByName=*/true);
    return;
  }
  if (isa<CXXThisExpr>(stripSameObject(&Base)))
    return;
  std::optional<AccessPath> Place = pathOf(Base);
  if (!Place)
    return;
  auto Objects = Addresses.Flow.objectsOf(Base, Code.Function);
  if (Objects.empty())
    llvm::append_range(Objects, StandIn.thatMayBe(Base, *Code.Function));
  for (const VarDecl *Object : Objects)
    if (!IsAccepted(*Object) &&
        !Addresses.isExcluded({Code.Function, &Site, *Place, Object}))
      Visit(*Object, /*IsByName=*/false);
}

/// `busy.use_count++; work(); busy.use_count--;` by its name, and plainly: how
/// deep one thread is, because threads that did so together would lose counts.
static bool isLevel(const FunctionCode &Code, const ObjectWrite &Write) {
  const auto *Step = dyn_cast<UnaryOperator>(Write.Site->IgnoreParens());
  const std::optional<AccessPath> Counted =
      Step ? pathOf(*Step->getSubExpr()) : std::nullopt;
  const auto *Var =
      Counted ? dyn_cast_if_present<VarDecl>(Counted->Root) : nullptr;
  if (!Var || !Var->getType()->isRecordType() ||
      Step->getSubExpr()->getType()->isAtomicType())
    return false;
  return llvm::any_of(Code.Statements, [&](const Stmt *Other) {
    const auto *Back = dyn_cast<UnaryOperator>(Other);
    if (!Back || !Back->isIncrementDecrementOp() ||
        Back->isIncrementOp() == Step->isIncrementOp())
      return false;
    const std::optional<AccessPath> Same = pathOf(*Back->getSubExpr());
    return Same && *Same == *Counted;
  });
}

void SharedRefcountCheck::UnitReader::checkStatement(const FunctionCode &Code,
                                                     const Stmt &Statement) {
  if (std::optional<ObjectWrite> Write = writeOf(Statement, Kinds);
      Write && isCountStep(*Write) && Write->Part.Base) {
    const FieldDecl *Count = countField(*Write);
    if (!Check.common().isAccepted(*Count) && !isLevel(Code, *Write))
      forEachObject(Code, *Write->Part.Base, *Write->Site,
                    [&](const VarDecl &Object, bool IsByName) {
                      Found[&patternOf(Object)].push_back(
                          {Code.Function, Write->Site, Count, SourceLocation(),
                           IsByName ? nullptr : Write->Part.Base});
                    });
    return;
  }
  if (const auto *Call = dyn_cast<CallExpr>(&Statement))
    checkCall(Code, *Call);
}

void SharedRefcountCheck::UnitReader::checkCall(const FunctionCode &Code,
                                                const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || isSameObjectCall(Call))
    return;
  auto CountIn = [&](const Expr &Base, const ValueDecl *Parameter) {
    forEachObject(Code, Base, Call, [&](const VarDecl &Object, bool IsByName) {
      // A function that is given a pointer is looked at by itself, where the
      // address flows; naming the object is the caller's doing.
      if (!IsByName && !isa<CXXMethodDecl>(Callee) && Callee->hasBody())
        return;
      Step Taken = stepOf(*Callee, Parameter, Object);
      if (Taken.Happens &&
          !(Taken.Count && Check.common().isAccepted(*Taken.Count)))
        Found[&patternOf(Object)].push_back({Code.Function, &Call, Taken.Count,
                                             Taken.Location,
                                             IsByName ? nullptr : &Base});
    });
  };
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call)) {
    // d->count.ref(): the count is an object of its own, inside of the one that
    // the pointer leads to.
    const Expr *Object = Member->getImplicitObjectArgument();
    if (WrittenPart Part = writtenPart(*Object);
        Part.IsPointedTo && Part.Base && !Part.Fields.empty())
      Object = Part.Base;
    return CountIn(*Object, nullptr);
  }
  if (isa<CXXMethodDecl>(Callee))
    return;
  const FunctionDecl *Definition = Callee->getDefinition();
  const ParmVarDecl *Counted =
      countedParameter(Definition ? *Definition : *Callee);
  if (Counted && Counted->getFunctionScopeIndex() < Call.getNumArgs())
    CountIn(*Call.getArg(Counted->getFunctionScopeIndex()), Counted);
}

SharedRefcountCheck::UnitReader::Step
SharedRefcountCheck::UnitReader::stepOf(const FunctionDecl &Callee,
                                        const ValueDecl *Parameter,
                                        const VarDecl &Object) {
  auto [Place, IsNew] = Steps.try_emplace({Callee.getCanonicalDecl(), &Object});
  if (!IsNew)
    return Place->second;
  CountStep Found =
      countingStepOf(Callee, Parameter, Kinds, [&](const CountStep &Step) {
        std::optional<AccessPath> Path = pathOf(*Step.Write.Part.Base);
        return !Path || Addresses.isExcluded({Step.Function, Step.Write.Site,
                                              std::move(*Path), &Object});
      });
  Step Taken;
  Taken.Happens = Found.Function;
  if (Found.Write.Site) {
    Taken.Count = countField(Found.Write);
    Taken.Location = Found.Write.Site->getExprLoc();
  }
  return Steps[{Callee.getCanonicalDecl(), &Object}] = Taken;
}

void SharedRefcountCheck::UnitReader::noteWay(const CountSite &Site,
                                              const VarDecl &Pattern) {
  const AddressFlow &Flow = Addresses.Flow;
  // The object may be an instantiation of the pattern.
  for (const VarDecl *Object : Flow.objectsOf(*Site.Pointer, Site.Function))
    if (&patternOf(*Object) == &Pattern) {
      auto Way = Flow.wayTo(*Site.Pointer, Site.Function, *Object);
      if (!Way.empty())
        Check.diag(Way.front().Leaf->getExprLoc(), "its address is taken here",
                   DiagnosticIDs::Note);
      return;
    }
  if (const Expr *Given = StandIn.placeOf(Pattern))
    Check.diag(Given->getExprLoc(),
               "it is handed out here in the place of others",
               DiagnosticIDs::Note);
}

void SharedRefcountCheck::UnitReader::sortBySource(
    llvm::MutableArrayRef<CountSite> Sites) const {
  // Whatever order templates were instantiated in.
  const SourceManager &Sources = Unit.getSourceManager();
  llvm::stable_sort(Sites, [&](const CountSite &A, const CountSite &B) {
    return Sources.isBeforeInTranslationUnit(
        Sources.getFileLoc(A.Site->getExprLoc()),
        Sources.getFileLoc(B.Site->getExprLoc()));
  });
}

void SharedRefcountCheck::UnitReader::report(
    llvm::ArrayRef<const VarDecl *> Objects, llvm::ArrayRef<CountSite> Sites) {
  const SourceManager &Sources = Unit.getSourceManager();
  const VarDecl &Object = *Objects.front();
  const CountSite &First = Sites.front();
  const std::string Name = plainName(Object);
  std::string Count =
      First.Count ? "'" + fieldName(*First.Count) + "'" : "references";
  Check.warn(
      First.Site->getExprLoc(),
      {.Subject = Object, .Function = First.Function, .Field = First.Count},
      "'%0' counts %1 of the static '%2', which never goes away; every core "
      "that runs this takes the cache line of the count away from all others: "
      "leave static objects uncounted, test for '%2' before counting")
      << plainName(*First.Function) << Count << Name;
  Check.diag(Object.getLocation(), "'%0' is one object for all threads",
             DiagnosticIDs::Note)
      << Name;
  for (const VarDecl *Other : Objects.drop_front().take_front(MaxCopyNotes))
    Check.diag(Other->getLocation(), "'%0' is counted there, too",
               DiagnosticIDs::Note)
        << plainName(*Other);
  if (First.StepLocation.isValid())
    Check.diag(First.StepLocation, "it is counted here", DiagnosticIDs::Note);
  if (First.Pointer)
    noteWay(First, Object);
  size_t Notes = 0;
  SourceLocation Last = Sources.getFileLoc(First.Site->getExprLoc());
  for (const CountSite &Step : Sites) {
    SourceLocation Spot = Sources.getFileLoc(Step.Site->getExprLoc());
    if (Spot == Last)
      continue;
    Last = Spot;
    if (++Notes > MaxCopyNotes)
      break;
    Check.diag(Step.Site->getExprLoc(),
               "'%0' counts %select{it|one of them}1, too", DiagnosticIDs::Note)
        << plainName(*Step.Function) << (Objects.size() > 1);
  }
}

} // namespace linesman::tidy
